// What others may use of the projections.
export { below, key, keyParts } from './keys.ts';
export type { DocumentKind, MemoryDocument } from './memory/document.ts';
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
