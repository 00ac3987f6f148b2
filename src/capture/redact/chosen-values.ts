// Tells a chosen secret from code, types, placeholders and names that merely follow a word like `password`. `password =
// getPassword()` stays; `password = "hunter2"` is redacted.
import type { SecretFamily } from './key-names.ts';

export interface ValueSurroundings {
  readonly family: SecretFamily;
  readonly quoted: boolean;
  /** No white space around `=`, or a colon: data rather than an assignment in code. */
  readonly direct: boolean;
  /** `DB_PASSWORD=…`: an environment assignment. */
  readonly shout: boolean;
  /** The character after the value. */
  readonly after: string;
  /** A parameter of a URL's query. */
  readonly query: boolean;
  /** Alone on a line, as in YAML and properties: `password: swordfish`. */
  readonly ownLine: boolean;
  /** A field between semicolons or a flag: `UID=sa;PWD=swordfish`, `--password=swordfish`. */
  readonly connection: boolean;
}

/** Surroundings of a value that is certainly data: the text of a JSON field, the content of an element. */
export const AS_DATA = {
  ...{ quoted: true, direct: true, shout: false, after: '', query: false },
  ...{ ownLine: false, connection: false },
} as const;

/** Whether a value after a secret's name is a secret. */
export function looksChosen(value: string, around: ValueSurroundings): boolean {
  if (around.family !== 'password' && !/\d/.test(value)) return false;
  if (isPlaceholder(value) || looksLikePath(value) || looksLikeCode(value, around)) return false;
  if (around.family === 'password') return chosenPassword(value, around);
  return chosenToken(value, around) && (around.family !== 'key' || isRandom(value));
}

/** A placeholder for the secret: a type, a literal, a variable to be filled in, `your-token-here`. */
export function isPlaceholder(value: string): boolean {
  return NEVER.test(value) || TEMPLATE.test(value) || PLACEHOLDER.test(value);
}

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
  /^(?:string|text|str|bytes?|number|int|integer|boolean|bool|true|false|null|none|nil|undefined|unknown|any|object|void|never|optional|required|hidden|input|field|password|passwd|pwd|passphrase|secret|token|tokens|api[-_]?key|key|value|default|env|inherit|yes|no|on|off|basic|bearer|(?:current|new|old|confirm|one-time|forgot|reset|your|my)[-_ ]?(?:password|passwd|token|secret|code|api[-_]?key)|enter|redacted|removed|masked|missing|invalid|incorrect|wrong|empty|read|write|todo|id|float|json|n\/a)[!?]?$/i;
/** Filled in elsewhere: `${X}`, `{{x}}`, `<token>`, `%s`, `$VAR`, `@file`, references into a vault. */
const TEMPLATE =
  /^(?:\$|\{|<|%[sdv({]|@|#|\\|\*|\+|!|&|\(|--|env[.:(]|op:\/\/|vault:|secrets\.|process\.env|os\.(?:environ|getenv)|import\.meta|ENV\[)|\$\{|\{\{|<[a-z][\w -]*>|\.\.\.|…|process\.env|\*\*\*/i;
const PLACEHOLDER =
  /^(?:x{3,}|\.{2,}|-+|_+|•+|0+|your[-_ ].*|my[-_ ]?(?:api|secret|token|password)[-_ ]?\w*|example.*|replace[-_ ].*|insert[-_ ].*|REDACTED.*|.*[-_]here)$/i;

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
    return /\s/.test(value) || /^[a-z]+(?:\.[a-zA-Z]+)+$/.test(value) || /\$\(|=>/.test(value);
  if (/[(){}[\]]/.test(value) && !around.shout) return true;
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
export function chosenToken(value: string, around: Pick<ValueSurroundings, 'quoted' | 'direct'>): boolean {
  if (value.length < 8 || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (isConstantName(value) || isNumberedName(value) || /^[\d.,:_-]+[a-z]{0,3}$/i.test(value)) return false;
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
