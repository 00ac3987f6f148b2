import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// src/capture/clip.ts
var HOOK_CLIP_BYTES = 8 * 1024;
var TRANSCRIPT_CLIP_BYTES = 32 * 1024;
var MARKER_BYTES = 64;
function clip(text, bytesMax) {
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text, "utf8") <= bytesMax) return text;
  const room = Math.max(0, bytesMax - MARKER_BYTES);
  const head = headEnd(text, Math.ceil(room / 2));
  const tail = tailStart(text, Math.floor(room / 2));
  return `${text.slice(0, head)}\u2026[annals: ${grouped(tail - head)} characters left out]\u2026${text.slice(tail)}`;
}
function headEnd(text, bytesMax) {
  let bytes = 0;
  let end = 0;
  while (end < text.length) {
    const size = bytesOf(text.codePointAt(end));
    if (bytes + size > bytesMax) break;
    bytes += size;
    end += size === 4 ? 2 : 1;
  }
  return end;
}
function tailStart(text, bytesMax) {
  let bytes = 0;
  let start = text.length;
  while (start > 0) {
    const pair = start >= 2 && text.codePointAt(start - 2) > 65535;
    const size = pair ? 4 : bytesOf(text.charCodeAt(start - 1));
    if (bytes + size > bytesMax) break;
    bytes += size;
    start -= pair ? 2 : 1;
  }
  return start;
}
function bytesOf(codePoint) {
  if (codePoint < 128) return 1;
  if (codePoint < 2048) return 2;
  return codePoint > 65535 ? 4 : 3;
}
function grouped(count) {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

// src/capture/tags.ts
function stripTags(text, { author }) {
  const ranges = text.includes("<") ? hiddenRanges(text, author === "person") : [];
  let rest = "";
  let kept = 0;
  for (const { start, end } of ranges) {
    rest += text.slice(kept, start);
    kept = end;
  }
  rest = ranges.length === 0 ? text : rest + text.slice(kept);
  if (author === "person") rest = rest.trim();
  return { text: rest, removed: ranges.length, empty: ranges.length > 0 && isBlank(rest) && !isBlank(text) };
}
function isPrivatePrompt(text) {
  return stripTags(text, { author: "person" }).empty;
}
var NOTIFICATION_CHARS_MAX = 256 * 1024;
function isTaskNotification(text) {
  if (text.length > NOTIFICATION_CHARS_MAX) return false;
  const block = text.trim();
  if (!block.startsWith("<task-notification>") || !block.endsWith("</task-notification>")) return false;
  return block.indexOf("<task-notification>", 1) < 0 && block.split("</task-notification>").length === 2;
}
var TAG = /<(\/?)(private|claude-mem-context|annals-context|system[_-]instruction|persisted-output|system-reminder)(?=[\s/>])([^<>]*)>/gi;
function hiddenRanges(text, unclosedHides) {
  const open = /* @__PURE__ */ new Map();
  const blocks = [];
  for (const match of text.matchAll(TAG)) {
    const [tag, slash, spelled, attributes] = match;
    const name = spelled.toLowerCase().replace("_", "-");
    const starts = open.get(name) ?? [];
    if (slash === "/") {
      const start = starts.pop();
      if (start !== void 0) blocks.push({ start, end: match.index + tag.length });
    } else if (!attributes.endsWith("/")) {
      starts.push(match.index);
      open.set(name, starts);
    }
  }
  const merged = union(blocks);
  if (!unclosedHides) return merged;
  const unclosed = (open.get("private") ?? []).find((at) => !covers(merged, at));
  if (unclosed === void 0) return merged;
  return [...merged.filter((range2) => range2.start < unclosed), { start: unclosed, end: text.length }];
}
function union(blocks) {
  const merged = [];
  for (const block of [...blocks].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== void 0 && block.start < last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, block.end) };
    else merged.push(block);
  }
  return merged;
}
function covers(ranges, at) {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (ranges[middle].end <= at) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.start ?? Number.POSITIVE_INFINITY) <= at;
}
function isBlank(text) {
  return text.trim() === "";
}

