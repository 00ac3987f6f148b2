// What others may use of the projections.
export { below, key, keyParts } from './keys.ts';
export type { DocumentKind, MemoryDocument } from './memory/document.ts';
export type { PlaceRow } from './memory/projector.ts';
export { memoryKeys, memoryProjector } from './memory/projector.ts';
export type {
  Change,
  FirstProjector,
  Projector,
  Row,
  SecondProjector,
  ViewReader,
  ViewWriter,
} from './projector.ts';
export { defineProjector } from './projector.ts';
export { itemIdentity } from './turns/identity.ts';
export { readPrompt, readReply, readStop, readTool } from './turns/merge.ts';
export { turnsProjector } from './turns/projector.ts';
export type { ItemRow, SavedRow, SessionRow, TurnRow } from './turns/rows.ts';
export { rowKeys } from './turns/rows.ts';
export { savedId } from './turns/saved.ts';
