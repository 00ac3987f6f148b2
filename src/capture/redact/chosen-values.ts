// Tells a chosen secret from code, types, placeholders and names that merely follow a word like `password`. `password =
// getPassword()` stays; `password = "hunter2"` is redacted.
import type { SecretFamily } from './key-names.ts';

export interface ValueSurroundings {
  readonly family: SecretFamily;
  /** The name before it, empty when there is none. */
  readonly key: string;
  readonly quoted: boolean;
  /** No white space around `=`, or a colon: data rather than an assignment in code. */
  readonly direct: boolean;
  /** `DB_PASSWORD=…`: an environment assignment. */
  readonly shout: boolean;
  /** The key is in quotes and so is the value: `"clientSecret": "…"`. */
  readonly field: boolean;
  /** The character after the value. */
  readonly after: string;
  /** Between a colon and a semicolon, without quotes: `password: LongText256;` may declare a type. */
  readonly declared: boolean;
  /** A parameter of a URL's query. */
  readonly query: boolean;
  /** Alone on a line, as in YAML and properties: `password: swordfish`. */
  readonly ownLine: boolean;
  /** A field between semicolons or a flag: `UID=sa;PWD=swordfish`, `--password=swordfish`. */
  readonly connection: boolean;
}

/** Surroundings of a value that is certainly data: the text of a JSON field, the content of an element. */
export const AS_DATA = {
  ...{ key: '', quoted: true, direct: true, shout: false, field: true, after: '' },
  ...{ declared: false, query: false, ownLine: false, connection: false },
} as const;

/** Whether a value after a secret's name is a secret. */
export function looksChosen(value: string, around: ValueSurroundings): boolean {
  if (around.family !== 'password' && !/\d/.test(value)) return false;
  if (isPlaceholder(value) || repeatsKey(value, around.key)) return false;
  if (DRAWING_PASS.test(around.key) && /^[a-z]+$/.test(value)) return false;
  if (looksLikePath(value) || looksLikeCode(value, around)) return false;
  if (around.family === 'password') return chosenPassword(value, around);
  if (EXAMPLE.test(value)) return false;
  return chosenToken(value, around) && (around.family !== 'key' || isRandom(value));
}

/** A placeholder for the secret: a type, a literal, a variable to be filled in, `your-token-here`. */
export function isPlaceholder(value: string): boolean {
  return NEVER.test(value) || NAME.test(value) || TEMPLATE.test(value) || PLACEHOLDER.test(value);
}

/**
 * `"newPassword": "my_newPassword"`, `newPassword: this.newPassword`: the name again, after words at most. `newPassword: "NewPassword"`,
 * `apiKey=defaultApiKey$1`: the name with a capital. A name of one word does not count, because `password=the_password` may be somebody's.
 */
export function repeatsKey(value: string, key: string): boolean {
  const name = key.slice(key.lastIndexOf('.') + 1);
  if (!/[a-z\d][A-Z]|[A-Za-z\d][_-][A-Za-z]/.test(name)) return false;
  if (value.endsWith(name)) return WORDS_BEFORE.test(value.slice(0, value.length - name.length));
  return value.replace(OF_A_BUNDLER, '') === name[0]!.toUpperCase() + name.slice(1);
}

const WORDS_BEFORE = /^(?:[A-Za-z]{1,40}\d?(?:[_$.]|\?\.)){0,12}$/;
const OF_A_BUNDLER = /^default(?=[A-Z])|\$\d{1,3}$/g;

/** Of a renderer: `renderPass = "opaque"`. */
const DRAWING_PASS = /(?:render|opaque|translucent)Pass$/;

/** How AWS marks the keys of its documentation. */
const EXAMPLE = /EXAMPLE(?:KEY|TOKEN)?=*$/;