// src/capture/redact/chosen-values.ts
function looksChosen(value, around) {
  if (around.family !== "password" && !/\d/.test(value)) return false;
  if (NEVER.test(value) || TEMPLATE.test(value) || PLACEHOLDER.test(value)) return false;
  if (looksLikePlace(value) || looksLikeCode(value, around)) return false;
  return around.family === "password" ? chosenPassword(value, around) : chosenToken(value, around);
}
var NEVER = /^(?:string|text|str|bytes?|number|int|integer|boolean|bool|true|false|null|none|nil|undefined|unknown|any|object|void|never|optional|required|hidden|input|field|password|passwd|pwd|passphrase|secret|token|tokens|api[-_]?key|key|value|default|env|inherit|yes|no|on|off|basic|bearer|(?:current|new|old|confirm|one-time|forgot|reset|your|my)[-_ ]?(?:password|passwd|token|secret|code|api[-_]?key)|enter|redacted|removed|masked|missing|invalid|incorrect|wrong|empty|read|write|todo|n\/a)$/i;
var TEMPLATE = /^(?:\$|\{|<|%[sdv({]|@|#|\\|\*|\+|!|&|\(|--|env[.:(]|op:\/\/|vault:|secrets\.|process\.env|os\.(?:environ|getenv)|import\.meta|ENV\[)|\$\{|\{\{|<[a-z][\w -]*>|\.\.\.|…|process\.env|\*\*\*/i;
var PLACEHOLDER = /^(?:x{3,}|\.{2,}|-+|_+|•+|0+|your[-_ ].*|my[-_ ]?(?:api|secret|token|password)[-_ ]?\w*|example.*|replace[-_ ].*|insert[-_ ].*|REDACTED.*|.*[-_]here)$/i;
function looksLikePlace(value) {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return true;
  if (!/^(?:[~.]{0,2}\/[A-Za-z._]|[A-Za-z]:[\\/])/.test(value)) return false;
  return !/[+=]/.test(value) && value.split(/[\\/]/).every((part) => part.length <= 30);
}
function looksLikeCode(value, around) {
  if (around.quoted)
    return /\s/.test(value) || /^[a-z]+(?:\.[a-zA-Z]+)+$/.test(value) || /\$\(|=>/.test(value);
  if (/[(){}[\]]/.test(value) && !around.shout) return true;
  if (/^[([]/.test(around.after)) return true;
  return /^[A-Za-z_$][\w$]*(?:\??\.#?[A-Za-z_$][\w$]*)+[;,]?$/.test(value) && !around.shout && value.length < 40;
}
function chosenPassword(value, around) {
  if (around.quoted) return value.length >= 4 && !isConstantName(value);
  if (value.length < 4) return false;
  if (around.shout || around.query) return !isConstantName(value);
  if (!around.direct) return value.length >= 6 && /\d/.test(value) && !/^\d+$/.test(value);
  if (/^\d+$/.test(value)) return value.length >= 6;
  return value.length >= 6 && (/\d/.test(value) || /[!@#$%^*~]/.test(value));
}
function chosenToken(value, around) {
  if (value.length < 8 || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (isConstantName(value) || isNumberedName(value) || /^[\d.,:_-]+[a-z]{0,3}$/i.test(value)) return false;
  if (!around.quoted && !around.direct) return value.length >= 16;
  return true;
}
function isConstantName(value) {
  return /^[A-Z][A-Z]*(?:_[A-Z0-9]+)+$/.test(value);
}
function isNumberedName(value) {
  return value.length <= 32 && /^[A-Za-z]+(?:[-_.:][A-Za-z]+)*[-_.:]?\d{1,3}(?:[-_.:][A-Za-z]+)*$/.test(value);
}

// src/capture/redact/key-names.ts
function familyOfKey(key) {
  if (key.length > 64 || !/[a-z]/i.test(key)) return null;
  const last = key.slice(key.lastIndexOf(".") + 1);
  if (/^(?:old)?pwd$/i.test(last)) return /^(?:OLD)?PWD$/.test(last) ? null : "password";
  const name = last.toLowerCase().replace(/[_$-]/g, "").replace(/\d{1,2}$/, "");
  if (name === "cookie" || name === "setcookie") return "cookie";
  if (/(?:^|proxy)authorization$/.test(name)) return "authorization";
  if (/(?:password|passwd|passphrase|passcode|passwort|pwd)$/.test(name)) return "password";
  if (/(?:^|[_.-])pass$/i.test(last) || /[a-z]Pass$/.test(last)) return "password";
  if (/(?:apikey|authkey|appkey|subscriptionkey|servicekey|licensekey)$/.test(name)) return "api-key";
  if (/(?:secret|secretkey|secretkeybase|secretaccesskey|privatekey|accesskey|accountkey|signingkey|encryptionkey|masterkey|sharedkey|encryptedkey|seedphrase)$/.test(
    name
  ))
    return "secret";
  return /token$/.test(name) ? "token" : null;
}
var ACCOUNT_KEYS = /* @__PURE__ */ new Set([
  "useremail",
  "accountemail",
  "accountuuid",
  "useraccountuuid",
  "owneraccountuuid",
  "ownerorganizationuuid",
  "organizationuuid",
  "oauthaccount"
]);
function accountKey(key) {
  return key.length <= 32 && ACCOUNT_KEYS.has(key.toLowerCase().replace(/[_-]/g, ""));
}

// src/capture/redact/key-before.ts
var KEY_CHARS_MAX = 64;
function keyBefore(text, at) {
  let end = at;
  while (end > 0 && at - end < 4 && isSpace(text.charCodeAt(end - 1))) end--;
  let quoted = false;
  if (end > 0 && isClosing(text.charCodeAt(end - 1))) {
    quoted = true;
    end--;
    if (end > 0 && isClosing(text.charCodeAt(end - 1))) end--;
    while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) end--;
  }
  if (!endsLikeASecretsName(text, end)) return null;
  let start = end;
  while (start > 0 && end - start < KEY_CHARS_MAX && isKeyChar(text.charCodeAt(start - 1))) start--;
  if (text.charCodeAt(start - 1) === BACKSLASH && /[nrt]/.test(text[start])) start++;
  if (quoted && isTernary(text, start)) return null;
  return { key: text.slice(start, end), quoted, start };
}
var TAILS = [
  ...["ord", "swd", "ase", "ode", "ort", "pwd", "ass", "key", "ret", "ken"],
  ...["ion", "kie", "ail", "uid", "unt"]
];
var TAIL_TABLE = tailTable();
function tailTable() {
  const table = new Uint8Array(32 * 32 * 32);
  for (const tail of TAILS) table[tailIndex(tail, 3)] = 1;
  return table;
}
function tailIndex(text, end) {
  return (text.charCodeAt(end - 3) & 31) << 10 | (text.charCodeAt(end - 2) & 31) << 5 | text.charCodeAt(end - 1) & 31;
}
function endsLikeASecretsName(text, end) {
  let letters = end;
  while (letters > 0 && end - letters < 2 && isDigit(text.charCodeAt(letters - 1))) letters--;
  return letters >= 3 && TAIL_TABLE[tailIndex(text, letters)] === 1;
}
function isTernary(text, start) {
  return /\?\s*\\*["'`]$/.test(text.slice(Math.max(0, start - 8), start));
}
var BACKSLASH = 92;
function isSpace(code) {
  return code === 32 || code === 9;
}
function isClosing(code) {
  return code === 34 || code === 39 || code === 96 || code === 93;
}
function isDigit(code) {
  return code >= 48 && code <= 57;
}
function isKeyChar(code) {
  const letter = code | 32;
  return letter >= 97 && letter <= 122 || isDigit(code) || code === 95 || code === 46 || code === 36 || code === 45;
}

// src/capture/redact/key-value.ts
var BARE_CHARS_MAX = 160;
var QUOTED_CHARS_MAX = 8192;
var REDACTED = "[redacted:";
function secretAfterSeparator(text, at, tokenAt2) {
  if (text.charCodeAt(at) === COLON && text.startsWith("//", at + 1)) return urlCredentials(text, at + 3);
  if (text.charCodeAt(at + 1) === CAPITAL_A && text.charCodeAt(at) === COLON) {
    const token = telegramToken(text, at);
    if (token !== null) return token;
  }
  const found = keyBefore(text, at);
  if (found === null) return null;
  const { key, quoted, start } = found;
  const isAccount = accountKey(key);
  const family = isAccount ? null : familyOfKey(key);
  if (family === null && !isAccount) return null;
  let from = at + 1;
  if (text[at] === ":" && text[from] === "=") from++;
  if (/[=>:]/.test(text[from] ?? "")) return null;
  const direct = from === at + 1 && text[at] === "=" && !/\s/.test(text[from] ?? "");
  from = skipSpaces(text, from);
  if (family === "cookie") return text[at] === ":" ? cookies(text, from) : null;
  const value = valueAt(text, from, !quoted && direct && /^[A-Z0-9_]+$/.test(key));
  if (value === null || text.startsWith(REDACTED, value.start)) return null;
  if (family === "authorization") return credential(text, value);
  if (isAccount) return value.end - value.start < 3 ? null : { ...range(value), kind: "account" };
  const chosen = looksChosen(text.slice(value.start, Math.min(value.end, value.start + BARE_CHARS_MAX)), {
    family,
    quoted: value.quoted,
    direct: direct || text[at] === ":",
    shout: direct && /^[A-Z][A-Z0-9_]*$/.test(key),
    after: text.slice(value.end, value.end + 1),
    query: /[?&]/.test(text[start - 1] ?? "")
  });
  if (!chosen) return null;
  return named(text, value, family, tokenAt2);
}
function secretAfterFlag(text, at, tokenAt2) {
  FLAG.lastIndex = at;
  const match = FLAG.exec(text);
  if (match === null) return curlUser(text, at);
  const family = familyOfKey(match[1]);
  if (family === null || family === "cookie" || family === "authorization") return null;
  const value = valueAt(text, FLAG.lastIndex, false);
  if (value === null || text[value.start] === "-" || text.startsWith(REDACTED, value.start)) return null;
  const chosen = looksChosen(text.slice(value.start, Math.min(value.end, value.start + BARE_CHARS_MAX)), {
    family,
    quoted: value.quoted,
    direct: true,
    shout: false,
    after: text.slice(value.end, value.end + 1),
    query: false
  });
  return chosen ? named(text, value, family, tokenAt2) : null;
}
var FLAG_STARTS = ["-pa", "-pr", "-to", "-se", "-ap", "-ac", "-u ", "-us"];
var FLAG = /-(password|passwd|passphrase|token|secret|api-?key|access-key|secret-key|private-key)[ \t]+/y;
var CURL_USER = /-u(?:ser)?[ \t]+["']?([^\s:"'$`]{1,64}:)([^\s"'$`]{3,128})/y;
function curlUser(text, at) {
  if (!text.startsWith("-u", at)) return null;
  CURL_USER.lastIndex = at;
  const match = CURL_USER.exec(text);
  if (match === null || match[2].startsWith(REDACTED)) return null;
  if (!/\bcurl\b[^\n]*$/.test(text.slice(Math.max(0, at - 200), at))) return null;
  return { start: CURL_USER.lastIndex - match[2].length, end: CURL_USER.lastIndex, kind: "password" };
}
var COLON = 58;
var CAPITAL_A = 65;
var TELEGRAM_SECRET = /:A[A-Za-z0-9_-]{33,34}(?![A-Za-z0-9_-])/y;
function telegramToken(text, at) {
  TELEGRAM_SECRET.lastIndex = at;
  if (!TELEGRAM_SECRET.test(text)) return null;
  const digits = /\d{8,10}$/.exec(text.slice(Math.max(0, at - 10), at))?.[0];
  if (digits === void 0) return null;
  return { start: at - digits.length, end: TELEGRAM_SECRET.lastIndex, kind: "telegram-token" };
}
function skipSpaces(text, from) {
  let at = from;
  while (at - from < 8 && (text[at] === " " || text[at] === "	")) at++;
  return at;
}
function valueAt(text, from, greedy) {
  let at = from;
  if (/[bfru]/i.test(text[at] ?? "") && /["']/.test(text[at + 1] ?? "")) at++;
  let escapes = 0;
  while (escapes < 16 && text[at + escapes] === "\\") escapes++;
  const quote = text[at + escapes];
  if (quote === '"' || quote === "'" || quote === "`" && escapes === 0) {
    const start = at + escapes + 1;
    const close = closingQuote(text, start, quote, escapes);
    if (close !== null) return close > start ? { start, end: close, quoted: true } : null;
    return bareRun(text, start, /[^\s"'`\\]+/y, true);
  }
  return bareRun(text, from, greedy ? /[^\s"'`&;\\[]+/y : /[^\s"'`,;)}\]&<>|\\[]+/y, false);
}
function closingQuote(text, start, quote, escapes) {
  const window = text.slice(start, start + QUOTED_CHARS_MAX);
  let close = window.indexOf(quote);
  while (close >= 0) {
    let slashes = 0;
    while (slashes < close && window[close - 1 - slashes] === "\\") slashes++;
    if (slashes <= escapes && (escapes > 0 || slashes % 2 === 0)) return start + close - slashes;
    if (escapes === 0 && slashes % 2 === 0) return start + close;
    close = window.indexOf(quote, close + 1);
  }
  return null;
}
function bareRun(text, start, run, quoted) {
  run.lastIndex = 0;
  const match = run.exec(text.slice(start, start + BARE_CHARS_MAX));
  return match === null ? null : { start, end: start + match[0].length, quoted };
}
var LONG_RUN = /[A-Za-z0-9+/_=.-]*/y;
function named(text, value, family, tokenAt2) {
  const { start } = value;
  let { end } = value;
  if (end - start === BARE_CHARS_MAX) {
    LONG_RUN.lastIndex = end;
    if (LONG_RUN.test(text)) end = LONG_RUN.lastIndex;
  }
  const token = tokenAt2(text, start);
  return { start, end, kind: token !== null && token.end === end ? token.kind : family };
}
var CREDENTIAL = /^(?:(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate|Bot|Key)\s+)?(?=\S{6})(?![$<{%[*]|process\.|Bearer|Basic|Token)([^\s"'`,\\]+)/i;
function credential(text, value) {
  const line = text.slice(value.start, value.start + QUOTED_CHARS_MAX);
  const match = CREDENTIAL.exec(line);
  if (match === null) return null;
  const [whole, secret] = match;
  const scheme = whole.length - secret.length;
  if (secret.startsWith(REDACTED)) return null;
  const basic = /^basic/i.test(whole);
  const chosen = /[0-9]/.test(secret) || basic && /[=A-Z]/.test(secret) && /[a-z]/.test(secret);
  if (!chosen || /[(${}]/.test(secret) || scheme === 0 && secret.length < 16) return null;
  const start = value.start + scheme;
  return { start, end: start + secret.length, kind: "authorization" };
}
var COOKIES = /(?=[A-Za-z0-9_.$-]{1,64}=[^\s;]{2})[^\r\n"'`\\]+/y;
function cookies(text, from) {
  let at = from;
  while (at < from + 4 && /["'`\\]/.test(text[at] ?? "")) at++;
  if (text.startsWith(REDACTED, at)) return null;
  COOKIES.lastIndex = at;
  if (!COOKIES.test(text) || /[(){}]|=>/.test(text.slice(at, COOKIES.lastIndex))) return null;
  return { start: at, end: COOKIES.lastIndex, kind: "cookie" };
}
var URL_CREDENTIALS = /([^\s/?#@:"'`<>[\]{}()$\\]{0,128}):([^\s"'`<>\\/]{1,256})@(?=[A-Za-z0-9[])/y;
function urlCredentials(text, from) {
  URL_CREDENTIALS.lastIndex = from;
  const match = URL_CREDENTIALS.exec(text);
  if (match === null || /^(?:\$|\{|%s|\*{2,}|\[redacted)/.test(match[2])) return null;
  return { start: from, end: URL_CREDENTIALS.lastIndex - 1, kind: "url-credentials" };
}
function range(value) {
  return { start: value.start, end: value.end };
}

// src/capture/redact/private-key.ts
var HEADER = /BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
var FOOTER = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
var KEY_CHARS_MAX2 = 32768;
var LINE_BREAK = /(?:\\+[nr]|[\s"'+,])+/y;
var DECORATION = /(?:\d{1,6}(?:→|[|:\t]))?[ \t>|+"'-]*/y;
var BASE64_RUN = /[A-Za-z0-9+/]+={0,2}/y;
var ARMOUR_FIELD = /(?:Proc-Type|DEK-Info|Version|Comment|Hash)\s*:[^\n\\]{0,200}/y;
function privateKeyAt(text, at) {
  if (!text.startsWith("-----", at - 5)) return null;
  HEADER.lastIndex = at;
  if (!HEADER.test(text)) return null;
  const body = HEADER.lastIndex;
  const start = at - 5;
  const end = footerEnd(text, body) ?? runEnd(text, body);
  return end === null ? null : { start, end, kind: "private-key" };
}
function footerEnd(text, body) {
  const window = text.slice(body, body + KEY_CHARS_MAX2);
  const dashes = window.search(/-----(?:END|BEGIN) /);
  if (dashes < 0) return null;
  FOOTER.lastIndex = body + dashes;
  if (!FOOTER.test(text)) return null;
  const between = window.slice(0, dashes);
  const onlyKey = /^(?:\\+[nr]|[\sA-Za-z0-9+/=])+$/.test(between) && /[A-Za-z0-9+/]{8}/.test(between);
  return onlyKey || /[A-Za-z0-9+/]{32}/.test(between) ? FOOTER.lastIndex : null;
}
function runEnd(text, body) {
  let end = null;
  let position = body;
  while (position < text.length && position - body < KEY_CHARS_MAX2) {
    const broken = skip(LINE_BREAK, text, position);
    const line = skip(DECORATION, text, broken);
    const field2 = skip(ARMOUR_FIELD, text, line);
    if (field2 > line) {
      position = field2;
      continue;
    }
    const after = skip(BASE64_RUN, text, line);
    const size = after - line;
    if (size === 0) break;
    if (size < 20 && !(end !== null && after === text.length)) break;
    end = after;
    position = after;
  }
  return end;
}
function skip(pattern, text, position) {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

// src/capture/redact/token-formats.ts
var WORD = /[A-Za-z0-9_]*/y;
var WORD_DASH = /[A-Za-z0-9_-]*/y;
var WORD_DASH_DOT = /[A-Za-z0-9_.-]*/y;
var ALNUM = /[A-Za-z0-9]*/y;
var BASE64 = /[A-Za-z0-9+/_=-]*/y;
var TOKEN_FORMATS = [
  {
    kind: "aws-access-key",
    anchors: ["AKIA", "ASIA", "ABIA", "ACCA"],
    shape: /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])(?:[\s,:;"']{1,4}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))?/y,
    rest: /(?:)/y
  },
  {
    kind: "github-token",
    anchors: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    shape: /gh[pousr]_[A-Za-z0-9]{2}[A-Za-z0-9_]{28}/y,
    rest: /[A-Za-z0-9_]*(?:\.[A-Za-z0-9_-]{8,}){0,2}/y,
    notAfter: "nothing"
  },
  {
    kind: "github-token",
    anchors: ["github_pat_"],
    shape: /github_pat_[A-Za-z0-9_]{22}/y,
    rest: WORD,
    notAfter: "nothing"
  },
  {
    kind: "gitlab-token",
    anchors: [
      ...["glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-"],
      ...["glagent-", "gloas-", "glsoat-", "glffct-"]
    ],
    shape: /gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_-]{18}/y,
    rest: /[A-Za-z0-9_-]*(?:\.[A-Za-z0-9]{2,}){0,2}/y,
    needs: "digit"
  },
  {
    kind: "anthropic-key",
    anchors: ["sk-ant-"],
    shape: /sk-ant-[A-Za-z0-9_-]{16}/y,
    rest: WORD_DASH,
    needs: "digit"
  },
  {
    kind: "openai-key",
    anchors: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sk-or-"],
    shape: /sk-(?:proj|svcacct|admin|None|or)-[A-Za-z0-9_-]{20}/y,
    rest: WORD_DASH,
    needs: "digit"
  },
  {
    kind: "openai-key",
    anchors: ["sk-"],
    shape: /sk-[A-Za-z0-9]{32}/y,
    rest: ALNUM,
    notAfter: "word",
    needs: "digit"
  },
  {
    kind: "openai-key",
    anchors: ["sk-"],
    shape: /sk-[A-Za-z0-9]{20}/y,
    rest: ALNUM,
    notAfter: "word",
    needs: "mixed"
  },
  { kind: "google-key", anchors: ["AIza"], shape: /AIza[A-Za-z0-9_-]{35}/y, rest: WORD_DASH },
  { kind: "google-key", anchors: ["GOCSPX-"], shape: /GOCSPX-[A-Za-z0-9_-]{20}/y, rest: WORD_DASH },
  { kind: "google-key", anchors: ["ya29."], shape: /ya29\.[A-Za-z0-9_-]{20}/y, rest: WORD_DASH_DOT },
  {
    kind: "slack-token",
    anchors: ["xox"],
    shape: /xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10}/y,
    rest: WORD_DASH,
    needs: "digit"
  },
  { kind: "slack-token", anchors: ["xapp-"], shape: /xapp-\d-[A-Za-z0-9-]{10}/y, rest: WORD_DASH },
  {
    kind: "slack-webhook",
    anchors: ["hooks.slack.com/"],
    shape: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{20}/y,
    rest: /[A-Za-z0-9/_-]*/y
  },
  {
    kind: "discord-webhook",
    anchors: ["discord.com/api/", "discordapp.com/api/"],
    shape: /(discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/)\d{10,24}\/[A-Za-z0-9_-]{30}/y,
    rest: WORD_DASH
  },
  {
    kind: "discord-token",
    anchors: ["MT", "MD", "Mz", "Mj", "NT", "ND", "Nj", "Nz", "OD", "OT"],
    shape: /[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27}/y,
    rest: WORD_DASH,
    notAfter: "word"
  },
  {
    kind: "stripe-key",
    anchors: ["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"],
    shape: /[rs]k_(?:live|test|prod)_[A-Za-z0-9]{16}/y,
    rest: ALNUM
  },
  {
    kind: "stripe-key",
    anchors: ["whsec_"],
    shape: /whsec_[A-Za-z0-9+/]{20}/y,
    rest: BASE64,
    needs: "mixed"
  },
  { kind: "npm-token", anchors: ["npm_"], shape: /npm_[A-Za-z0-9]{32}/y, rest: ALNUM },
  {
    kind: "pypi-token",
    anchors: ["pypi-"],
    shape: /pypi-[A-Za-z0-9_-]{32}/y,
    rest: WORD_DASH,
    needs: "mixed"
  },
  {
    kind: "sendgrid-key",
    anchors: ["SG."],
    shape: /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16}/y,
    rest: WORD_DASH,
    notAfter: "word"
  },
  {
    kind: "twilio-key",
    anchors: [..."0123456789abcdef"].flatMap((digit) => [`SK${digit}`, `AC${digit}`]),
    shape: /(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])/y,
    rest: /(?:)/y
  },
  { kind: "huggingface-token", anchors: ["hf_"], shape: /hf_[A-Za-z0-9]{30}/y, rest: ALNUM },
  {
    kind: "jwt",
    anchors: ["eyJ"],
    shape: /eyJ[A-Za-z0-9_-]{8,300}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/y,
    rest: /(?:\.[A-Za-z0-9_-]+)*/y,
    needs: "digit"
  },
  {
    kind: "jwt",
    anchors: ["eyJ"],
    shape: /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/y,
    rest: /(?:\.[A-Za-z0-9_-]+)*/y,
    notAfter: "word",
    needs: "digit"
  },
  { kind: "age-key", anchors: ["AGE-SECRET-KEY-1"], shape: /AGE-SECRET-KEY-1[A-Z0-9]{40}/y, rest: ALNUM },
  {
    kind: "azure-signature",
    anchors: ["sig="],
    shape: /(sig=)(?=[A-Za-z0-9+/%_-]{40})[A-Za-z0-9+/%_-]{40}/y,
    rest: /[A-Za-z0-9+/%=_-]*/y,
    needs: "mixed"
  },
  {
    kind: "bearer-token",
    anchors: ["Bearer ", "bearer ", "BEARER "],
    shape: /([Bb]earer +|BEARER +)[A-Za-z0-9._~+/-]{16}/y,
    rest: /[A-Za-z0-9._~+/=-]*/y,
    needs: "digit"
  },
  {
    kind: "digitalocean-token",
    anchors: ["dop_v1_", "doo_v1_", "dor_v1_"],
    shape: /do[opr]_v1_[a-f0-9]{64}/y,
    rest: ALNUM
  },
  { kind: "databricks-token", anchors: ["dapi"], shape: /dapi[a-f0-9]{32}/y, rest: /(?:-\d)?/y },
  {
    kind: "shopify-token",
    anchors: ["shpat_", "shpca_", "shppa_", "shpss_"],
    shape: /shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}/y,
    rest: ALNUM
  },
  { kind: "vault-token", anchors: ["hvs.", "hvb."], shape: /hv[sb]\.[A-Za-z0-9_-]{24}/y, rest: WORD_DASH },
  { kind: "docker-token", anchors: ["dckr_"], shape: /dckr_[a-z]{3}_[A-Za-z0-9_-]{20}/y, rest: WORD_DASH },
  { kind: "linear-key", anchors: ["lin_"], shape: /lin_(?:api|oauth)_[A-Za-z0-9]{32}/y, rest: ALNUM },
  { kind: "notion-token", anchors: ["ntn_"], shape: /ntn_[A-Za-z0-9]{40}/y, rest: ALNUM },
  { kind: "postman-key", anchors: ["PMAK-"], shape: /PMAK-[a-f0-9]{24}-[a-f0-9]{32}/y, rest: ALNUM },
  {
    kind: "grafana-token",
    anchors: ["glsa_", "glc_"],
    shape: /gl(?:sa|c)_[A-Za-z0-9+/_=]{32}/y,
    rest: BASE64
  },
  {
    kind: "supabase-token",
    anchors: ["sbp_", "sb_secret_"],
    shape: /sb(?:p_[a-f0-9]{40}|_secret_[A-Za-z0-9_-]{20})/y,
    rest: WORD_DASH
  },
  { kind: "groq-key", anchors: ["gsk_"], shape: /gsk_[A-Za-z0-9]{40}/y, rest: ALNUM },
  { kind: "xai-key", anchors: ["xai-"], shape: /xai-[A-Za-z0-9]{40}/y, rest: ALNUM },
  { kind: "perplexity-key", anchors: ["pplx-"], shape: /pplx-[A-Za-z0-9]{40}/y, rest: ALNUM },
  { kind: "replicate-token", anchors: ["r8_"], shape: /r8_[A-Za-z0-9]{36}/y, rest: ALNUM },
  {
    kind: "atlassian-token",
    anchors: ["ATATT3", "ATCTT3"],
    shape: /AT[AC]TT3[A-Za-z0-9_=-]{30}/y,
    rest: BASE64
  },
  { kind: "newrelic-key", anchors: ["NRAK-"], shape: /NRAK-[A-Z0-9]{27}/y, rest: ALNUM },
  {
    kind: "sentry-token",
    anchors: ["sntrys_", "sntryu_"],
    shape: /sntry[su]_[A-Za-z0-9+/=_-]{40}/y,
    rest: BASE64
  },
  {
    kind: "tailscale-key",
    anchors: ["tskey-"],
    shape: /tskey-[a-z]+-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16}/y,
    rest: ALNUM
  },
  {
    kind: "doppler-token",
    anchors: ["dp."],
    shape: /dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{32}/y,
    rest: WORD_DASH_DOT
  },
  { kind: "onepassword-token", anchors: ["ops_eyJ"], shape: /ops_eyJ[A-Za-z0-9_-]{40}/y, rest: BASE64 },
  { kind: "heroku-key", anchors: ["HRKU-"], shape: /HRKU-[A-Za-z0-9_-]{32}/y, rest: WORD_DASH },
  {
    kind: "fly-token",
    anchors: ["FlyV1 fm", "fm2_", "fo1_"],
    shape: /(?:FlyV1 )?f(?:m[12]|o1)_[A-Za-z0-9+/=_-]{40}/y,
    rest: BASE64
  }
];

// src/capture/redact/redact-text.ts
function redactText(text, onRedacted) {
  let result = redactOnce(text, onRedacted);
  if (result === text) return text;
  for (let pass = 1; pass < PASSES_MAX; pass++) {
    const again = redactOnce(result, onRedacted);
    if (again === result) break;
    result = again;
  }
  return result;
}
var PASSES_MAX = 8;
function redactOnce(text, onRedacted) {
  let result = "";
  let kept = 0;
  let index = 0;
  const last = text.length - 2;
  while (index <= last) {
    const group = groupAt(text, index);
    const secret = group === 0 ? null : secretAt(text, index, group);
    if (secret === null || secret.start < kept) {
      index++;
      continue;
    }
    result += `${text.slice(kept, secret.start)}[redacted:${secret.kind}]`;
    onRedacted?.(secret.kind);
    kept = secret.end;
    index = secret.end;
  }
  return kept === 0 ? text : result + text.slice(kept);
}
function groupAt(text, at) {
  return GROUP_OF_PAIR[(text.charCodeAt(at) & 127) << 7 | text.charCodeAt(at + 1) & 127];
}
function secretAt(text, at, group) {
  if (group === SEPARATOR) return secretAfterSeparator(text, at, tokenAt);
  const { formats, thirds, privateKey, flag } = GROUPS[group];
  if (thirds[text.charCodeAt(at + 2) & 127] === 0) return null;
  for (const start of formats) {
    const secret = tokenOfFormat(text, at, start);
    if (secret !== null) return secret;
  }
  if (privateKey) return privateKeyAt(text, at);
  return flag ? secretAfterFlag(text, at, tokenAt) : null;
}
function tokenAt(text, at) {
  const group = groupAt(text, at) ?? 0;
  if (group === 0 || group === SEPARATOR) return null;
  for (const start of GROUPS[group].formats) {
    const secret = tokenOfFormat(text, at, start);
    if (secret !== null) return secret;
  }
  return null;
}
function tokenOfFormat(text, at, start) {
  if (!text.startsWith(start.anchor, at)) return null;
  const { shape, rest, notAfter = "letter", needs, kind } = start.format;
  if (notAfter !== "nothing" && !standsFree(text, at, notAfter === "word")) return null;
  shape.lastIndex = at;
  const match = shape.exec(text);
  if (match === null) return null;
  const least = shape.lastIndex;
  const from = at + (match[1]?.length ?? 0);
  if (needs !== void 0 && !holds(text.slice(from, endOfRest(rest, text.slice(0, least + 200), least)), needs))
    return null;
  const end = endOfRest(rest, text, least);
  return { start: from, end, kind };
}
function endOfRest(rest, text, from) {
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : from;
}
function standsFree(text, at, word) {
  const before = text[at - 1];
  if (before === void 0) return true;
  if (!(word ? /[A-Za-z0-9_-]/ : /[A-Za-z0-9]/).test(before)) return true;
  return /[nrt]/.test(before) && text[at - 2] === "\\";
}
function holds(secret, needs) {
  if (!/[0-9]/.test(secret)) return false;
  return needs === "digit" || /[a-z]/.test(secret) && /[A-Z]/.test(secret);
}
var SEPARATOR = 1;
var GROUPS = [];
var GROUP_OF_PAIR = groupPairs();
function groupPairs() {
  const groups = new Uint8Array(128 * 128);
  const newGroup = () => ({
    formats: [],
    thirds: new Uint8Array(128),
    privateKey: false,
    flag: false
  });
  GROUPS.push(newGroup(), newGroup());
  const groupOf = (anchor) => {
    const pair = anchor.charCodeAt(0) << 7 | anchor.charCodeAt(1);
    if (groups[pair] === 0) {
      groups[pair] = GROUPS.length;
      GROUPS.push(newGroup());
    }
    const group = GROUPS[groups[pair]];
    if (anchor.length > 2) group.thirds[anchor.charCodeAt(2)] = 1;
    else group.thirds.fill(1);
    return group;
  };
  for (const format of TOKEN_FORMATS)
    for (const anchor of format.anchors) groupOf(anchor).formats.push({ anchor, format });
  groupOf("BEGIN").privateKey = true;
  for (const flag of FLAG_STARTS) groupOf(flag).flag = true;
  for (const separator of "=:")
    groups.fill(SEPARATOR, separator.charCodeAt(0) << 7, separator.charCodeAt(0) + 1 << 7);
  return groups;
}

// src/capture/redact/sanitize.ts
function sanitizeText(text, options) {
  const shown = withoutPictures(stripTags(text, options).text);
  return clip(redactText(shown, options.onRedacted), options.clipBytes);
}
function sanitizeValue(value, options) {
  return walk(value, options, 0);
}
var DEPTH_MAX = 100;
var TOO_DEEP = "[annals: nested too deep]";
function walk(value, options, depth) {
  if (typeof value === "string") return sanitizeText(value, options);
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) return null;
  if (depth >= DEPTH_MAX) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item) => walk(item, options, depth + 1));
  const picture = pictureNote(value);
  if (picture !== null) return picture;
  const entries = /* @__PURE__ */ new Map();
  for (const [key, item] of Object.entries(value)) {
    const name = freeName(entries, PLAIN_KEY.test(key) ? key : sanitizeText(key, options));
    entries.set(name, field(key, item, options, depth));
  }
  return Object.fromEntries(entries);
}
var PLAIN_KEY = /^\w{1,16}$/;
function freeName(entries, name) {
  if (!entries.has(name)) return name;
  let count = 2;
  while (entries.has(`${name} (${count})`)) count++;
  return `${name} (${count})`;
}
function field(key, value, options, depth) {
  const redacted = (kind) => {
    options.onRedacted?.(kind);
    return `[redacted:${kind}]`;
  };
  if (accountKey(key))
    return value === null || value === void 0 || value === "" ? null : redacted("account");
  if (typeof value !== "string" && typeof value !== "number") return walk(value, options, depth + 1);
  const family = familyOfKey(key);
  if (family === null || typeof value === "number" && family !== "password")
    return walk(value, options, depth + 1);
  const text = stripTags(String(value), options).text;
  if (text.startsWith("[redacted:")) return walk(text, options, depth + 1);
  if (family === "cookie" || family === "authorization") {
    const line = redactText(`${key}: ${text}`, options.onRedacted);
    return clip(
      line.startsWith(`${key}: `) ? line.slice(key.length + 2) : redacted(family),
      options.clipBytes
    );
  }
  const own = redactText(text);
  if (own !== text && /^\[redacted:[a-z-]+\]$/.test(own)) return walk(text, options, depth + 1);
  const around = { family, quoted: true, direct: true, shout: false, after: "", query: false };
  return looksChosen(text, around) ? redacted(family) : walk(value, options, depth + 1);
}
function pictureNote(value) {
  const holder = [value.source, value.file, value].find(isRecord);
  if (holder === void 0) return null;
  const data = [holder.data, holder.base64].find((item) => typeof item === "string");
  if (data === void 0 || data.length < 64 || !/^[A-Za-z0-9+/_-]{64}/.test(data)) return null;
  const mediaType = [
    holder.media_type,
    holder.mediaType,
    holder.mimeType,
    holder.mime_type,
    holder.type
  ].find((item) => typeof item === "string" && item.includes("/"));
  const encoded = holder.type === "base64" || holder.base64 !== void 0 || mediaType !== void 0;
  if (!encoded) return null;
  const type = value.type === "image" || String(mediaType).startsWith("image/") ? "image" : "data";
  return { type, mediaType: mediaType ?? null, bytes: bytesOfBase64(data) };
}
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
var EMBEDDED = /data:([a-z]+\/[\w.+-]{1,80});base64,([A-Za-z0-9+/]{256,}={0,2})/g;
function withoutPictures(text) {
  if (!text.includes(";base64,")) return text;
  return text.replace(
    EMBEDDED,
    (_, type, data) => `data:${type};[annals: ${bytesOfBase64(data)} bytes]`
  );
}
function bytesOfBase64(data) {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.floor(data.length * 3 / 4) - padding;
}

export {
  redactText,
  HOOK_CLIP_BYTES,
  TRANSCRIPT_CLIP_BYTES,
  isPrivatePrompt,
  isTaskNotification,
  sanitizeText,
  sanitizeValue
};
//# sourceMappingURL=chunk-JGLDXPJ5.js.map
