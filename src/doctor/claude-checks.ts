// Claude Code's side: its plugin and switches, other memories that run beside ours, and transcripts that it is about to delete.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { isAnnalsError } from '../../log/index.ts';
import { parseTranscriptLine, stringOf } from '../agents/common/json-fields.ts';
import type { Annals } from '../api.ts';
import { settingsAt } from '../config/read-settings.ts';
import { exclusionOf } from '../home/exclusion.ts';
import { areScriptsCurrent, type InstallRequest, prepareHome } from '../install/home-scripts.ts';
import type { HookState } from '../install/hook-status.ts';
import { homePaths } from '../platform/home-paths.ts';
import { shellWords } from '../terminal-text/shell-words.ts';
import type { Check, Finding } from './check.ts';

const DAY_MS = 86_400_000;
/** Claude Code deletes transcripts after so many days, unless `cleanupPeriodDays` says otherwise. */
const KEPT_DAYS = 30;
const WARN_DAYS = 7;
const TRANSCRIPTS_MAX = 500;
/** Where the first prompt or answer of a transcript is. */
const HEAD_BYTES = 256 * 1024;
/** Of sub-agents beside their sessions the name is another one. */
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Memories that inject text at session start too, as their plugins or the commands of their hooks are named. */
const OTHER_MEMORIES: readonly (readonly [name: string, sign: RegExp])[] = [
  ['claude-mem', /\bclaude-mem\b/],
  ['Supermemory', /\bsupermemory\b/],
  ['Mem0', /\bmem0\b/],
  ['MemSearch', /\bmemsearch\b/],
  ['episodic-memory', /\bepisodic-memory\b/],
];

/** `stops`: no hook is run, so nothing is recorded. */
export type HookFinding = Finding & { readonly stops?: true };

/** Of the hooks, what only Claude Code has: the plugin, which installs them too, and switches for all hooks. */
export async function pluginAndSwitches(
  { installed, agent, byPlugin }: HookState,
  request: InstallRequest,
): Promise<readonly HookFinding[]> {
  if (installed !== true && !byPlugin) return [];
  const settings = settingsIn(agent.folder(request.machine));
  const switches = ['disableAllHooks', 'allowManagedHooksOnly']
    .filter((name) => settings[name] === true)
    .map(
      (name): HookFinding => ({
        state: 'problem',
        message: `Claude Code runs no hooks of yours: ${name} is set.`,
        advice: `Remove it from ${agent.hooks.settings.file(request.machine)}.`,
        stops: true,
      }),
    );
  if (!byPlugin) return switches;
  if (installed !== true) {
    const own = await pluginFinding(request);
    return switches.length > 0 && own.state === 'ok' ? switches : [...switches, own];
  }
  // There the hooks of the plugin do not run.
  if (request.machine.windows) return switches;
  return [
    {
      state: 'problem',
      message:
        'The hooks are installed twice: in the settings and by the plugin. Every event is reported twice.',
      advice: 'annals uninstall claude-code, or disable the plugin in Claude Code with /plugin.',
    },
    ...switches,
  ];
}

/** The plugin runs the script of the home, which it makes only where there is none. */
async function pluginFinding(request: InstallRequest): Promise<HookFinding> {
  if (request.machine.windows)
    return {
      state: 'problem',
      message: 'The hooks of the plugin do not run on Windows, so nothing is recorded.',
      advice: 'annals install claude-code, and disable the plugin in Claude Code with /plugin.',
      stops: true,
    };
  if (await areScriptsCurrent(request))
    return { state: 'ok', message: 'The hooks are installed by the plugin.' };
  return {
    state: 'problem',
    message: 'The plugin is enabled, but the scripts in the home are missing or not those of this version.',
    advice: 'annals doctor --fix writes them.',
    fix: async () => {
      await prepareHome(request);
      return 'Wrote the scripts in the home.';
    },
  };
}

/** By name. */
export function otherMemoriesIn(claudeFolder: string): readonly string[] {
  const settings = settingsIn(claudeFolder);
  const plugins = Object.entries(objectOf(settings.enabledPlugins)).filter(([, on]) => on === true);
  const texts = [...plugins.map(([name]) => name), JSON.stringify(settings.hooks ?? {})];
  return OTHER_MEMORIES.filter(([, sign]) => texts.some((text) => sign.test(text))).map(([name]) => name);
}

export function otherMemories(claudeFolder: string): Check {
  return {
    name: 'other memories',
    async look() {
      const found = otherMemoriesIn(claudeFolder);
      if (found.length === 0) return [{ state: 'ok', message: 'No other memory runs in Claude Code.' }];
      return found.map((name) => ({
        state: 'warning',
        message: `${name} runs in Claude Code too: new sessions are told the same things twice.`,
        advice: 'Keep one of the two.',
      }));
    },
  };
}

