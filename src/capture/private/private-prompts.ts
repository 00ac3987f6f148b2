// The private prompts that the log knows, from any channel: if only a hook reported a prompt as private, its line in the
// transcript looks public, and so does everything that follows it. They are kept as cursors, one each, so that an import
// need not read the log for them. Forgetting a private prompt names it in the `memory.forgotten` event. So the cursors
// can be made again from the events, after a restore and after the import of an export.
import {
  type CursorWrite,
  type Log,
  type NamedEvent,
  nameOfPrivatePrompt,
  type PrivatePrompt,
  parsePrivatePrompt,
  pushTo,
} from '../../../log/index.ts';
import { pendingMark } from './private-marks.ts';
import { PublicPrompts } from './public-prompts.ts';

const PREFIX = 'private ';
/** Set while the cursors are complete. */
const COMPLETE = 'private-prompts';
const PRIVATE = Buffer.from('"private":true');

/** A hook runs within moments of the line that its program writes. */
const NEAR_MS = 10_000;

/** What a transcript's line says of a prompt. */
export interface PromptLine {
  readonly agent: string;
  readonly session: string;
  readonly uuid: string | null;
  readonly promptId: string | null;
  /** Unix ms. */
  readonly at: number | null;
  /** The first line of the run with its promptId. */
  readonly opensRun: boolean;
  /** Time of the private prompt that was read before this line, Unix ms. */
  readonly privateAt: number | null;
  /** The line's text as it is recorded. */
  text(): string | null;
}

export class PrivatePrompts {
  readonly publicPrompts = new PublicPrompts();
  readonly #names = new Set<string>();
  readonly #bySession = new Map<string, PrivatePrompt[]>();
  readonly #byPromptId = new Map<string, PrivatePrompt[]>();
  readonly #uuids = new Set<string>();
  /** Copies of a line may have other ids, but keep its time. */
  readonly #lineTimes = new Set<number>();

