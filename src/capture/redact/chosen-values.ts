// Tells a value that somebody chose as a secret from code, types, placeholders and names that merely stand
// after a word like `password`. `password = getPassword()` stays; `password = "hunter2"` goes.
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
}

/** Whether a value after a secret's name is a secret. */
export function looksChosen(value: string, around: ValueSurroundings): boolean {
  if (around.family !== 'password' && !/\d/.test(value)) return false;
  if (NEVER.test(value) || TEMPLATE.test(value) || PLACEHOLDER.test(value)) return false;
  if (looksLikePlace(value) || looksLikeCode(value, around)) return false;
  return around.family === 'password' ? chosenPassword(value, around) : chosenToken(value, around);
}

/** Types, literals and words that stand for the thing itself. */
const NEVER =
  /^(?:string|text|str|bytes?|number|int|integer|boolean|bool|true|false|null|none|nil|undefined|unknown|any|object|void|never|optional|required|hidden|input|field|password|passwd|pwd|passphrase|secret|token|tokens|api[-_]?key|key|value|default|env|inherit|yes|no|on|off|basic|bearer|(?:current|new|old|confirm|one-time|forgot|reset|your|my)[-_ ]?(?:password|passwd|token|secret|code|api[-_]?key)|enter|redacted|removed|masked|missing|invalid|incorrect|wrong|empty|read|write|todo|n\/a)$/i;
/** Filled in elsewhere: `${X}`, `{{x}}`, `<token>`, `%s`, `$VAR`, `@file`, references into a vault. */
const TEMPLATE =
  /^(?:\$|\{|<|%[sdv({]|@|#|\\|\*|\+|!|&|\(|--|env[.:(]|op:\/\/|vault:|secrets\.|process\.env|os\.(?:environ|getenv)|import\.meta|ENV\[)|\$\{|\{\{|<[a-z][\w -]*>|\.\.\.|…|process\.env|\*\*\*/i;
const PLACEHOLDER =
  /^(?:x{3,}|\.{2,}|-+|_+|•+|0+|your[-_ ].*|my[-_ ]?(?:api|secret|token|password)[-_ ]?\w*|example.*|replace[-_ ].*|insert[-_ ].*|REDACTED.*|.*[-_]here)$/i;

/** A path or an address. */
function looksLikePlace(value: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return true;
  if (!/^(?:[~.]{0,2}\/[A-Za-z._]|[A-Za-z]:[\\/])/.test(value)) return false;
  return !/[+=]/.test(value) && value.split(/[\\/]/).every((part) => part.length <= 30);
}

function looksLikeCode(value: string, around: ValueSurroundings): boolean {
  if (around.quoted)
    return /\s/.test(value) || /^[a-z]+(?:\.[a-zA-Z]+)+$/.test(value) || /\$\(|=>/.test(value);
  if (/[(){}[\]]/.test(value) && !around.shout) return true;
  if (/^[([]/.test(around.after)) return true;
  // A member, a constant, a call: `user.password`, `config.API_KEY2`, `tokens[i]`, `this.#token`.
  return (
    /^[A-Za-z_$][\w$]*(?:\??\.#?[A-Za-z_$][\w$]*)+[;,]?$/.test(value) && !around.shout && value.length < 40
  );
}

function chosenPassword(value: string, around: ValueSurroundings): boolean {
  if (around.quoted) return value.length >= 4 && !isConstantName(value);
  if (value.length < 4) return false;
  if (around.shout || around.query) return !isConstantName(value);
  if (!around.direct) return value.length >= 6 && /\d/.test(value) && !/^\d+$/.test(value);
  if (/^\d+$/.test(value)) return value.length >= 6;
  return value.length >= 6 && (/\d/.test(value) || /[!@#$%^*~]/.test(value));
}

function chosenToken(value: string, around: ValueSurroundings): boolean {
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
