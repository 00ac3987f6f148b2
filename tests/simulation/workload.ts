// The world of a run: agents work and write transcripts, their hooks write files, people save memories,
// and processes open the log, read, rebuild, close. All of it is drawn from the seed before the run begins.
import type { NewEvent } from '../../log/index.ts';
import { END_MARK, wholePayload } from '../../src/capture/spool/end-mark.ts';
import { type Chance, chance } from '../helpers/chance.ts';
import { hookEvents } from '../helpers/hooks/claude-hook-events.ts';
import { hookCalls } from '../helpers/hooks/hook-generator.ts';
import { readWhole, Script } from '../helpers/transcripts.ts';

export interface HookFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly modifiedNs: bigint;
  readonly newEvents: readonly NewEvent[];
  /** Whether the log must contain it once the file is gone; a stop may be skipped as a duplicate. */
  readonly needed: boolean;
}

export interface Transcript {
  readonly session: string;
  readonly bytes: Buffer;
  readonly newEvents: readonly NewEvent[];
  /** Lengths at which the agent pauses writing: anywhere, also within a line. */
  readonly cuts: readonly number[];
}

/** Steps that rewrite or transfer the log; rewriting.ts runs them. */
export type RewritingStep = 'forget' | 'compact' | 'export' | 'restore' | 'import export';

export type Step =
  | { readonly do: 'grow'; readonly transcript: number }
  | { readonly do: 'hooks'; readonly files: readonly HookFile[] }
  | { readonly do: 'tell'; readonly calls: readonly (readonly NewEvent[])[] }
  | { readonly do: 'jump'; readonly ms: number }
  | { readonly do: 'import' | 'drain' | 'catch up' | 'search' | 'rebuild' | 'verify' | 'head' | 'restart' }
  | { readonly do: RewritingStep };

export interface Workload {
  readonly transcripts: readonly Transcript[];
  readonly hooks: readonly HookFile[];
  readonly steps: readonly Step[];
  /** Number of repeated hook files and events. */
  readonly repeated: number;
}

const START = Date.UTC(2026, 0, 1);
const WORDS = 'login test clock retry cache parser index queue deploy color border token upload page'.split(
  ' ',
);

export interface WorkloadOptions {
  /** Hooks fire twice, files arrive in any order, calls are repeated. */
  readonly disorder: boolean;
  readonly clockJumps: boolean;
  readonly steps: number;
}

export function workloadOf(luck: Chance, { disorder, clockJumps, steps }: WorkloadOptions): Workload {
  const sessions = Array.from({ length: luck.below(3) === 0 ? 2 : 1 }, (_, index) =>
    sessionOf(index, luck.below(SESSIONS)),
  );
  const transcripts = sessions.map(({ transcript }) => transcript);
  const inTime = sessions.flatMap(({ hooks }) => hooks);
  const again = disorder ? inTime.filter(() => luck.below(3) === 0) : [];
  const twice = again.map((file) => renamed(file));
  const hooks = disorder ? luck.shuffled([...inTime, ...twice]) : inTime;
  const saved = makeNewEvents(luck);
  const newEvents = disorder ? luck.shuffled([...saved, ...saved.slice(0, 3)]) : saved;
  return {
    transcripts,
    hooks,
    steps: [...draw(luck, transcripts, hooks, newEvents, steps, clockJumps)],
    repeated: twice.length + newEvents.length - saved.length,
  };
}

function* draw(
  luck: Chance,
  transcripts: readonly Transcript[],
  hooks: readonly HookFile[],
  newEvents: readonly NewEvent[],
  steps: number,
  clockJumps: boolean,
): Generator<Step> {
  const files = luck.cut(hooks, 4);
  const calls = luck.cut(newEvents, 3);
  for (let step = 0; step < steps; step++) {
    const drawn = luck.below(clockJumps ? 24 : 20);
    if (drawn < 4) {
      yield { do: 'grow', transcript: luck.below(transcripts.length) };
      yield { do: 'import' };
    } else if (drawn < 7) {
      yield { do: 'hooks', files: files.shift() ?? [] };
      yield { do: 'drain' };
    } else if (drawn < 10) yield { do: 'tell', calls: calls.splice(0, 1 + luck.below(3)) };
    else if (drawn < 14) yield { do: 'catch up' };
    else if (drawn < 15) yield { do: 'search' };
    else if (drawn < 16) yield { do: 'rebuild' };
    else if (drawn < 17) yield { do: 'verify' };
    else if (drawn < 18) yield { do: 'head' };
    else if (drawn < 20) yield { do: 'restart' };
    else yield { do: 'jump', ms: jump(luck) };
  }
}

