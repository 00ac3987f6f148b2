import type { ViewReader } from '../contract/projector.ts';

/** All rows whose key begins with `prefix`, in key order, in pages. */
export async function* rowPages<R>(
  view: ViewReader,
  prefix: string,
  pageRows = 1_000,
): AsyncGenerator<readonly (readonly [string, R])[]> {
  for (let after: string | undefined; ; ) {
    const page = await view.range<R>(prefix, { limit: pageRows, ...(after === undefined ? {} : { after }) });
    if (page.length > 0) yield page;
    if (page.length < pageRows) return;
    after = page.at(-1)![0];
  }
}
