// What others may use of the text index.
export type {
  DocumentChange,
  DocumentSource,
  Partition,
  SnapshotFiles,
  SourceAnchor,
} from '../partitions/index.ts';
export type { TextHit } from './rank.ts';
export { FIELDS, RECIPE_VERSION } from './recipe.ts';
export { termsOf, termsOfWord, wordsOf } from './terms.ts';
export { TextAnswer, TextIndex } from './text-index.ts';
