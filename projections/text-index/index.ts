// What others may use of the text index.
export { textDigest } from './digest.ts';
export { FIELDS, RECIPE_VERSION } from './recipe.ts';
export type {
  DocumentChange,
  DocumentSource,
  Partition,
  SnapshotFiles,
  SourceAnchor,
} from './source.ts';
export { termsOf, termsOfWord, wordsOf } from './terms.ts';
export { type TextAnswer, type TextHit, TextIndex } from './text-index.ts';
