// Records what a program reports of its session. Privacy is decided as for hooks: a private prompt makes its whole turn
// private, and what may belong to a private turn is not stored.
import { AnnalsError, type Log, type NewEvent, pagesAfter } from '../../log/index.ts';
import type { EndReport, PromptReport, ReportOutcome, SessionReport, ToolReport } from '../api/report.ts';
import { isPrivatePrompt } from '../capture/text/tags.ts';
import type { Home } from '../home/home.ts';
import { recordWorkdirs } from '../home/record-workdirs.ts';
import { cleanEvents } from './clean-events.ts';

/** Agents with hooks, and our own name: their sessions are reported by other ways. */
const OTHER_WAYS: ReadonlySet<string> = new Set(['claude-code', 'annals']);
const SESSIONS_MAX = 500;
/** Beginnings of the names that prompts get. */
const PRIVATE = 'private-';
const PUBLIC = 'prompt-';

/** What decides whether a report of a session is stored. */
interface SessionPrivacy {
  hasPrivate: boolean;
  lastIsPrivate: boolean;
  /** For reports that name none: an excluded one, once there was any; else the last. The log cannot tell: it lacks the excluded. */
  folder: string | null;
}

export class SessionReports {
  readonly #home: Home;
  readonly #randomBytes: (size: number) => Uint8Array;
  /** The sessions used last. */
  readonly #sessions = new Map<string, Promise<SessionPrivacy>>();

  constructor(home: Home, randomBytes: (size: number) => Uint8Array) {
    this.#home = home;
    this.#randomBytes = randomBytes;
  }

  /** Resolves when the report is on disk. @throws AnnalsError INPUT_INVALID */
  async record(report: SessionReport): Promise<ReportOutcome> {
    if (!/^[a-z][a-z0-9-]{0,39}$/.test(report.agent) || OTHER_WAYS.has(report.agent))
      throw new AnnalsError('INPUT_INVALID', 'The agent’s name cannot be used for reports.', {
        hint: 'Lower-case letters, digits and hyphens; Claude Code reports by its hooks.',
      });
    if (report.session.trim() === '' || report.session.length > 500)
      throw new AnnalsError('INPUT_INVALID', 'A session id has 1 to 500 characters.');
    const privacy = await this.#privacyOf(report.agent, report.session);
    if (report.kind === 'prompt') {
      privacy.lastIsPrivate = isPrivatePrompt(report.text);
      privacy.hasPrivate ||= privacy.lastIsPrivate;
    }
    if (this.#isExcluded(report, privacy)) return { outcome: 'excluded', prompt: null };
    if (report.kind === 'prompt') return this.#prompt(report, privacy);
    const isPrivate = mayBePrivate(report, privacy);
    if (report.kind === 'end') return this.#end(report, isPrivate);
    return isPrivate ? { outcome: 'private', prompt: null } : this.#append(report, [this.#toolUsed(report)]);
  }

  #isExcluded({ kind, cwd }: SessionReport, privacy: SessionPrivacy): boolean {
    const { excluded } = this.#home;
    if (cwd !== undefined && (privacy.folder === null || !excluded(privacy.folder))) privacy.folder = cwd;
    // It has neither text nor folder, and its turn has to be private after a restart too.
    if (kind === 'prompt' && cwd === undefined && privacy.lastIsPrivate) return false;
    return excluded(cwd ?? privacy.folder);
  }

