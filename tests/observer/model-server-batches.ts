// Message batches of the scripted model service: in progress until they are finished, results in any order.
import type { ModelBody, ModelRequestSeen } from './model-server-types.ts';

interface Batch {
  readonly id: string;
  readonly requests: readonly { readonly custom_id: string; readonly params: ModelBody }[];
  status: 'in_progress' | 'canceling' | 'ended';
  /** What became of all requests; null: each was answered, or failed by itself. */
  fate: 'canceled' | 'expired' | 'archived' | null;
  /** Made at the first reading. */
  results: string | null;
}

const PATH = /\/v1\/messages\/batches(?:\/([^/]+)(\/results|\/cancel)?)?$/;
const NOT_FOUND = { type: 'error', error: { type: 'not_found_error', message: 'No such batch' } };

export class Batches {
  readonly #all = new Map<string, Batch>();

  handles(path: string): boolean {
    return PATH.test(path);
  }

  /** @param how expired: after a day without answers; archived: its results are kept no longer; gone: of another account */
  end(how: 'finished' | 'expired' | 'archived' | 'gone'): void {
    for (const batch of this.#all.values()) {
      batch.status = 'ended';
      if (how === 'expired' || how === 'archived') batch.fate = how;
    }
    if (how === 'gone') this.#all.clear();
  }

  /** @param resultOf asks the scripted model */
  answer(
    { method, path, body }: ModelRequestSeen,
    url: string,
    resultOf: (params: ModelBody) => object | null,
  ): { readonly status: number; readonly text: string } {
    const [, id, part] = PATH.exec(path)!;
    const batch = id === undefined && method === 'POST' ? this.#create(body) : this.#all.get(id ?? '');
    if (batch === undefined) return { status: 404, text: JSON.stringify(NOT_FOUND) };
    if (part === '/results') return { status: 200, text: resultsOf(batch, resultOf) };
    if (part === '/cancel') Object.assign(batch, { status: 'canceling', fate: 'canceled' });
    return { status: 200, text: JSON.stringify(summaryOf(batch, url)) };
  }

  #create({ requests }: ModelBody): Batch {
    const id = `msgbatch_${this.#all.size + 1}`;
    const batch: Batch = { id, requests, status: 'in_progress', fate: null, results: null };
    this.#all.set(id, batch);
    return batch;
  }
}

function resultsOf(batch: Batch, resultOf: (params: ModelBody) => object | null): string {
  batch.results ??= batch.requests
    .map(({ custom_id, params }) => ({
      custom_id,
      result: batch.fate === null ? resultOf(params) : { type: batch.fate },
    }))
    .filter(({ result }) => result !== null)
    .reverse()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
  return batch.results;
}

function summaryOf({ id, status, requests, fate }: Batch, url: string) {
  const isEnded = status === 'ended';
  return {
    id,
    type: 'message_batch',
    processing_status: status,
    request_counts: { processing: isEnded ? 0 : requests.length },
    results_url: isEnded && fate !== 'archived' ? `${url}/v1/messages/batches/${id}/results` : null,
  };
}
