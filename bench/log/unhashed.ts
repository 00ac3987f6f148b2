// The log without its hashes: bundled with a `node:crypto` that returns constants at once. Everything else is
// the product's own code, so the difference is exactly the cost of hashing. The caller passes in the ids that the real
// hashes would give, so that the same keys are written.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { REPOSITORY } from '../harness/process.ts';

export interface UnhashedLog {
  readonly openLog: typeof import('../../log/index.ts').openLog;
  /** Ids for the next events, in order. */
  readonly ids: string[];
}

const HASHLESS = `
export const ids = [];
const CHAIN = 'c'.repeat(32);
const GROUP = Buffer.alloc(32);
export function hash(algorithm, data, form = 'hex') {
  if (form === 'binary') return CHAIN;
  return form === 'buffer' ? GROUP : ids.shift();
}
`;

const withoutHashes: Plugin = {
  name: 'without-hashes',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:crypto$/ }, ({ path }) => ({ path, namespace: 'hashless' }));
    onLoad({ filter: /.*/, namespace: 'hashless' }, () => ({ contents: HASHLESS }));
  },
};

export async function loadUnhashedLog(): Promise<UnhashedLog> {
  // Inside the repository, so that packages resolve.
  const outfile = join(REPOSITORY, 'dist', 'bench', `unhashed-${process.pid}.mjs`);
  try {
    await build({
      stdin: {
        contents: "export { openLog } from './log/index.ts'; export { ids } from 'node:crypto';",
        resolveDir: REPOSITORY,
        loader: 'ts',
      },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      plugins: [withoutHashes],
      logLevel: 'error',
    });
    return (await import(pathToFileURL(outfile).href)) as UnhashedLog;
  } finally {
    await rm(outfile, { force: true });
  }
}
