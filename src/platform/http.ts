// The one way out of this machine: a request to an address that a person set. It follows no redirect, reads no more
// than it was told to, and what goes wrong on the way is a value.

export interface PostRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Of the answer. */
  readonly bytesMax: number;
  readonly signal?: AbortSignal | undefined;
}

export type Posted =
  | {
      readonly outcome: 'answered';
      readonly status: number;
      header(name: string): string | null;
      /** null for a longer one than `bytesMax`. */
      readonly text: string | null;
    }
  | { readonly outcome: 'late' }
  /** `code` is the system's: ECONNREFUSED, ENOTFOUND, …; null where it has none. */
  | { readonly outcome: 'unreachable'; readonly code: string | null };

/** Rejects only with what aborted the signal. */
export async function post(url: string, request: PostRequest): Promise<Posted> {
  const { headers, body, timeoutMs, bytesMax, signal } = request;
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
    return {
      outcome: 'answered',
      status: response.status,
      header: (name) => response.headers.get(name),
      text: await textOf(response, bytesMax),
    };
  } catch (error) {
    signal?.throwIfAborted();
    return late.aborted ? { outcome: 'late' } : { outcome: 'unreachable', code: systemCode(error) };
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

function systemCode(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? code : null;
}
