// Asking an embedding model for the vectors that are missing.
import type { Progress } from './progress.ts';

export interface EmbedOptions {
  /** Documents that have a vector, of all. */
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Takes it that the model's vectors are of another length than before: every document is embedded once more. */
  readonly again?: boolean;
}

/** What came of asking the embedding model for what it had not been asked yet. */
export interface EmbedReport {
  /** As the settings have it. Only `minilm` and `remote` are asked; the others need nothing. */
  readonly embedder: 'static' | 'minilm' | 'remote' | 'none';
  /** null where the model was never asked. */
  readonly recipe: string | null;
  readonly documents: number;
  readonly withVector: number;
  /** Documents that this run embedded, and the texts it sent for them. */
  readonly embedded: number;
  readonly texts: number;
  /** Documents that the service would not take. */
  readonly refused: number;
  /** Why it ended early; null when it did not, or was stopped. */
  readonly problem: string | null;
  readonly ms: number;
}
