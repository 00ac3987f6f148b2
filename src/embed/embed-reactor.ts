// Embeds the documents that have no vector of the model's recipe, and appends the vectors to the log batch by batch. A
// vector in the log is never requested again, even if the views are rebuilt; a stop, a failure or a kill loses at most the
// current batch.
import { AnnalsError, isAnnalsError, type NewEvent, pushTo } from '../../log/index.ts';
import {
  averaged,
  encodeVector,
  inputDigest,
  type MemoryDocument,
  memoryKeys,
  modelInputOf,
  rowPages,
  type ViewReader,
  vectorKeys,
} from '../../projections/index.ts';
import type { EmbedOptions, EmbedReport } from '../api.ts';
import type { Home } from '../home/home.ts';
import { oneAtATime } from '../home/one-at-a-time.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { sentence } from './embedders/embedding.ts';
import { type Model, recipeOf } from './embedders/model.ts';
import { vectorsEvent } from './embedders/vectors-event.ts';

const SALT_BYTES = 16;
const DOCUMENTS_PER_READ = 1_000;

const embeddingAlone = oneAtATime();

/** Never throws for an error of the model: the report has it, and vectors made before it are kept. */
export function embedWaiting(options: EmbedOptions, home: Home): Promise<EmbedReport> {
  return embeddingAlone(home, () => embedNow(options, home));
}

async function embedNow(options: EmbedOptions, home: Home): Promise<EmbedReport> {
  const { runner, views, embedding, now } = home;
  const began = now();
  await runner.catchUp();
  const run = new Run(options, home);
  let problem: string | null = null;
  if (embedding.usesModel) {
    try {
      await run.embed();
    } catch (error) {
      if (options.signal?.aborted !== true && !isAnnalsError(error)) throw error;
      if (options.signal?.aborted !== true) problem = sentence(error);
    }
    await runner.catchUp();
    const { recipe } = await embedding.coverage(views.memory);
    const named = run.recipe ?? recipe;
    const whole = new Set((await embedding.state())?.whole);
    if (named !== null && run.finished) whole.add(named);
    await embedding.note({ recipe: named, whole: [...whole], failure: problem });
    await embedding.refresh(views.memory);
  }
  const coverage = embedding.usesModel ? await embedding.coverage(views.memory) : null;
  return {
    embedder: embedding.kind,
    recipe: coverage?.recipe ?? null,
    documents: coverage?.documents ?? 0,
    withVector: coverage?.embedded ?? 0,
    embedded: run.embedded,
    texts: run.texts,
    refused: run.refused,
    problem,
    ms: now() - began,
  };
}

class Run {
  readonly #options: EmbedOptions;
  readonly #home: Home;
  recipe: string | null = null;
  /** Whether it reached the end of its queue. */
  finished = false;
  embedded = 0;
  texts = 0;
  refused = 0;
  #dim = 0;

  constructor(options: EmbedOptions, home: Home) {
    this.#options = options;
    this.#home = home;
  }

  async embed(): Promise<void> {
    const { embedding, views } = this.#home;
    const { signal, onProgress } = this.#options;
    const model = embedding.model();
    const { recipe, dim, embedded, documents } = await embedding.coverage(views.memory);
    this.recipe = recipe;
    this.#dim = dim ?? 0;
    let done = embedded;
    onProgress?.(done, documents);
    if (this.#options.again === true) await this.#learnLength(model, dim);
    for await (const batch of this.#batches(model)) {
      signal?.throwIfAborted();
      if (this.#dim === 0 || this.texts + this.refused === 0) await this.#learnLength(model, dim);
      await this.#embedBatch(batch, model);
      done += batch.length;
      onProgress?.(Math.min(done, documents), documents);
    }
    this.finished = true;
  }

  /** Embeds one word first, to learn whether the model answers and how long its vectors are before more is paid for. */
  async #learnLength(model: Model, known: number | null): Promise<void> {
    const { vectors } = await model.embed(['annals'], 'document', this.#options.signal);
    const { length } = vectors[0]!;
    if (known !== null && length !== known && this.#options.again !== true)
      throw lengthChanged(model.name, known, length);
    this.#dim = length;
    this.recipe = recipeOf(model, length);
  }

  /** Documents without a vector, grouped by session, as many as the model takes at once. */
  async *#batches(model: Model): AsyncGenerator<readonly MemoryDocument[]> {
    let batch: MemoryDocument[] = [];
    let texts = 0;
    let chars = 0;
    for await (const document of this.#waiting()) {
      const inputs = modelInputOf(document).filter((text) => text !== null);
      const length = inputs.reduce((sum, text) => sum + text.length, 0);
      const full = texts + inputs.length > model.batch.texts || chars + length > model.batch.chars;
      if (batch.length > 0 && full) {
        yield batch;
        batch = [];
        texts = 0;
        chars = 0;
      }
      batch.push(document);
      texts += inputs.length;
      chars += length;
    }
    if (batch.length > 0) yield batch;
  }

  async *#waiting(): AsyncGenerator<MemoryDocument> {
    const { memory } = this.#home.views;
    for await (const groups of rowPages(memory, memoryKeys.groups(), DOCUMENTS_PER_READ))
      yield* await this.#without(
        groups.map(([rowKey]) => memoryKeys.documentIn(rowKey)),
        memory,
      );
  }