  add(names: Iterable<string>): void {
    for (const name of names) {
      const prompt = this.#names.has(name) ? null : parsePrivatePrompt(name);
      if (prompt === null) continue;
      this.#names.add(name);
      const { agent, session, promptId, uuid, at } = prompt;
      pushTo(this.#bySession, keyOf(agent, session), prompt);
      if (promptId !== null) pushTo(this.#byPromptId, promptId, prompt);
      if (uuid === null) continue;
      this.#uuids.add(uuid);
      if (at !== null) this.#lineTimes.add(at);
    }
  }

  /** Whether a line is the prompt of one of these, in its own session or in a copy. */
  includes(line: PromptLine): boolean {
    const { agent, session, uuid, promptId, at, opensRun, privateAt } = line;
    if (uuid !== null && this.#uuids.has(uuid)) return true;
    if (at !== null && this.#lineTimes.has(at)) return true;
    // A hook that ran nearer to another private line reported that one.
    const mayBe = (one: PrivatePrompt) => {
      if (one.channel !== 'hook') return false;
      const lines = (this.#bySession.get(keyOf(one.agent, one.session)) ?? []).filter(isLine);
      const times = [privateAt, ...lines.map((line) => line.at)].filter(
        (time) => time !== null && time !== at,
      );
      return !times.some((time) => isNear(one, time) && distance(one, time) <= distance(one, at));
    };
    const sameRun = promptId === null ? [] : (this.#byPromptId.get(promptId) ?? []).filter(mayBe);
    const inSession = (this.#bySession.get(keyOf(agent, session)) ?? []).filter(mayBe);
    const candidates = [
      // The line that opens a run may be dated long after its hook, because other hooks are slow.
      ...sameRun.filter((one) => isNear(one, at) || (opensRun && isBefore(one, at))),
      ...inSession.filter((one) => (one.promptId === null || promptId === null) && isNear(one, at)),
    ];
    return candidates.some((one) => !this.publicPrompts.has(line, one));
  }

  /** Whether one of these was asked in this run between two times, Unix ms. */
  hidesRun(promptId: string | null, after: number | null, until: number | null): boolean {
    const sameRun = promptId === null ? [] : (this.#byPromptId.get(promptId) ?? []);
    return sameRun.some(({ at }) => at !== null && at > (after ?? 0) && at <= (until ?? 0));
  }

  /** How many of a session hooks reported until this time, Unix ms. */
  countFromHooks(agent: string, session: string, until: number): number {
    const inSession = this.#bySession.get(keyOf(agent, session)) ?? [];
    return inSession.filter(({ channel, at }) => channel === 'hook' && (at ?? 0) <= until + NEAR_MS).length;
  }

  /** When the first of a session was asked, Unix ms. Null when there is none. */
  firstOf(agent: string, session: string): number | null {
    const inSession = this.#bySession.get(keyOf(agent, session)) ?? [];
    return inSession.length === 0 ? null : Math.min(...inSession.map(({ at }) => at ?? 0));
  }
}

/** Names of the events that are private prompts. */
export function privatePromptNames(
  events: readonly (Omit<NamedEvent, 'type' | 'body'> & { readonly type: string; readonly body: object })[],
): readonly string[] {
  return events
    .filter(
      ({ type, session, body }) =>
        type === 'prompt.submitted' && session !== null && 'private' in body && body.private === true,
    )
    .map((event) => nameOfPrivatePrompt(event as NamedEvent));
}

/** To be written no later than the prompts themselves. Parts of their turns may be stored, so their sessions are marked. */
export function privatePromptWrites(names: readonly string[]): readonly CursorWrite[] {
  return names.flatMap((name) => [privatePromptCursor(name), pendingMark(parsePrivatePrompt(name)!)]);
}

export function privatePromptCursor(name: string): CursorWrite {
  return { key: name, value: true };
}

/** Written before events of another log are imported: they may hold private prompts. */
export const INCOMPLETE: CursorWrite = { key: COMPLETE, value: null };

type PromptLog = Pick<Log, 'append' | 'cursor' | 'cursors' | 'scan' | 'forgettings'>;

export async function loadPrivatePrompts(log: PromptLog): Promise<PrivatePrompts> {
  await completePrivatePrompts(log);
  const prompts = new PrivatePrompts();
  prompts.add((await log.cursors(PREFIX)).map(({ key }) => key));
  return prompts;
}

/** The private prompts of one session. */
export async function privatePromptsIn(
  log: Pick<Log, 'cursors'>,
  agent: string,
  session: string,
): Promise<readonly PrivatePrompt[]> {
  const found = (await log.cursors(prefixOf(agent, session))).map(({ key }) => parsePrivatePrompt(key));
  return found.filter((prompt) => prompt !== null);
}

/** Makes the cursors from the events, if they may be incomplete. */
export async function completePrivatePrompts(log: PromptLog): Promise<void> {
  if ((await log.cursor(COMPLETE)) !== undefined) return;
  const names = new Set<string>();
  for (const { body } of await log.forgettings())
    for (const name of body.names) if (parsePrivatePrompt(name) !== null) names.add(name);
  for await (const event of log.scan((record) => record.includes(PRIVATE)))
    for (const name of privatePromptNames([event])) names.add(name);
  for (const { key } of await log.cursors(PREFIX)) names.delete(key);
  await log.append([], { cursors: [...privatePromptWrites([...names]), { key: COMPLETE, value: true }] });
}

function isLine({ channel }: PrivatePrompt): boolean {
  return channel === 'transcript';
}

function isNear(prompt: PrivatePrompt, at: number | null): boolean {
  return distance(prompt, at) <= NEAR_MS;
}

/** Milliseconds; 0 when a time is unknown. */
function distance({ at: other }: PrivatePrompt, at: number | null): number {
  return at === null || other === null ? 0 : Math.abs(at - other);
}

function isBefore({ at: other }: PrivatePrompt, at: number | null): boolean {
  return at === null || other === null || other <= at;
}

function prefixOf(agent: string, session: string): string {
  return `${PREFIX}${[agent, session].map((part) => encodeURIComponent(part.toWellFormed())).join(' ')} `;
}

function keyOf(agent: string, session: string): string {
  return JSON.stringify([agent, session]);
}