/** At least 20 characters of letters and digits that do not form words. */
function isRandom(value: string): boolean {
  if (
    value.length < 20 ||
    UUID.test(value) ||
    !/^[\w+/.:~-]+={0,2}$/.test(value) ||
    /^[a-z]+[-_.][a-z]+[-_.]/i.test(value)
  )
    return false;
  return isMixed(value) || /\d.*\d.*\d/.test(value);
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Types, literals and words that name a secret. */
const NEVER =
  /^(?:string|text|str|bytes?|u?int(?:8|16|32)array|number|int|integer|boolean|bool|true|false|null|none|nil|undefined|unknown|any|object|void|never|optional|required|hidden|input|field|pass|password|passwd|pwd|passphrase|secret|token|tokens|api[-_]?key|key|value|default|env|inherit|yes|no|on|off|basic|bearer|(?:current|new|old|confirm|one-time|forgot|reset|your|my)[-_ ]?(?:password|passwd|token|secret|code|api[-_]?key)|enter|redacted|removed|masked|missing|invalid|incorrect|wrong|empty|read|write|todo|id|float|json|n\/a)[!?]?$/i;
/** The names of an error and of a field; `[new_password]`, `[type=password]`. */
const NAME =
  /^(?:auth\/)?(?:wrong|weak|missing|invalid|incorrect|expired|user)[-_]password$|^\[[a-z]+(?:[-_=][a-z]+)*\]$/i;
/** Filled in elsewhere: `${X}`, `{{x}}`, `<token>`, `%s`, `$VAR`, `@file`, references into a vault. */
const TEMPLATE =
  /^(?:\$|\{|<|%[sdv({]|@|#|\\|\*|\+|!|&|\(|--|env[.:(]|op:\/\/|vault:|secrets\.|process\.env|os\.(?:environ|getenv)|import\.meta|ENV\[)|\$\{|\{\{|<[a-z][\w -]*>|\.\.\.|…|process\.env|\*\*\*/i;
const PLACEHOLDER =
  /^(?:x{3,}|\.{2,}|-+|_+|•+|0+|your[-_ ].*|my[-_ ]?(?:api|secret|token|password|passcode)[-_ ]?\w*|example.*|placeholder.*|replace[-_ ].*|insert[-_ ].*|REDACTED.*|.*[-_]here)$/i;

/** A path or an address, also of a secret in a vault. */
function looksLikePath(value: string): boolean {
  if (/^(?:arn:|projects\/|sm:\/\/)/.test(value)) return true;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return true;
  if (!/^(?:[~.]{0,2}\/[A-Za-z._]|[A-Za-z]:[\\/])/.test(value)) return false;
  return !/[+=]/.test(value) && value.split(/[\\/]/).every((part) => part.length <= 30);
}

function looksLikeCode(value: string, around: ValueSurroundings): boolean {
  if (around.quoted && around.shout && around.family === 'password' && !/pass/i.test(value)) return false;
  if (around.quoted)
    return (
      /\s/.test(value) ||
      /^[a-z]+(?:\.[a-zA-Z]+)+$/.test(value) ||
      /\$\(|=>|[=!]==/.test(value) ||
      (around.family !== 'password' &&
        ((STRING_END.test(value) && !around.field) || POSITIONS.test(value) || DOCUMENT_PATH.test(value)))
    );
  if (/[(){}[\]]|[=!]==|=!\d/.test(value) && !around.shout) return true;
  if (around.declared && (around.family === 'password' ? LONG_TYPE : TYPE).test(value)) return true;
  // `a[i].password=value}`: a member of an expression, as minified code sets it.
  if (around.key.startsWith('.') && /^[})\];,]/.test(around.after) && /^[A-Za-z_$][\w$]*$/.test(value))
    return true;
  if (/^[([]/.test(around.after) || /^0x[0-9a-f]{1,16}$/i.test(value)) return true;
  // A type of GraphQL: `PhoneNumber!`.
  if (/^[A-Z][a-z]+(?:[A-Z][a-z]+)+!$/.test(value) && !around.shout) return true;
  // A member, a constant, a call: `user.password`, `config.API_KEY2`, `tokens[i]`, `this.#token`.
  return (
    /^[A-Za-z_$][\w$]*(?:\??\.#?[A-Za-z_$][\w$]*)+[;,]?$/.test(value) &&
    !around.shout &&
    value.length < 40 &&
    !value.split('.').some(isMixed)
  );
}

/** `"…?api_key="],size:256,id:"…"`: the quote before it closed a string. */
const STRING_END = /^[\])},;]+[A-Za-z]+:[\d[{]/;
/** `keyword.$0`, `string.$S2.delim`: what a rule matched is filled in. */
const POSITIONS = /^[a-z]+(?:[.-][a-z]+)*[.-]\$[A-Z]?\d[a-z]?(?:\.[a-z]+)*$/;
/** `Shards[-1].ShardId`. */
const DOCUMENT_PATH = /^(?=.*\[)[A-Za-z]+(?:\[-?\d*\])?(?:\.[A-Za-z]+(?:\[-?\d*\])?)+$/;
/** `SensitiveString2048`. A password of two words and a number is common. */
const TYPE = /^(?:[A-Z][a-z]{2,}){2,}\d{1,4}$/;
const LONG_TYPE = /^(?:[A-Z][a-z]{2,}){3,}\d{1,4}$/;

/** At least 16 characters with capitals, small letters and digits: not a member's name (`s.K3hd…`, a Vault token). */
function isMixed(part: string): boolean {
  return part.length >= 16 && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part);
}

function chosenPassword(value: string, around: ValueSurroundings): boolean {
  if (around.quoted) return value.length >= 4 && !isConstantName(value);
  if (around.connection) return value.length >= 2;
  if (value.length < 4) return false;
  if (around.ownLine && /^[a-z0-9]/.test(value)) return !/^\d{1,5}$/.test(value);
  if (around.shout || around.query) return !isConstantName(value);
  if (!around.direct) return value.length >= 6 && /\d/.test(value) && !/^\d+$/.test(value);
  if (/^\d+$/.test(value)) return value.length >= 6;
  return value.length >= 6 && (/\d/.test(value) || /[!@#$%^*~]/.test(value));
}

/** Whether letters and digits form a token and not a word with a number. */
export function chosenToken(
  value: string,
  around: Pick<ValueSurroundings, 'quoted' | 'direct' | 'shout' | 'field'>,
): boolean {
  if (value.length < 8 || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (isConstantName(value) || /^[\d.,:_-]+[a-z]{0,3}$/i.test(value)) return false;
  // Code names its variables so. An environment assignment and a field in quotes hold data: only a reference stays.
  if (isNumberedName(value) && (/[.:]/.test(value) || !(around.shout || around.field))) return false;
  if (!around.quoted && !around.direct) return value.length >= 16;
  return true;
}

/** `GITHUB_TOKEN`, `API_KEY_2`: the name of an environment variable. */
function isConstantName(value: string): boolean {
  return /^[A-Z][A-Z]*(?:_[A-Z0-9]+)+$/.test(value);
}

/** `test-token-1`, `step2`, `tokenV2`: words with a small number. */
function isNumberedName(value: string): boolean {
  return (
    value.length <= 32 && /^[A-Za-z]+(?:[-_.:][A-Za-z]+)*[-_.:]?\d{1,3}(?:[-_.:][A-Za-z]+)*$/.test(value)
  );
}