/** A second, an hour or a year; forward or back. */
function jump(luck: Chance): number {
  const size = [1_000, 3_600_000, 31_536_000_000][luck.below(3)]!;
  return luck.below(2) === 0 ? size : -size;
}

interface Session {
  readonly transcript: Transcript;
  readonly hooks: readonly HookFile[];
}

/** Different sessions in one cache: making and reading them costs more than the simulation itself. */
const SESSIONS = 200;
const made = new Map<string, Session>();

function sessionOf(index: number, number: number): Session {
  const name = `${index} ${number}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const one = transcript(chance(number * 2 + index), index);
  const session = { transcript: one, hooks: hookFiles(one.bytes) };
  made.set(name, session);
  return session;
}

function transcript(luck: Chance, index: number): Transcript {
  const session = `${'abcdef'[index]!.repeat(8)}-0000-4000-8000-00000000000${index}`;
  const cwd = `/home/u/${index === 0 ? 'app' : 'site'}`;
  const script = new Script({
    session,
    cwd,
    version: '2.1.210',
    firstUuid: 1 + index * 10_000,
    start: START + index * 7_000,
  });
  const turns = 1 + luck.below(2);
  for (let turn = 0; turn < turns; turn++) {
    script.prompt(`Please look at the ${words(luck, 3)}`, { promptId: `prompt-${index}-${turn}` });
    for (let use = luck.below(3); use > 0; use--) {
      const id = `toolu_${index}_${turn}_${use}`;
      if (luck.below(2) === 0) script.use(id, 'Bash', { command: `make ${words(luck, 1)}` });
      else
        script.use(id, 'Edit', {
          file_path: `${cwd}/${words(luck, 1)}.ts`,
          old_string: 'a',
          new_string: 'b',
        });
      if (luck.below(6) > 0) script.result(id, words(luck, 4));
    }
    if (luck.below(5) > 0) script.reply(`The ${words(luck, 2)} was fixed.`);
  }
  const bytes = script.bytes();
  const cuts = Array.from({ length: 3 }, () => luck.below(bytes.length + 1)).sort((a, b) => a - b);
  const { newEvents } = readWhole(bytes, { name: `${session}.jsonl` });
  return { session, bytes, newEvents, cuts };
}

function hookFiles(bytes: Buffer): HookFile[] {
  return hookCalls(bytes, { promptId: true }).map(({ payload, receipt }, index) =>
    hookFile(
      payload,
      `${receipt.spoolName}-${String(payload.session_id).slice(0, 2)}`,
      receipt.receivedAt,
      index,
    ),
  );
}

function hookFile(payload: object, name: string, at: number, index: number): HookFile {
  const { events } = hookEvents(payload, { spoolName: name, receivedAt: at });
  const needed = events.every(({ type }) => type === 'prompt.submitted' || type === 'tool.used');
  const modifiedNs = BigInt(at) * 1_000_000n + BigInt(index);
  return {
    name,
    bytes: Buffer.from(JSON.stringify(payload) + END_MARK),
    modifiedNs,
    newEvents: events,
    needed,
  };
}

/** The same payload, written by a second installation. */
function renamed({ name, bytes, modifiedNs }: HookFile): HookFile {
  const payload = JSON.parse(wholePayload(bytes)!.toString('utf8')) as object;
  return hookFile(payload, `${name}-again`, Number(modifiedNs / 1_000_000n), Number(modifiedNs % 1_000_000n));
}

function makeNewEvents(luck: Chance): NewEvent[] {
  return Array.from({ length: 1 + luck.below(7) }, (_, index): NewEvent => {
    const common = {
      agent: 'annals',
      session: null,
      dedupeKey: `told-${index}`,
      occurredAt: START + index * 500,
    };
    const cwd = `/home/u/${luck.below(2) === 0 ? 'app' : 'site'}`;
    switch (luck.below(4)) {
      case 0:
        return {
          ...common,
          type: 'workdir.seen',
          channel: 'cli',
          body: {
            cwd,
            root: cwd,
            commonDir: `${cwd}/.git`,
            remotes:
              luck.below(2) === 0
                ? []
                : [{ name: 'origin', url: `https://example.org/${words(luck, 1)}.git` }],
          },
        };
      case 1:
        return {
          ...common,
          type: 'project.linked',
          channel: 'cli',
          body: { cwd, project: luck.below(2) === 0 ? 'joined' : words(luck, 1) },
        };
      default:
        return {
          ...common,
          type: 'memory.saved',
          channel: 'api',
          body: { title: `Remember the ${words(luck, 1)}`, text: words(luck, 6), cwd },
        };
    }
  });
}

function words(luck: Chance, count: number): string {
  return Array.from({ length: count }, () => WORDS[luck.below(WORDS.length)]!).join(' ');
}
