// A service with `POST <url>/embeddings`, as OpenAI, Ollama, LM Studio and Voyage provide it. The service may be down,
// slow or busy, refuse the key, or answer with something else. Each case becomes one error that names it. No error quotes
// the service, because its answer might contain the key or the text.
import { AnnalsError, parseJson } from '../../../log/index.ts';
import { isHeaderKey, type Posted, post, retryAfterMs } from '../../platform/http.ts';
import { type Model, type ModelAnswer, type ModelUse, unitVector } from './model.ts';

export interface RemoteOptions {
  /** Up to and including `/v1`. */
  readonly url: string;
  readonly model: string;
  /** null if no key is needed. Read at each request and never stored. */
  key(): string | null;
  /** Name of the variable that holds the key, for messages. */
  readonly keyVariable: string | null;
  readonly inputTypes: boolean;
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** How long one answer may take, ms. Default 60,000 for documents and 2,000 for a query. */
  readonly timeoutMs?: Readonly<Record<ModelUse, number>>;
}

/** A model on a processor needs a second per text; a search must not wait that long. */
const TIMEOUT_MS: Readonly<Record<ModelUse, number>> = { document: 60_000, query: 2_000 };
/** Attempts per request for documents; a query gets one. */
const TRIES = 5;
const FIRST_WAIT_MS = 500;
/** If a service asks for a longer pause, the run ends. */
const LONGEST_WAIT_MS = 60_000;
/** Far below the limits of the services (OpenAI: 2,048 texts and 300,000 tokens), and little is lost if an attempt fails. */
const BATCH = { texts: 64, chars: 200_000 };
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

export function openRemote(options: RemoteOptions): Model {
  const url = options.url.replace(/\/+$/, '');
  const host = new URL(url).host;
  return {
    name: `${options.model} at ${host}`,
    base: `remote ${options.model} ${url}`,
    batch: BATCH,
    embed: (texts, use, signal) => {
      const { keyVariable } = options;
      const key = options.key();
      if (keyVariable !== null && (key === null || !isHeaderKey(key)))
        throw new AnnalsError(
          'EMBEDDER_MISSING',
          `The variable ${keyVariable} holds ${key === null ? 'no key' : 'something that is no key'} for ${host}.`,
          { hint: `Set ${keyVariable} in the environment in which annals runs.`, facts: { host } },
        );
      return withRetries({ ...options, url }, texts, use, signal);
    },
    close: async () => {},
  };
}

/** The result of one request. */
type Outcome =
  | { readonly kind: 'answer'; readonly answer: ModelAnswer }
  /** May succeed later; `afterMs` is the pause that the service asks for. */
  | { readonly kind: 'again'; readonly why: string; readonly afterMs: number | null }
  /** The service refuses these texts together; it may accept fewer. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string; readonly hint?: string };

async function withRetries(
  options: RemoteOptions,
  texts: readonly string[],
  use: ModelUse,
  signal: AbortSignal | undefined,
): Promise<ModelAnswer> {
  const tries = use === 'query' ? 1 : TRIES;
  for (let attempt = 1, pause = FIRST_WAIT_MS; ; attempt += 1, pause *= 2) {
    signal?.throwIfAborted();
    const outcome = await request(options, texts, use, signal);
    if (outcome.kind === 'answer') return outcome.answer;
    const { host } = new URL(options.url);
    const tooLong = outcome.kind === 'again' && (outcome.afterMs ?? 0) > LONGEST_WAIT_MS;
    if (outcome.kind !== 'again' || attempt === tries || tooLong)
      throw new AnnalsError('EMBEDDER_FAILED', `${host} gave no vectors: ${outcome.why}.`, {
        facts: { host, refused: outcome.kind === 'refused' },
        ...('hint' in outcome && outcome.hint !== undefined ? { hint: outcome.hint } : {}),
      });
    await options.wait(Math.max(outcome.afterMs ?? 0, Math.min(pause, LONGEST_WAIT_MS)), signal);
  }
}

async function request(
  { url, model, key, keyVariable, inputTypes, timeoutMs = TIMEOUT_MS }: RemoteOptions,
  texts: readonly string[],
  use: ModelUse,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const secret = key();
  const posted = await post(`${url}/embeddings`, {
    headers: {
      'content-type': 'application/json',
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
    },
    body: JSON.stringify({ model, input: texts, ...(inputTypes ? { input_type: use } : {}) }),
    timeoutMs: timeoutMs[use],
    bytesMax: ANSWER_BYTES_MAX,
    signal,
  });
  if (posted.outcome === 'late')
    return { kind: 'again', why: `no answer within ${timeoutMs[use] / 1_000} s`, afterMs: null };
  if (posted.outcome === 'unreachable')
    return { kind: 'again', why: `it cannot be reached (${posted.code ?? 'no connection'})`, afterMs: null };
  const isAnswer = posted.status >= 200 && posted.status < 300;
  return isAnswer ? read(posted.text, texts.length) : refusal(posted, keyVariable);
}

function refusal(
  { status, header }: Extract<Posted, { outcome: 'answered' }>,
  keyVariable: string | null,
): Outcome {
  const why = `it answered with status ${status}`;
  if (status === 401 || status === 403) {
    const hint =
      keyVariable === null
        ? 'It may need a key: annals config set embedder.keyVariable <name of the variable that holds it>.'
        : `Check whether ${keyVariable} holds the right key.`;
    return { kind: 'failed', why: `${why}, it does not accept the key`, hint };
  }
  if (status >= 300 && status < 400)
    return {
      kind: 'failed',
      why: `${why}, a redirect, which is not followed`,
      hint: 'Check whether embedder.url is the address to which it leads.',
    };
  if (status === 404)
    return {
      kind: 'failed',
      why,
      hint: 'Check whether embedder.url ends in /v1 and embedder.model exists there.',
    };
  if (status === 429 || status === 408 || status >= 500)
    return { kind: 'again', why, afterMs: retryAfterMs(header) };
  return { kind: status === 400 || status === 413 || status === 422 ? 'refused' : 'failed', why };
}

/** Each number of a vector counts as a value. */
const ANSWER_LIMITS = { depthMax: 20, valuesMax: 5_000_000 };

function read(text: string | null, count: number): Outcome {
  const wrong = (why: string): Outcome => ({ kind: 'failed', why });
  if (text === null) return wrong('its answer is too long');
  const parsed = parseJson(text, ANSWER_LIMITS);
  if ('problem' in parsed) return wrong(`its answer is ${parsed.problem}`);
  const answer = parsed.value as {
    readonly data?: unknown;
    readonly usage?: { readonly total_tokens?: unknown };
  } | null;
  const data = answer?.data;
  if (!Array.isArray(data)) return wrong('its answer has no list of vectors');
  if (data.length !== count)
    return wrong(`it did not give one vector for each text: ${data.length} for ${count}`);
  const vectors: Float32Array[] = [];
  for (const [position, one] of (data as { index?: unknown; embedding?: unknown }[]).entries()) {
    const vector = unitVector(one?.embedding);
    if (vector === null) return wrong('one of its vectors has no numbers, or only zeros');
    const index = one.index ?? position;
    if (typeof index !== 'number' || vectors[index] !== undefined || !(index >= 0 && index < count))
      return wrong('it does not say which vector belongs to which text');
    vectors[index] = vector;
  }
  if (vectors.some(({ length }) => length !== vectors[0]!.length))
    return wrong('its vectors do not all have the same length');
  const tokens = answer?.usage?.total_tokens;
  return {
    kind: 'answer',
    answer: { vectors, tokens: Number.isSafeInteger(tokens) ? (tokens as number) : null },
  };
}
