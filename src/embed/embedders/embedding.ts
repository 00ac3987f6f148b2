// Chooses the embedder whose index a search uses. A model's index is used once it has been complete; until then the
// built-in table is, and every answer reports the progress. If a model gives no vector for a query, the search uses words
// alone and says so; nothing replaces the vector.
import { AnnalsError, isAnnalsError, type Log } from '../../../log/index.ts';
import {
  type Embedder,
  memoryKeys,
  type RecipeRow,
  type ViewReader,
  vectorKeys,
  type WorkdirCounts,
} from '../../../projections/index.ts';
import { redactText } from '../../capture/redact/index.ts';
import type { Settings } from '../../config/settings.ts';
import { grouped } from '../../terminal-text/grouped-number.ts';
import { defaultEmbedder } from './default-embedder.ts';
import { type Model, recipeOf } from './model.ts';

/** A log cursor, so that deleting the views does not lose it. Not an event, because it concerns only this home. */
const CURSOR = 'embedder';

/** What the last embedding run recorded. */
export interface EmbedderState {
  /** Recipe of the model that was called last; null if it never answered. */
  readonly recipe: string | null;
  /** Recipes whose index was complete once; documents added later are only missing in it. */
  readonly whole: readonly string[];
  /** Why the last run ended early; null if it did not. */
  readonly failure: string | null;
}

export interface Coverage {
  /** null if the model was never called. */
  readonly recipe: string | null;
  readonly dim: number | null;
  readonly embedded: number;
  readonly documents: number;
}

export class Embedding {
  readonly kind: Settings['embedder'];
  readonly #open: () => Model;
  readonly #log: Pick<Log, 'cursor' | 'append'>;
  #model: Model | null = null;
  #missing: string | null = null;
  #serving: Embedder | null;
  #problems: readonly string[] = [];
  /** The state as it was last read or written; null before. */
  recorded: EmbedderState | null = null;

  /** @param open makes the model of these settings; only called for `minilm` and `remote`, at the first use */
  constructor(kind: Settings['embedder'], open: () => Model, log: Pick<Log, 'cursor' | 'append'>) {
    this.kind = kind;
    this.#open = open;
    this.#log = log;
    this.#serving = kind === 'none' ? null : defaultEmbedder();
  }

  get usesModel(): boolean {
    return this.kind === 'minilm' || this.kind === 'remote';
  }

  /** The embedder whose index is used; null for none. */
  serving(): Embedder | null {
    return this.#serving;
  }

  /** @throws AnnalsError EMBEDDER_MISSING */
  model(): Model {
    this.#model ??= this.#open();
    return this.#model;
  }

  /** Reads how complete the model's index is, and chooses the index to use. Call it after the views changed. */
  async refresh(memory: ViewReader): Promise<Coverage | null> {
    if (!this.usesModel) return null;
    const model = this.#modelOrWhy();
    const state = await this.state();
    const coverage = await this.coverage(memory);
    const { recipe, dim, embedded, documents } = coverage;
    const isComplete = recipe !== null && (embedded >= documents || state?.whole.includes(recipe) === true);
    if (model === null || recipe === null || dim === null || !isComplete) this.#serving = defaultEmbedder();
    else if (this.#serving?.recipe !== recipe) this.#serving = this.#storedEmbedder(model, recipe, dim);
    const problems: string[] = [];
    if (this.#missing !== null) problems.push(`${this.#missing} Until then the built-in table is used.`);
    if (state !== null && state.failure !== null)
      problems.push(`The embedder's last run ended early: ${state.failure}`);
    const name = model?.name ?? this.kind;
    if (model !== null && documents > embedded)
      problems.push(
        isComplete
          ? `${grouped(documents - embedded)} of ${grouped(documents)} documents have no vector of ${name} yet; \`annals embed\` makes them.`
          : `${name} has vectors of ${grouped(embedded)} of ${grouped(documents)} documents; the built-in table is used until \`annals embed\` has made the others.`,
      );
    this.#problems = problems;
    return coverage;
  }

  /** Problems that every answer reports. */
  problems(): readonly string[] {
    return this.#problems;
  }

  async state(): Promise<EmbedderState | null> {
    this.recorded = ((await this.#log.cursor(CURSOR)) as EmbedderState | undefined) ?? null;
    return this.recorded;
  }

  async note(state: EmbedderState): Promise<void> {
    await this.#log.append([], { cursors: [{ key: CURSOR, value: { ...state } }] });
    this.recorded = state;
  }

  /** How many documents have a vector of the model's recipe; of the last one used, if it had several lengths. */
  async coverage(memory: ViewReader): Promise<Coverage> {
    const base = this.#modelOrWhy()?.base ?? null;
    const last = (await this.state())?.recipe;
    const documents = await documentCount(memory);
    const known = (await memory.range<RecipeRow>(vectorKeys.recipes()))
      .map(([rowKey, row]) => ({ recipe: vectorKeys.recipeIn(rowKey), ...row }))
      .filter(({ recipe, dim }) => base !== null && recipe === recipeOf({ base }, dim))
      .sort((a, b) => b.documents - a.documents || (a.recipe < b.recipe ? -1 : 1));
    const chosen = known.find(({ recipe }) => recipe === last) ?? known[0];
    if (chosen === undefined) return { recipe: null, dim: null, embedded: 0, documents };
    return { recipe: chosen.recipe, dim: chosen.dim, embedded: chosen.documents, documents };
  }

  async close(): Promise<void> {
    await this.#model?.close();
  }

  #modelOrWhy(): Model | null {
    try {
      const model = this.model();
      this.#missing = null;
      return model;
    } catch (error) {
      this.#missing = sentence(error);
      return null;
    }
  }

  #storedEmbedder(model: Model, recipe: string, dim: number): Embedder {
    return {
      id: model.name,
      dim,
      recipe,
      usesStoredVectors: true,
      embed: async (texts, onProblem) => {
        try {
          const clean = texts.map((text) => redactText(text));
          const { vectors } = await model.embed(clean, 'query');
          const other = vectors.find(({ length }) => length !== dim);
          if (other === undefined) return vectors;
          onProblem?.(
            `${model.name} now returns vectors of ${other.length} numbers, but its index has ${dim}; results are ranked by words alone. \`annals embed --again\` makes a new index.`,
          );
        } catch (error) {
          onProblem?.(`Results are ranked by words alone, without vectors: ${sentence(error)}`);
        }
        return texts.map(() => new Float32Array(dim));
      },
    };
  }
}

/** An error's message, with its hint. */
export function sentence(error: unknown): string {
  if (!isAnnalsError(error)) return error instanceof Error ? error.message : String(error);
  return error.hint === null ? error.message : `${error.message} ${error.hint}`;
}

/** The error for settings that lack something an embedder needs. */
export function incomplete(what: string, hint: string): AnnalsError {
  return new AnnalsError('EMBEDDER_MISSING', what, { hint });
}

async function documentCount(memory: ViewReader): Promise<number> {
  let sum = 0;
  for (const [, row] of await memory.range<WorkdirCounts>(memoryKeys.workdirs()))
    for (const number of Object.values(row)) sum += number;
  return sum;
}
