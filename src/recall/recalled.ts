import type { MemoryDocument } from '../../projections/index.ts';
import type { Voice } from '../brief/lines/brief.ts';

/** An item to quote. */
export interface Recalled {
  readonly document: MemoryDocument;
  readonly voice: Voice;
  /** What it says, within so many characters; empty if too little fits. */
  readonly within: (charsMax: number) => string;
}
