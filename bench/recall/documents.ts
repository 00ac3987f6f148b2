// The product's own documents: imports transcripts into a home and searches it through the library. The rivals get the
// same documents from the `memory` view. A document's name in the agent's world (the uuid of a line, a tool_use_id) is the
// dedupe key of its events.
import { join } from 'node:path';
import { type Log, openLog } from '../../log/index.ts';
import { below, directoryGenerations, type MemoryDocument, openRunner } from '../../projections/index.ts';
import { openAnnals } from '../../src/annals.ts';
import type { Annals, SearchAnswer } from '../../src/api.ts';
import { PROJECTORS } from '../../src/home/view-parts.ts';
import { readText, writeAtomically } from '../../src/platform/atomic-file.ts';
import { now } from '../../src/platform/clock.ts';
import { folderBytes, list, makeFolder, remove } from '../../src/platform/disk-files.ts';
import { homePaths } from '../../src/platform/home-paths.ts';
import { randomBytes } from '../../src/platform/random-bytes.ts';
import { inFolder } from '../harness/process.ts';
import { rowOf, type Search } from './rivals.ts';

export interface Imported extends Pick<Annals, 'recall' | 'context' | 'get'> {
  readonly documents: readonly MemoryDocument[];
  /** The agent's own ids of the document's events. */
  readonly factsOf: ReadonlyMap<string, readonly string[]>;
  /** The product's search over all projects. */
  readonly search: Search;
  /** The product's complete answer. */
  readonly answer: (query: string) => Promise<SearchAnswer>;
}

/** Imports folders into a temporary home. */
export function withImported<T>(
  folders: readonly string[],
  use: (imported: Imported) => Promise<T>,
): Promise<T> {
  return inFolder(async (workdir) => {
    const home = join(workdir, 'home');
    const importing = await openAnnals({ home });
    await importing.import(folders);
    await importing.close();
    const read = await readHome(home);
    const annals = await openAnnals({ home });
    try {
      const search: Search = async (query, limit) =>
        (await annals.search(query, { limit })).results.map(rowOf);
      const answer: Imported['answer'] = (query) => annals.search(query);
      const { recall, context, get } = annals;
      return await use({ ...read, search, answer, recall, context, get });
    } finally {
      await annals.close();
    }
  });
}

async function readHome(home: string): Promise<Pick<Imported, 'documents' | 'factsOf'>> {
  const paths = homePaths(home);
  const files = { readText, writeAtomically, folderBytes };
  const log = await openLog({
    directory: paths.log,
    headFile: paths.head,
    world: { now, randomBytes },
    files,
  });
  const generations = directoryGenerations(paths.views, {
    readText,
    writeAtomically,
    list,
    makeFolder,
    remove,
  });
  const runner = await openRunner({ log, generations, projectors: PROJECTORS, randomBytes, now });
  const rows = await runner.view('memory').range<MemoryDocument>(below('document'));
  const documents = rows.map(([, document]) => document);
  const factsOf = await factsOfDocuments(documents, log);
  await runner.close();
  await log.close();
  return { documents, factsOf };
}

async function factsOfDocuments(
  documents: readonly MemoryDocument[],
  log: Log,
): Promise<Map<string, string[]>> {
  const facts = new Map<string, string[]>();
  for (const { id, events } of documents) {
    const found = (await log.getMany(events)).filter((event) => event !== undefined);
    // A line with several blocks has a dedupe key for each: `<uuid>`, `<uuid>:1`, …
    facts.set(
      id,
      found.flatMap(({ dedupeKey }) => [dedupeKey, dedupeKey.replace(/:\d+$/, '')]),
    );
  }
  return facts;
}
