// Which embedder the settings ask for, and which one's index serves now. A model's index serves once it was whole;
// until then the table that ships does, and how far the other is stands in every answer. A model that gives no vector
// for what is searched for leaves the words, and says so: nothing is ever made up in its place.
import { AnnalsError, isAnnalsError, type Log } from '../../../log/index.ts';
import {
  type Embedder,
  memoryKeys,
  type RecipeRow,
  type ViewReader,
  vectorKeys,
  type WorkdirCounts,
} from '../../../projections/index.ts';
import type { Settings } from '../../config/settings.ts';
import { defaultEmbedder } from './default-embedder.ts';
import { type Model, recipeOf } from './model.ts';

/** In the log, because deleting the views must not make anyone forget it. No event: it is about this home alone. */
const CURSOR = 'embedder';

/** What the reactor left. */
export interface EmbedderState {
  /** Of the model that was asked last; null where it never answered. */
  readonly recipe: string | null;
  /** Recipes whose index was whole once: what came later is then only missing in it. */
  readonly whole: readonly string[];
  /** Why the last run ended early; null when it did not. */
  readonly failure: string | null;
}

export interface Coverage {
  /** null while the model was never asked. */
  readonly recipe: string | null;
  readonly dim: number | null;
  readonly embedded: number;
  readonly documents: number;
}

export class Embedding {
  readonly kind: Settings['embedder'];
  readonly #open: () => Model;
  readonly #log: Log;
  #model: Model | null = null;
  #missing: string | null = null;
  #serving: Embedder | null;
  #problems: string[] = [];
  #messages: string[] = [];

  /** @param open makes the model of these settings; only called for `minilm` and `remote`, when first needed */
  constructor(kind: Settings['embedder'], open: () => Model, log: Log) {
    this.kind = kind;
    this.#open = open;
    this.#log = log;
    this.#serving = kind === 'none' ? null : defaultEmbedder();
  }

  get usesModel(): boolean {
    return this.kind === 'minilm' || this.kind === 'remote';
  }

  /** Whose index serves; null for none. */
  serving(): Embedder | null {
    return this.#serving;
  }

  /** @throws AnnalsError EMBEDDER_MISSING */
  model(): Model {
    this.#model ??= this.#open();
    return this.#model;
  }

  /** Looks how far the model's index is and which one serves. Asked where the views moved. */
  async refresh(memory: ViewReader): Promise<Coverage | null> {
    if (!this.usesModel) return null;
    this.#problems = [];
    const model = this.#modelOrWhy();
    const state = await this.state();
    const coverage = await this.coverage(memory);
    const { recipe, dim, embedded, documents } = coverage;
    const whole = recipe !== null && (embedded >= documents || state?.whole.includes(recipe) === true);
    if (model === null || recipe === null || dim === null || !whole) this.#serving = defaultEmbedder();
    else if (this.#serving?.recipe !== recipe) this.#serving = this.#storedEmbedder(model, recipe, dim);
    if (this.#missing !== null)
      this.#problems.push(`${this.#missing} Until then the table that ships serves.`);
    if (state !== null && state.failure !== null)
      this.#problems.push(`The embedder's last run ended early: ${state.failure}`);
    const name = model?.name ?? this.kind;
    if (model !== null && documents > embedded)
      this.#problems.push(
        whole
          ? `${count(documents - embedded)} of ${count(documents)} documents have no vector of ${name} yet; \`annals embed\` makes them.`
          : `${name} has vectors of ${count(embedded)} of ${count(documents)} documents; the table that ships serves until \`annals embed\` has made the others.`,
      );
    return coverage;
  }

  /** What is to be said in every answer. */
  problems(): readonly string[] {
    return this.#problems;
  }

  /** What went wrong with what was searched for since this was last asked. */
  takeMessages(): readonly string[] {
    const messages = [...new Set(this.#messages)];
    this.#messages = [];
    return messages;
  }

  async state(): Promise<EmbedderState | null> {
    return ((await this.#log.cursor(CURSOR)) as EmbedderState | undefined) ?? null;
  }

  async note(state: EmbedderState): Promise<void> {
    await this.#log.append([], { cursors: [{ key: CURSOR, value: { ...state } }] });
  }

  /** How many documents have a vector of the model's recipe: of the one it last had, where it had several lengths. */
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
      embed: async (texts) => {
        try {
          const { vectors } = await model.embed(texts, 'query');
          const other = vectors.find(({ length }) => length !== dim);
          if (other === undefined) return vectors;
          this.#messages.push(
            `${model.name} answers with ${other.length} numbers now, its index has ${dim}: this is what the words found. \`annals embed --again\` makes a new index.`,
          );
        } catch (error) {
          this.#messages.push(`This is what the words found, without vectors: ${sentence(error)}`);
        }
        return texts.map(() => new Float32Array(dim));
      },
    };
  }
}

/** What an error says, with what to do about it. */
export function sentence(error: unknown): string {
  if (!isAnnalsError(error)) return error instanceof Error ? error.message : String(error);
  return error.hint === null ? error.message : `${error.message} ${error.hint}`;
}

/** For settings that name no embedder of this kind. */
export function incomplete(what: string, hint: string): AnnalsError {
  return new AnnalsError('EMBEDDER_MISSING', what, { hint });
}

async function documentCount(memory: ViewReader): Promise<number> {
  let sum = 0;
  for (const [, row] of await memory.range<WorkdirCounts>(memoryKeys.workdirs()))
    for (const number of Object.values(row)) sum += number;
  return sum;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
