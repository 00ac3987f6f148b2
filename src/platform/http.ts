// The only way out of this machine: a request to an address that a person configured. It follows no redirect, which is an
// answer like any other, reads a limited number of bytes, and returns failures as values.

export interface PostRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Limit for the answer's body. */
  readonly bytesMax: number;
  readonly signal?: AbortSignal | undefined;
}

export type Posted =
  | {
      readonly outcome: 'answered';
      readonly status: number;
      header(name: string): string | null;
      /** Null when it is longer than `bytesMax`. */
      readonly text: string | null;
    }
  | { readonly outcome: 'late' }
  /** `code` is the system's: ECONNREFUSED, ENOTFOUND, …; null when there is none. */
  | { readonly outcome: 'unreachable'; readonly code: string | null };

/** Rejects only with the signal's abort reason. */
export async function post(url: string, request: PostRequest): Promise<Posted> {
  const { headers, body, timeoutMs, bytesMax, signal } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return {
      outcome: 'answered',
      status: response.status,
      header: (name) => response.headers.get(name),
      text: await textOf(response, bytesMax),
    };
  } catch (error) {
    signal?.throwIfAborted();
    return timeout.aborted ? { outcome: 'late' } : { outcome: 'unreachable', code: systemCode(error) };
  }
}

async function textOf(response: Response, bytesMax: number): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += (part as Uint8Array).length;
    if (bytes > bytesMax) return null;
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts).toString('utf8');
}

export class AnswerTooLong extends Error {}

/** `fetch` for programs that read answers themselves. Reading more than `bytesMax` of one fails with AnswerTooLong. */
export function fetchUpTo(bytesMax: number): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (answer.body === null) return answer;
    let bytes = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        bytes += part.length;
        if (bytes > bytesMax) controller.error(new AnswerTooLong());
        else controller.enqueue(part);
      },
    });
    return new Response(answer.body.pipeThrough(limit), answer);
  };
}

/** @param host with or without a port, as in a `URL` */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(host);
}

/** How long the service asks to wait: milliseconds, seconds, or a date, which is compared with the service's own clock. */
export function retryAfterMs(header: (name: string) => string | null): number | null {
  const [ms, after] = [header('retry-after-ms')?.trim(), header('retry-after')?.trim()];
  if (ms) return waitMs(Number(ms)) ?? waitMs(Number(after || Number.NaN) * 1_000);
  if (!after) return null;
  const isDate = Number.isNaN(Number(after));
  return waitMs(isDate ? Date.parse(after) - Date.parse(header('date') ?? '') : Number(after) * 1_000);
}

function waitMs(ms: number): number | null {
  return Number.isFinite(ms) && ms >= 0 ? Math.ceil(ms) : null;
}

/** Whether a header can carry it: `fetch` refuses other characters, and its error would repeat the key. */
export function isHeaderKey(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** The system's code of a failed `fetch`; null when it has none. */
export function systemCode(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? code : null;
}
