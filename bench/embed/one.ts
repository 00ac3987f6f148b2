// Runs one embedder in a process of its own: loads it, embeds some texts and one query, and prints the cost as JSON.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { STATIC_TABLE } from '../../projections/index.ts';
import { defaultEmbedder } from '../../src/embed/embedders/default-embedder.ts';
import { openMiniLm } from '../../src/embed/embedders/minilm.ts';
import type { Model } from '../../src/embed/embedders/model.ts';
import { openRemote } from '../../src/embed/embedders/remote-embedder.ts';
import { wait } from '../../src/platform/clock.ts';
import { folderBytes } from '../../src/platform/disk-files.ts';

export interface Measured {
  readonly data: string;
  readonly firstMs: number;
  readonly texts: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly queryMs: number;
  /** null for a service. */
  readonly installBytes: number | null;
  readonly digest: string;
}

const [kind = 'none', where = '', name = ''] = process.argv.slice(2);
const WORDS =
  'the parser drops a trailing comma in nested arrays when the file was read in two pages by another worker'.split(
    ' ',
  );
const COUNT = kind === 'static' ? 20_000 : 64;

if (kind === 'none') process.stdout.write('{}');
else process.stdout.write(JSON.stringify(await measure(await open())));

async function measure({ embed, installBytes, close }: Opened): Promise<Measured> {
  const began = performance.now();
  await embed(['the first text'], 'document');
  const firstMs = performance.now() - began;
  const texts = Array.from({ length: COUNT }, (_, number) => text(number));
  const cpu = process.cpuUsage();
  const start = performance.now();
  const hash = createHash('sha256');
  for (let from = 0; from < texts.length; from += 16)
    for (const vector of await embed(texts.slice(from, from + 16), 'document')) hash.update(vector);
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const asked = performance.now();
  await embed(['why does the parser drop a comma'], 'query');
  const queryMs = performance.now() - asked;
  await close();
  const data = `${COUNT} texts of ${text(0).length} characters`;
  const digest = hash.digest('hex').slice(0, 16);
  return { data, firstMs, texts: COUNT, ms, cpuMs: (user + system) / 1_000, queryMs, installBytes, digest };
}

interface Opened {
  embed(texts: readonly string[], use: 'document' | 'query'): Promise<readonly Float32Array[]>;
  readonly installBytes: number | null;
  close(): Promise<void>;
}

async function open(): Promise<Opened> {
  if (kind === 'static') {
    // The first text opens the embedder, so its time includes loading.
    const embed = async (texts: readonly string[]) => defaultEmbedder()!.embed(texts);
    return { embed, installBytes: STATIC_TABLE.bytes, close: async () => {} };
  }
  const model: Model =
    kind === 'minilm'
      ? openMiniLm({ folders: [where], modelPath: null })
      : openRemote({ url: where, model: name, key: () => null, keyVariable: null, inputTypes: false, wait });
  return {
    embed: async (texts, use) => (await model.embed(texts, use)).vectors,
    installBytes: kind === 'minilm' ? await folderBytes(join(where, 'node_modules', '@lat.md')) : null,
    close: () => model.close(),
  };
}

/** A text of about 60 tokens, different for each number. */
function text(number: number): string {
  return Array.from({ length: 48 }, (_, at) => WORDS[(at * (1 + (number % 7)) + number) % WORDS.length]).join(
    ' ',
  );
}
