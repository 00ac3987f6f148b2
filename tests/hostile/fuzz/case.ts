// One case: a seed determines what is made, and the result is checked. In each case only our own errors with a sentence
// are thrown, valid input next to hostile input is recorded, and hostile input is recorded, parked, counted or refused.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chance } from '../../helpers/chance.ts';
import { agentTranscriptCase } from './agent-transcripts.ts';
import { exportCase } from './exports.ts';
import type { Found, MakeCase } from './found.ts';
import { hookCase } from './hooks.ts';
import { httpCase } from './http.ts';
import { replyCase } from './replies.ts';
import { repositoryCase } from './repositories.ts';
import { settingsCase } from './settings.ts';
import { transcriptCase } from './transcripts.ts';

export const KINDS = [
  'hook payload',
  'transcript',
  'transcript of another agent',
  'settings',
  'repository',
  'export',
  'http',
  'reply of a model',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Outcome extends Found {
  readonly seed: number;
  readonly kind: Kind;
  /** Processor time, and how far this process's memory grew beyond its earlier peak. */
  readonly cpuMs: number;
  readonly grownBytes: number;
}

const MAKERS: Readonly<Record<Kind, MakeCase>> = {
  'hook payload': hookCase,
  transcript: transcriptCase,
  'transcript of another agent': agentTranscriptCase,
  settings: settingsCase,
  repository: repositoryCase,
  export: exportCase,
  http: httpCase,
  'reply of a model': replyCase,
};

/** Out of thirteen seeds, this many are of a kind. */
const ORDER: readonly Kind[] = [
  'hook payload',
  'hook payload',
  'hook payload',
  'transcript',
  'transcript',
  'transcript of another agent',
  'transcript of another agent',
  'settings',
  'repository',
  'export',
  'http',
  'http',
  'reply of a model',
];

export function kindOf(seed: number): Kind {
  return ORDER[seed % ORDER.length]!;
}

export async function fuzz(seed: number): Promise<Outcome> {
  const kind = kindOf(seed);
  const luck = chance(seed);
  const path = join(scratch(), String(seed));
  mkdirSync(path);
  const peak = peakBytes();
  const began = process.cpuUsage();
  let found: Found;
  try {
    found = await MAKERS[kind](luck, path);
  } catch (error) {
    found = {
      fates: { refused: 1 },
      wrong: [`it threw: ${error instanceof Error ? error.stack : String(error)}`],
    };
  }
  const { user, system } = process.cpuUsage(began);
  const grownBytes = peakBytes() - peak;
  rmSync(path, { recursive: true, force: true });
  return { ...found, seed, kind, cpuMs: (user + system) / 1_000, grownBytes };
}

let scratchFolder: string | undefined;

function scratch(): string {
  if (scratchFolder !== undefined) return scratchFolder;
  const made = mkdtempSync(join(tmpdir(), 'annals-fuzz-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  scratchFolder = made;
  return made;
}

/** Peak memory of this process. */
function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}
