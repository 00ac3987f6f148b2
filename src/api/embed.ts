// Making missing vectors with an embedding model.
import type { Progress } from './progress.ts';

export interface EmbedOptions {
  /** Documents that have a vector, and all documents. */
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Accepts that the model's vectors have a new length: every document is embedded again. */
  readonly again?: boolean;
}

/** The result of embedding the documents that had no vector. */
export interface EmbedReport {
  /** As in the settings. Only `minilm` and `remote` are called here; the others need no call. */
  readonly embedder: 'static' | 'minilm' | 'remote' | 'none';
  /** null if the model was never called. */
  readonly recipe: string | null;
  readonly documents: number;
  readonly withVector: number;
  /** Documents embedded by this run, and the texts sent for them. */
  readonly embedded: number;
  readonly texts: number;
  /** Documents that the service rejected. */
  readonly refused: number;
  /** Why the run ended early; null if it did not, or was stopped. */
  readonly problem: string | null;
  readonly ms: number;
}
