// How long the text index takes: to be built from documents, to be written, and to answer from a snapshot in
// a fresh process. Run as `timing.ts <folder for snapshots> build|cold`; `cold` needs a `build` before it.
import { rm } from 'node:fs/promises';
import { type Partition, TextIndex } from '../../projections/text-index/index.ts';
import { claudeCodeTranscripts } from '../../tests/helpers/shared-data.ts';
import { DocumentsInMemory, filesIn } from '../../tests/projections/text-index/documents-in-memory.ts';
import { documentsOfTranscripts } from './documents.ts';

const QUERY = 'why did one claude session get two entire ids';
const [folder, mode] = process.argv.slice(2);
if (folder === undefined || claudeCodeTranscripts === null)
  throw new Error('timing.ts <folder> build|cold, with data');

const documents = documentsOfTranscripts(claudeCodeTranscripts);
const partitions: Partition[] = [...new Set(documents.map(({ place }) => place))].map((place) => ({
  id: place,
  places: [place],
}));
globalThis.gc?.();
const memoryBefore = process.memoryUsage().heapUsed;
const times: Record<string, number> = { documents: documents.length };
const index = new TextIndex(new DocumentsInMemory(documents), filesIn(folder));

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  times[name] = Math.round((performance.now() - start) * 10) / 10;
}

if (mode === 'build') {
  await rm(folder, { recursive: true, force: true });
  await timed('build ms', () => index.refresh(partitions));
  await timed('search ms', () => index.search(partitions, QUERY));
  await timed('search again ms', () => index.search(partitions, QUERY));
  await timed('save ms', () => index.save());
} else {
  await timed('open and search ms', () => index.search(partitions, QUERY));
  await timed('search again ms', () => index.search(partitions, QUERY));
  await timed('search with an unknown word ms', () => index.search(partitions, `${QUERY} xyzzyx`));
  await timed('search after it ms', () => index.search(partitions, QUERY));
}
globalThis.gc?.();
times['heap MB'] = Math.round((process.memoryUsage().heapUsed - memoryBefore) / 1e5) / 10;
process.stdout.write(`${JSON.stringify(times)}\n`);
await index.refresh([]);
