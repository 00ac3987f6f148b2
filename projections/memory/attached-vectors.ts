// Attaches the vectors that a model made to their documents. A vector is attached while its salted digest matches the
// document's current text; a changed text has no vector until the model embeds it again. Vectors have rows of their
// own, so that reading a document does not read its vectors and a new vector does not reindex the document's text.
//
//   vector/<recipe>/<document>   AttachedVector
//   recipe/<recipe>              RecipeRow: how many documents have one

import type { MemoryDocument } from '../documents/document.ts';
import type { Change, ViewReader, ViewWriter } from '../engine/contract/projector.ts';
import { below, key, keyParts } from '../engine/store/row-keys.ts';
import { type ModelVector, modelVectorKeys } from '../sessions/model-vectors.ts';
import { inputDigest, modelInputOf } from '../vectors/embedding-input.ts';

export interface AttachedVector {
  readonly event: string;
  /** Encoded by `encodeVector`. */
  readonly vector: string;
}

export interface RecipeRow {
  readonly dim: number;
  readonly documents: number;
}

export const vectorKeys = {
  vector: (recipe: string, document: string) => key('vector', recipe, document),
  recipe: (recipe: string) => key('recipe', recipe),
  recipes: () => below('recipe'),
  recipeIn: (rowKey: string) => keyParts(rowKey)[1]!,
} as const;

/** A document that a page changed, before and after: null where it did not exist. */
export interface Touched {
  readonly before: MemoryDocument | null;
  readonly after: MemoryDocument | null;
}

/** The document that a row of model vectors belongs to, from the row's key. `session` is empty for none. */
export type VectorOwner = readonly [agent: string, session: string, document: string];

export async function attachVectors(
  touched: ReadonlyMap<string, Touched>,
  owners: ReadonlyMap<string, VectorOwner>,
  view: ViewWriter,
  upstream: ViewReader,
): Promise<void> {
  const changed = new Map<string, VectorOwner>(owners);
  const any = owners.size > 0 || (await upstream.range(modelVectorKeys.all(), { limit: 1 })).length > 0;
  if (!any && (await view.range(vectorKeys.recipes(), { limit: 1 })).length === 0) return;
  for (const [id, { before, after }] of touched) {
    if (changed.has(id) || sameInput(before, after)) continue;
    const { agent, session } = (after ?? before)!;
    changed.set(id, [agent, session ?? '', id]);
  }
  const recipes = new Map<string, { dim: number; by: number }>();
  const known = (await view.range<RecipeRow>(vectorKeys.recipes())).map(([rowKey, row]) => ({
    recipe: vectorKeys.recipeIn(rowKey),
    dim: row.dim,
  }));
  for (const [id, [agent, session]] of changed) {
    const document = (await view.get<MemoryDocument>(key('document', id))) ?? null;
    const fitting = await fittingVectors(document, [agent, session, id], upstream);
    for (const { recipe, dim } of known)
      if (!fitting.has(recipe) && (await view.get(vectorKeys.vector(recipe, id))) !== undefined) {
        view.del(vectorKeys.vector(recipe, id));
        count(recipes, recipe, dim, -1);
      }
    for (const [recipe, { dim, event, vector }] of fitting) {
      const rowKey = vectorKeys.vector(recipe, id);
      if ((await view.get(rowKey)) === undefined) count(recipes, recipe, dim, 1);
      view.put(rowKey, { event, vector } satisfies AttachedVector);
      if (!known.some((one) => one.recipe === recipe)) known.push({ recipe, dim });
    }
  }
  for (const [recipe, { dim, by }] of recipes) {
    const row = await view.get<RecipeRow>(vectorKeys.recipe(recipe));
    const documents = (row?.documents ?? 0) + by;
    if (documents === 0) view.del(vectorKeys.recipe(recipe));
    else view.put(vectorKeys.recipe(recipe), { dim, documents } satisfies RecipeRow);
  }
}

/** The documents whose model vectors a page adds or removes. */
export function vectorOwners(changes: readonly Change[]): ReadonlyMap<string, VectorOwner> {
  const owners = new Map<string, VectorOwner>();
  for (const { key: rowKey } of changes) {
    if (!rowKey.startsWith('vector/')) continue;
    const [, agent, session, document] = keyParts(rowKey) as [string, string, string, string];
    owners.set(document, [agent, session, document]);
  }
  return owners;
}

/** The vector of each recipe that matches the text; among several, the one whose event has the smallest id. */
async function fittingVectors(
  document: MemoryDocument | null,
  owner: VectorOwner,
  upstream: ViewReader,
): Promise<Map<string, ModelVector>> {
  const fitting = new Map<string, ModelVector>();
  if (document === null) return fitting;
  const rows = await upstream.range<ModelVector>(modelVectorKeys.ofDocument(...owner));
  for (const [, row] of rows) {
    const known = fitting.get(row.recipe);
    if (known !== undefined && known.event <= row.event) continue;
    if (inputDigest(row.salt, document) === row.input) fitting.set(row.recipe, row);
  }
  return fitting;
}

function sameInput(before: MemoryDocument | null, after: MemoryDocument | null): boolean {
  if (before === null || after === null) return before === after;
  const [own, window] = modelInputOf(before);
  const [ownNow, windowNow] = modelInputOf(after);
  return own === ownNow && window === windowNow;
}

function count(
  recipes: Map<string, { dim: number; by: number }>,
  recipe: string,
  dim: number,
  by: number,
): void {
  const known = recipes.get(recipe) ?? { dim, by: 0 };
  recipes.set(recipe, { dim: known.dim, by: known.by + by });
}