export function transcripts(
  claudeFolder: string,
  home: string,
  open: () => Promise<Annals>,
  now: () => number,
): Check {
  return {
    name: 'transcripts',
    async look() {
      const paths = homePaths(home);
      const { settings } = await settingsAt(paths.config, process.env);
      const isExcluded = exclusionOf(settings.exclude, paths, now);
      const days = settingsIn(claudeFolder).cleanupPeriodDays;
      const keptDays = typeof days === 'number' && days >= 0 ? days : KEPT_DAYS;
      const old = oldTranscripts(join(claudeFolder, 'projects'), now() - (keptDays - WARN_DAYS) * DAY_MS);
      const lost: string[] = [];
      const annals = await open();
      for (const path of old) {
        const work = workIn(path);
        if (work !== null && work.folder !== null && isExcluded(work.folder)) continue;
        if (work === null || !(await areRecorded(work.sessions, annals))) lost.push(path);
      }
      const kept = `Claude Code deletes transcripts after ${keptDays} days`;
      if (lost.length === 0)
        return [{ state: 'ok', message: `${kept}; none that is not recorded is due soon.` }];
      return [
        {
          state: 'warning',
          message: `${kept}, and ${lost.length} that ${lost.length === 1 ? 'is' : 'are'} not recorded ${lost.length === 1 ? 'is' : 'are'} due within ${WARN_DAYS} days.`,
          advice: shellWords(['annals', 'import', join(claudeFolder, 'projects')]),
          fix: async () => {
            const { sessions, unreadable, appended } = await annals.import(lost);
            return `Transcripts read: ${lost.length - unreadable.length}; sessions in them: ${sessions}; new events: ${appended}.`;
          },
        },
      ];
    },
  };
}

function oldTranscripts(folder: string, before: number): readonly string[] {
  const found: string[] = [];
  if (!existsSync(folder)) return found;
  for (const project of readdirSync(folder, { withFileTypes: true })) {
    if (!project.isDirectory()) continue;
    for (const name of readdirSync(join(folder, project.name))) {
      const path = join(folder, project.name, name);
      if (!name.endsWith('.jsonl') || found.length === TRANSCRIPTS_MAX) continue;
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isFile() === true && stat.mtimeMs < before && stat.size > 0) found.push(path);
    }
  }
  return found;
}

/** Whose work a transcript holds, and where. No sessions: summaries and snapshots alone. */
interface Work {
  readonly sessions: ReadonlySet<string>;
  readonly folder: string | null;
}

/** Null for a file that cannot be read. */
function workIn(path: string): Work | null {
  const head = headOf(path);
  if (head === null) return null;
  const name = basename(path, '.jsonl');
  const sessions = new Set<string>();
  let folder: string | null = null;
  for (const line of head.text.split('\n')) {
    const { type, isMeta, sessionId, cwd } = parseTranscriptLine(Buffer.from(line)) ?? {};
    if ((type !== 'user' && type !== 'assistant') || isMeta === true || typeof sessionId !== 'string')
      continue;
    if (sessions.size === 0) folder = stringOf(cwd);
    sessions.add(sessionId);
    if (sessionId === name) break;
  }
  // Old versions resume a session under a new id, in a copy of its file: what is new may come late.
  if (!head.isWhole && (sessions.size === 0 || SESSION_ID.test(name))) sessions.add(name);
  return { sessions, folder };
}

function headOf(path: string): { readonly text: string; readonly isWhole: boolean } | null {
  try {
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      const length = readSync(file, head, 0, HEAD_BYTES, 0);
      return { text: head.toString('utf8', 0, length), isWhole: length < HEAD_BYTES };
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

async function areRecorded(sessions: Iterable<string>, annals: Annals): Promise<boolean> {
  for (const session of sessions) if (!(await isRecorded(session, annals))) return false;
  return true;
}

/** From its transcript: hooks report less. One that was forgotten is not recorded again. */
async function isRecorded(session: string, annals: Annals): Promise<boolean> {
  try {
    for await (const { channel } of annals.log({ session })) if (channel === 'transcript') return true;
    return false;
  } catch {
    return isForgotten(session, annals);
  }
}

async function isForgotten(session: string, annals: Annals): Promise<boolean> {
  try {
    await annals.get(session);
    return false;
  } catch (error) {
    return isAnnalsError(error) && error.code === 'FORGOTTEN';
  }
}

/** Claude Code's own settings, as far as they can be read. */
function settingsIn(claudeFolder: string): Readonly<Record<string, unknown>> {
  try {
    const errors: ParseError[] = [];
    const text = readFileSync(join(claudeFolder, 'settings.json'), 'utf8').replace(/^\uFEFF/, '');
    return objectOf(parse(text, errors, { allowTrailingComma: true }));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
