// Counts what redaction removes from the sources of packages, where hardly anything is a secret:
// `npm run bench -- false-positives --packages=<folder>`, a folder that holds one unpacked package in each of its folders
// (`npm pack`, then `tar xzf`). It downloads nothing. Hits are shown with their letters and digits masked;
// `--unmasked` shows every one as it is, to look at it.
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { redactText } from '../../src/capture/redact/index.ts';
import { option } from '../harness/report.ts';

const SOURCE =
  /\.(?:[cm]?[jt]sx?|json|md|mdx|txt|css|scss|html?|ya?ml|toml|sh|py|vue|svelte|prisma|graphql|glsl)$|(?:^|\/)(?:README|LICENSE|CHANGELOG)[^/.]*$/i;
const AROUND = 40;
const EXAMPLES = 5;

interface Hit {
  readonly kind: string;
  readonly place: string;
  readonly before: string;
  readonly secret: string;
  readonly after: string;
}

const folder = option('packages');
if (folder === null) console.log('skipped: no --packages=<folder>');
else report(folder);

function report(root: string): void {
  const unmasked = process.argv.includes('--unmasked');
  const hits: Hit[] = [];
  let bytes = 0;
  let files = 0;
  for (const item of readdirSync(root, { withFileTypes: true })) {
    if (!item.isDirectory()) continue;
    const size = bytes;
    const known = hits.length;
    for (const path of sourcesIn(join(root, item.name))) {
      const text = readFileSync(path, 'utf8');
      bytes += Buffer.byteLength(text);
      files++;
      hits.push(...hitsIn(text, relative(root, path)));
    }
    console.log(`${item.name.padEnd(32)} ${megabytes(bytes - size)} ${hits.length - known} hits`);
  }
  console.log(`${'together'.padEnd(32)} ${megabytes(bytes)} ${hits.length} hits in ${files} files`);
  for (const kind of new Set(hits.map((hit) => hit.kind))) {
    const of = hits.filter((hit) => hit.kind === kind);
    console.log(`${kind}: ${of.length}`);
    for (const hit of unmasked ? of : spread(of, EXAMPLES)) console.log(`  ${line(hit, unmasked)}`);
  }
}

function* sourcesIn(directory: string): Generator<string> {
  const items: Dirent[] = readdirSync(directory, { withFileTypes: true });
  for (const item of items) {
    const path = join(directory, item.name);
    if (item.isDirectory()) yield* sourcesIn(path);
    else if (item.isFile() && SOURCE.test(path)) yield path;
  }
}

function hitsIn(text: string, path: string): Hit[] {
  const hits: Hit[] = [];
  redactText(text, (kind, found) => {
    const { start, end } = found ?? { start: text.length, end: text.length };
    const before = text.slice(Math.max(0, start - AROUND), start);
    const after = text.slice(end, end + AROUND);
    hits.push({ kind, place: `${path}:${start}`, before, secret: text.slice(start, end), after });
  });
  return hits;
}

function line({ place, before, secret, after }: Hit, unmasked: boolean): string {
  const shown = unmasked ? secret : secret.replaceAll(/[A-Za-z]/g, 'a').replaceAll(/\d/g, '0');
  const cut = shown.length > 2 * AROUND ? `${shown.slice(0, 2 * AROUND)}…${shown.length}` : shown;
  return `${place} ${JSON.stringify(`${before}⟦${cut}⟧${after}`)}`;
}

/** Evenly from a list, so that one file does not fill it. */
function spread<T>(list: readonly T[], count: number): readonly T[] {
  return list.length <= count ? list : list.filter((_, at) => at % Math.ceil(list.length / count) === 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1).padStart(6)} MB`;
}
