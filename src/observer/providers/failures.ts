// From what a service answered to a failure class. A body is looked at, but never repeated: it may hold the request or the
// key.
import { type FailureClass, ProviderFailure } from './provider.ts';

export interface Refusal {
  readonly status: number;
  /** As text. */
  readonly body: string;
  readonly retryAfterMs: number | null;
  readonly place: string;
  readonly model: string;
}

/** Services put their reason first; what follows may be a copy of the request. */
const REASON_CHARS = 2_000;
const NO_CREDIT =
  /billing_error|credit balance|insufficient[_ ](?:credits?|quota|balance|funds)|quota[_ ](?:exceeded|exhausted)|exceeded your (?:current )?quota|(?<!not your )usage limits?\b|spend(?:ing)?[_ ]limit/i;
const NO_CREDIT_AT_ALL = /insufficient[_ ](?:credits?|quota|balance|funds)|credit balance|billing_error/i;
const BAD_KEY = /api[_ -]?key[_ ](?:not valid|invalid)|invalid[_ ]api[_ -]?key/i;
const NO_SUCH_MODEL =
  /\bmodel\b[^.]{0,200}?\b(?:not (?:a )?(?:valid|found|exist)|does not exist|is not supported)|not a valid model|invalid model|unknown model|model_not_found/i;
/** The service may have worked on the request before it gave up. */
const MAY_COST: ReadonlySet<number> = new Set([408, 500, 502, 504, 524]);
/** The address leads to something else: nothing works until it is changed. */
const WRONG_ADDRESS: ReadonlySet<number> = new Set([404, 405, 410]);

export function failureOf({ status, body, retryAfterMs, place, model }: Refusal): ProviderFailure {
  const kind = classOf(status, body.slice(0, REASON_CHARS), retryAfterMs !== null);
  const mayCost = MAY_COST.has(status);
  return new ProviderFailure(kind, sentenceOf(kind, { status, place, model }), { retryAfterMs, mayCost });
}

function classOf(status: number, reason: string, saysWhen: boolean): FailureClass {
  if (status === 402) return 'quota';
  if (status === 429) {
    // A limit per minute is also called a quota, but then the service says when to come back.
    return (saysWhen ? NO_CREDIT_AT_ALL : NO_CREDIT).test(reason) ? 'quota' : 'rate-limit';
  }
  if ((status === 400 || status === 403) && NO_CREDIT.test(reason)) return 'quota';
  if (status === 401 || status === 403) return 'auth';
  if (WRONG_ADDRESS.has(status) || (status >= 300 && status < 400)) return 'auth';
  if (status === 400 && (BAD_KEY.test(reason) || NO_SUCH_MODEL.test(reason))) return 'auth';
  if (status === 408 || status === 409 || status === 425 || status >= 500) return 'transient';
  return 'unrecoverable';
}

function sentenceOf(kind: FailureClass, { status, place, model }: Omit<Refusal, 'body' | 'retryAfterMs'>) {
  const answered = `(status ${status})`;
  if (kind === 'quota') return `${place} says that no credit or quota is left ${answered}.`;
  if (kind === 'rate-limit') return `${place} gets too many requests ${answered}.`;
  if (kind === 'transient') return `${place} has a problem at the moment ${answered}.`;
  if (kind === 'unrecoverable') return `${place} refuses this request ${answered}.`;
  if (status === 401 || status === 403) return `${place} does not accept the key ${answered}.`;
  return `${place} does not know the address, the key or the model ${model} ${answered}; nothing works until the settings are changed.`;
}

export function lateFailure(place: string, limitMs: number): ProviderFailure {
  return new ProviderFailure('transient', `${place} gave no answer within ${limitMs / 1_000} s.`, {
    mayCost: true,
  });
}

/** Errors before a request could leave. */
const NOT_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT|.*CERT.*)$/;

/** @param code the system's: ECONNREFUSED, …; null when there is none */
export function connectionFailure(place: string, code: string | null): ProviderFailure {
  const mayCost = code === null || !NOT_SENT.test(code);
  const why = code ?? 'no connection';
  const message = mayCost
    ? `The connection to ${place} ended before the answer (${why}).`
    : `${place} cannot be reached (${why}).`;
  return new ProviderFailure('transient', message, { mayCost });
}

export function unreadableFailure(place: string): ProviderFailure {
  return new ProviderFailure('transient', `${place} answered with something that is no reply of a model.`, {
    mayCost: true,
  });
}

export function closedFailure(): ProviderFailure {
  return new ProviderFailure('transient', 'The observer was closed.', { mayCost: true });
}

/** A whole message of a program or a gateway; a reply of a model that mentions such an error is longer. */
const MESSAGE_CHARS = 500;
const RESULT = /<(?:observation|summary|skip_summary|answer|no_answer)\b|^\s*\{/i;
const NO_QUOTA_MESSAGE =
  /usage limit (?:has been )?reached|hit your (?:\w+ ){0,2}limit|quota\b.{0,60}\bexhausted|quota exceeded|credit balance is too low|insufficient (?:credits|quota)/is;
const OTHER_LIMIT = /context window|no observations/i;
const LOGIN_MESSAGE =
  /failed to authenticate|authentication (?:failed|failure)|authentication required.*\/login|\b40[13] (?:unauthorized|forbidden)\b|\bstatus(?: code)?:? ?40[13]\b|request failed with (?:status code )?40[13]\b|run \/login to authenticate|please run \/login|invalid api key|not logged in/is;

/** Whether a text that came as a reply is really a message about the account. Null for replies, and for other prose. */
export function accountProblemIn(text: string): 'auth' | 'quota' | null {
  if (text.length > MESSAGE_CHARS || RESULT.test(text)) return null;
  if (NO_QUOTA_MESSAGE.test(text) && !OTHER_LIMIT.test(text)) return 'quota';
  return LOGIN_MESSAGE.test(text) ? 'auth' : null;
}

/** For a message about the account. */
export function accountFailure(kind: 'auth' | 'quota', place: string): ProviderFailure {
  const why = kind === 'quota' ? 'that a limit of the account is reached' : 'that it needs a login';
  return new ProviderFailure(kind, `${place} says ${why}.`);
}