  async #prompt(report: PromptReport, privacy: SessionPrivacy): Promise<ReportOutcome> {
    const isPrivate = privacy.lastIsPrivate;
    const prompt = `${isPrivate ? PRIVATE : PUBLIC}${this.#name()}`;
    const { outcome } = await this.#append(report, [
      {
        ...this.#envelope(report),
        type: 'prompt.submitted',
        dedupeKey: prompt,
        body: {
          text: isPrivate ? null : report.text,
          private: isPrivate,
          via: 'hook',
          source: 'api',
          promptId: prompt,
          ...folderOf(report),
        },
      },
    ]);
    if (outcome === 'forgotten') return { outcome, prompt: null };
    return { outcome: isPrivate ? 'private' : outcome, prompt };
  }

  #toolUsed(report: ToolReport): NewEvent<'tool.used'> {
    const { id = this.#name(), name, input, result, outcome = 'ok', error, durationMs, prompt } = report;
    return {
      ...this.#envelope(report),
      type: 'tool.used',
      dedupeKey: id,
      body: {
        toolUseId: id,
        name,
        input: (input ?? null) as never,
        outcome,
        result: result ?? null,
        error: error ?? null,
        durationMs: durationMs ?? null,
        promptId: prompt ?? null,
        ...folderOf(report),
      },
    };
  }

  /** The session's end is recorded in any case; the answer only if its turn is not private. */
  #end(report: EndReport, isPrivate: boolean): Promise<ReportOutcome> {
    const { answer, prompt, reason } = report;
    const events: NewEvent[] = [];
    if (answer !== undefined && !isPrivate)
      events.push({
        ...this.#envelope(report),
        type: 'agent.stopped',
        dedupeKey: this.#name(),
        body: { reason: 'stop', text: answer, promptId: prompt ?? null, ...folderOf(report) },
      });
    events.push({
      ...this.#envelope(report),
      type: 'session.ended',
      dedupeKey: this.#name(),
      body: { reason: reason ?? null, ...folderOf(report) },
    });
    return this.#append(report, events);
  }

  async #append(report: SessionReport, events: readonly NewEvent[]): Promise<ReportOutcome> {
    const outcomes = (await this.#home.log.append(cleanEvents(events))).map(({ outcome }) => outcome);
    if (outcomes.includes('forgotten')) return { outcome: 'forgotten', prompt: null };
    if (report.cwd !== undefined) await recordWorkdirs([report.cwd], this.#home);
    return { outcome: outcomes.includes('appended') ? 'recorded' : 'duplicate', prompt: null };
  }

  #envelope({ agent, session, at }: SessionReport) {
    return { agent, session, channel: 'api', occurredAt: at ?? this.#home.now() } as const;
  }

  #name(): string {
    return Buffer.from(this.#randomBytes(12)).toString('hex');
  }

  #privacyOf(agent: string, session: string): Promise<SessionPrivacy> {
    const name = JSON.stringify([agent, session]);
    const known = this.#sessions.get(name) ?? readPrivacy(this.#home.log, agent, session);
    this.#sessions.delete(name);
    this.#sessions.set(name, known);
    known.catch(() => this.#sessions.delete(name));
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= SESSIONS_MAX) break;
      this.#sessions.delete(oldest);
    }
    return known;
  }
}

/** Without the name of its prompt, a tool use may belong to any turn of the session, and an answer belongs to the last. */
function mayBePrivate({ kind, prompt }: ToolReport | EndReport, privacy: SessionPrivacy): boolean {
  if (prompt?.startsWith(PRIVATE)) return true;
  if (prompt?.startsWith(PUBLIC)) return false;
  return kind === 'tool' ? privacy.hasPrivate : privacy.lastIsPrivate;
}

async function readPrivacy(log: Log, agent: string, session: string): Promise<SessionPrivacy> {
  const privacy: SessionPrivacy = { hasPrivate: false, lastIsPrivate: false, folder: null };
  for await (const { events } of pagesAfter(0, (after) => log.pageBySession({ agent, session, after })))
    for (const event of events) {
      if (event.type !== 'prompt.submitted') continue;
      privacy.lastIsPrivate = event.body.private;
      privacy.hasPrivate ||= event.body.private;
    }
  return privacy;
}

function folderOf({ cwd }: SessionReport): { readonly cwd: string | null } {
  return { cwd: cwd ?? null };
}
