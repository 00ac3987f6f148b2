// The two corpora of transcripts that suites run on. The synthetic one is generated here and always available: every
// behaviour is tested on it. The real one is an additional check on machines that have it; without it, each suite
// reports one skipped line.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import { claudeCodeTranscripts, readsAllTranscripts } from '../shared-data.ts';
import { realTranscripts, type TranscriptFile } from '../transcripts.ts';
import { earlyTranscripts } from './early.ts';
import { forkedTranscript, lateTranscripts } from './late.ts';
import { middleTranscripts } from './middle.ts';
import { countsOf, type FileCounts } from './real-counts.ts';

export interface Corpus {
  readonly name: 'synthetic' | 'real';
  readonly files: readonly TranscriptFile[];
  readonly folder: string;
  /** Prompts and tool uses of its files, counted by a simple rule. */
  readonly counts: readonly FileCounts[];
}

/** The reason in the title of a skipped test. */
export const WHY_REAL_IS_ABSENT =
  'skipped: this machine has no real transcripts (ANNALS_TEST_DATA); the same runs on synthetic ones';

/** For a test of real transcripts that has a synthetic twin elsewhere: the end of its title. */
export const ifRealIsAbsent: string = claudeCodeTranscripts === null ? ` (${WHY_REAL_IS_ABSENT})` : '';

/** For a test of real transcripts that takes long and has a synthetic twin: `npm test` leaves it to `npm run test:long`. */
export const skipsLongReal: boolean = !readsAllTranscripts || claudeCodeTranscripts === null;

/** The end of its title. */
export const whyLongRealIsSkipped: string =
  ifRealIsAbsent || (skipsLongReal ? ' (skipped: `npm run test:long` runs it)' : '');

/** Runs a suite on the synthetic corpus, and on the real one when it is available. */
export function onEachCorpus(what: string, suite: (corpus: Corpus) => void): void {
  describe(`${what}: synthetic transcripts`, () => suite(syntheticCorpus()));
  if (claudeCodeTranscripts === null)
    test.skip(`${what}: real transcripts (${WHY_REAL_IS_ABSENT})`, () => {});
  else {
    const files = realTranscripts();
    const real: Corpus = { name: 'real', files, folder: claudeCodeTranscripts, counts: countsOf(files) };
    describe(`${what}: real transcripts`, () => suite(real));
  }
}

/** Writes the corpus to a folder that is removed after the tests of this file. */
export function syntheticCorpus(): Corpus {
  const folder = mkdtempSync(join(tmpdir(), 'annals-corpus-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const made = [...earlyTranscripts(), ...middleTranscripts(), ...lateTranscripts()];
  const forked = forkedTranscript(made.find(({ name }) => name.startsWith('robin__star-map'))!);
  const files = [...made.map(({ name, script }) => ({ name, bytes: script.bytes() })), forked]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, bytes }) => {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
      return { name, path, bytes: () => bytes };
    });
  return { name: 'synthetic', files, folder, counts: made };
}
