// The public surface of the text index.
export type {
  DocumentChange,
  DocumentChanges,
  DocumentSource,
  ProjectIndex,
  SnapshotFiles,
  SourcePosition,
} from '../project-indexes/index.ts';
export type { TextHit } from './rank-text.ts';
export { termsAround, termsOf, termsOfWord, wordSpans } from './terms.ts';
export { TextAnswer, TextIndex } from './text-index.ts';
export { FIELDS, RECIPE_VERSION } from './text-recipe.ts';
