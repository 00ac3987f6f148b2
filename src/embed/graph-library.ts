// hnswlib-node, where somebody installed it and it could be compiled. Most people have it not and miss nothing: it
// pays from a quarter of a million vectors of one project on.
import type { GraphLibrary } from '../../projections/index.ts';

/** Not a literal in the import, so that neither the bundle nor the type checker asks for what may be absent. */
const PACKAGE: string = 'hnswlib-node';

/** null when it is not there, or was made for another machine. */
export async function graphLibrary(): Promise<GraphLibrary | null> {
  try {
    const { default: library } = (await import(PACKAGE)) as { readonly default: GraphLibrary };
    return library;
  } catch {
    return null;
  }
}