  /** Without a known recipe, which the first answer may reveal, no document has a vector. */
  async #without(ids: readonly string[], memory: ViewReader): Promise<readonly MemoryDocument[]> {
    const documents = await memory.getMany<MemoryDocument>(ids.map(memoryKeys.document));
    const { recipe } = this;
    const rows = recipe === null ? [] : await memory.getMany(ids.map((id) => vectorKeys.vector(recipe, id)));
    return documents.filter(
      (document, index): document is MemoryDocument =>
        document !== undefined && rows[index] === undefined && modelInputOf(document)[0].trim() !== '',
    );
  }

  /** A batch that is refused for its content is halved until the refused text is found. */
  async #embedBatch(batch: readonly MemoryDocument[], model: Model): Promise<void> {
    const { signal } = this.#options;
    let tokens: number | null = null;
    try {
      const vectors = await averaged(batch.map(modelInputOf), async (texts) => {
        const answer = await model.embed(texts, 'document', signal);
        this.texts += texts.length;
        tokens = answer.tokens;
        const wrong = answer.vectors.find(({ length }) => length !== this.#dim);
        if (wrong !== undefined) throw lengthChanged(model.name, this.#dim, wrong.length);
        return answer.vectors;
      });
      await this.#record(batch, vectors, tokens);
    } catch (error) {
      if (!isAnnalsError(error) || error.facts.refused !== true) throw error;
      if (batch.length === 1) {
        this.refused += 1;
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await this.#embedBatch(batch.slice(0, half), model);
      await this.#embedBatch(batch.slice(half), model);
    }
  }

  async #record(
    batch: readonly MemoryDocument[],
    vectors: readonly Float32Array[],
    tokens: number | null,
  ): Promise<void> {
    const { log, runner, now } = this.#home;
    const vectorOf = new Map(batch.map((document, index) => [document, encodeVector(vectors[index]!)]));
    const bySession = new Map<string, { document: MemoryDocument; vector: string }[]>();
    await log.exclusively(async (writer) => {
      await runner.catchUp();
      for (const document of await this.#unchanged(batch)) {
        const vector = vectorOf.get(document) ?? null;
        if (vector !== null)
          pushTo(bySession, JSON.stringify([document.agent, document.session]), { document, vector });
      }
      const newEvents = [...bySession.values()].map((group, index) =>
        this.#newEvent(group, index === 0 ? tokens : null, now()),
      );
      await writer.append(newEvents);
    });
    this.embedded += [...bySession.values()].reduce((sum, group) => sum + group.length, 0);
  }

  /** While the model worked, documents may have been forgotten or changed. */
  async #unchanged(batch: readonly MemoryDocument[]): Promise<readonly MemoryDocument[]> {
    const { memory } = this.#home.views;
    const there = await memory.getMany<MemoryDocument>(batch.map(({ id }) => memoryKeys.document(id)));
    const inputOf = (document: MemoryDocument | undefined) =>
      document === undefined ? null : JSON.stringify(modelInputOf(document));
    return batch.filter((document, index) => inputOf(there[index]) === inputOf(document));
  }

  #newEvent(
    group: readonly { readonly document: MemoryDocument; readonly vector: string }[],
    tokens: number | null,
    at: number,
  ): NewEvent<'vectors.computed'> {
    const salt = Buffer.from(randomBytes(SALT_BYTES)).toString('hex');
    const documents = group.map(({ document, vector }) => ({
      id: document.id,
      input: inputDigest(salt, document),
      vector,
    }));
    return vectorsEvent(
      group[0]!.document,
      { recipe: this.recipe!, dim: this.#dim, salt, documents, tokens },
      at,
    );
  }
}

function lengthChanged(name: string, known: number, length: number): AnnalsError {
  return new AnnalsError(
    'EMBEDDER_FAILED',
    `${name} now returns vectors of ${length} numbers, but its index has ${known}; none of them were stored.`,
    { hint: '`annals embed --again` makes a new index: every document is then embedded again.' },
  );
}
