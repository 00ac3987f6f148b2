// Builds the complete item for `show`. Texts come from the log's events, which hold more than any view.
import { isoTime, type Json, type LogEvent } from '../../log/index.ts';
import {
  comparableWords,
  documentEvents,
  type ItemRow,
  isItemRow,
  type MemoryDocument,
  memoryKeys,
  type ObservationRow,
  onlyReportsUsage,
  readPrompt,
  readReply,
  readStop,
  readTool,
  rewrittenCommits,
  rowWithRewritten,
  type SessionRow,
  type SummaryRow,
  sessionKeys,
  stepText,
  type TurnRow,
  toolTitle,
  type ViewReader,
} from '../../projections/index.ts';
import type { ShownItem } from '../api.ts';
import { itemMarks } from '../home/item-marks.ts';
import { notedDocument } from '../overtaken/noted-document.ts';
import { originDetails, originOf } from './import-origin.ts';
import type { ItemSources, ResolvedItem } from './resolve-id.ts';

/** Fields of a row that the item shows outside `details`. */
const COMMON_FIELDS = new Set([
  'id',
  'type',
  'title',
  'agent',
  'session',
  'workdir',
  'at',
  'order',
  'files',
  'events',
  'marks',
]);

interface ShownSources extends ItemSources {
  readonly context: ViewReader;
}

/** Returns the name of a workdir's project. */
export type ProjectNames = (workdir: string) => Promise<string>;

export async function showItem(
  found: ResolvedItem,
  sources: ShownSources,
  projectName: ProjectNames,
): Promise<ShownItem> {
  switch (found.kind) {
    case 'document':
      return documentItem(found.document, sources, projectName);
    case 'turn':
      return turnItem(found.turn, found.items, sources, projectName);
    case 'session':
      return sessionItem(found.session, sources, projectName);
    case 'event':
      return eventItem(found.event);
  }
}

async function documentItem(
  document: MemoryDocument,
  { log, memory, context }: ShownSources,
  projectName: ProjectNames,
): Promise<ShownItem> {
  if (document.kind === 'observation' || document.kind === 'summary')
    return observedItem(document, { memory, context }, projectName);
  const events = (await log.getMany(document.events)).filter((event) => event !== undefined);
  const used = events.find((event) => event.type === 'tool.used');
  const origin = originOf(events);
  const { id, kind, type, title, session, agent, at, files, marks } = document;
  return {
    id,
    kind,
    type,
    ...itemMarks(marks),
    title,
    text: textOfDocument(document, events, used),
    project: await projectName(document.workdir),
    session,
    agent,
    at: isoTime(at),
    files,
    events: await documentEvents(document, memory),
    details: {
      ...ownWords(document),
      turn: document.turn,
      agentId: document.agentId,
      tokens: document.tokens,
      ...(document.author === undefined ? {} : { author: document.author }),
      ...toolDetails(used),
      ...originDetails(origin),
    },
  };
}

function textOfDocument(
  { kind, body, marks }: MemoryDocument,
  events: readonly LogEvent[],
  used: Parameters<typeof toolText>[0] | undefined,
): string {
  if (marks?.edited !== undefined) return body;
  if (used !== undefined) return toolText(used);
  // An imported memory has several texts, and older versions.
  return kind === 'imported' ? body : (wordsOf(events) ?? body);
}

/** What an edited item said before. */
function ownWords({ marks }: MemoryDocument): Record<string, Json> {
  const own = marks?.edited?.own;
  return own === undefined ? {} : { before: { title: own.title, text: own.body } };
}

/** An observation or a summary: its own text, and the row behind it with its evidence. */
async function observedItem(
  document: MemoryDocument,
  { memory, context }: Pick<ShownSources, 'memory' | 'context'>,
  projectName: ProjectNames,
): Promise<ShownItem> {
  const { id, kind, type, title, session, agent, at, files, tokens, marks } = document;
  const { body } = await notedDocument(document, { memory, context });
  const rowKey = kind === 'observation' ? memoryKeys.observation(id) : memoryKeys.summary(id);
  const found = await memory.get<ObservationRow | SummaryRow>(rowKey);
  const row = found && rowWithRewritten(found, await rewrittenCommits(memory, session));
  const steps = row !== undefined && 'nextSteps' in row ? { nextSteps: row.nextSteps.map(stepText) } : {};
  const fields = Object.entries({ ...row, ...steps } as Record<string, Json>);
  const details = Object.fromEntries(fields.filter(([field]) => !COMMON_FIELDS.has(field)));
  return {
    id,
    kind,
    type,
    ...itemMarks(marks),
    title,
    text: body,
    project: await projectName(document.workdir),
    session,
    agent,
    at: isoTime(at),
    files,
    events: await documentEvents(document, memory),
    details: { ...ownWords(document), ...details, tokens },
  };
}

/** The longest text of all channels: a hook's may be cut shorter than the transcript's. */
function wordsOf(events: readonly LogEvent[]): string | null {
  const texts = events
    .map((event) => ('text' in event.body ? (event.body.text as string | null) : null))
    .filter((text) => text !== null);
  return texts.sort((a, b) => b.length - a.length)[0] ?? null;
}

function toolText({ body }: Extract<LogEvent, { type: 'tool.used' }>): string {
  return body.result ?? body.error ?? '';
}

function toolDetails(event: Extract<LogEvent, { type: 'tool.used' }> | undefined): Record<string, Json> {
  if (event === undefined) return {};
  const { name, outcome, error, durationMs, input, detail } = event.body;
  return { tool: name, outcome, error, durationMs, input, detail };
}

async function turnItem(
  turn: TurnRow,
  items: readonly ItemRow[],
  { memory }: ItemSources,
  projectName: ProjectNames,
): Promise<ShownItem> {
  const listed = withoutRepeats(items);
  const documents = await memory.getMany(listed.map(({ id }) => memoryKeys.document(id)));
  const lines = listed.map((item, index) => ({
    ...lineOf(item),
    id: documents[index] !== undefined || isCopyOfDocument(item) ? item.id : null,
  }));
  const prompt = items.find((item) => item.id === turn.prompt);
  return {
    id: turn.id,
    kind: 'turn',
    type: null,
    title: prompt === undefined ? 'Before the first prompt' : lineOf(prompt).text,
    text: lines.map((line) => `${line.kind.padEnd(7)} ${line.text}`).join('\n'),
    project: await projectName(turn.workdir),
    session: turn.session,
    agent: turn.agent,
    at: isoTime(turn.startedAt),
    files: [],
    events: items.flatMap(eventsIn),
    details: {
      private: turn.private,
      forgotten: turn.forgotten,
      inherited: turn.inherited,
      unfinished: turn.unfinished,
      endedAt: isoTime(turn.endedAt),
      counts: { ...turn.counts },
      usage: { ...turn.usage },
      items: lines,
    },
  };
}

/** The transcript and the hook both report a turn's end; the same text is shown once. A report of usage is no line. */
function withoutRepeats(items: readonly ItemRow[]): readonly ItemRow[] {
  const shown = new Set<string>();
  return items.filter((item) => {
    if (item.kind === 'reply' && onlyReportsUsage(readReply(item))) return false;
    if (item.kind !== 'reply' && item.kind !== 'stop') return true;
    const text = comparableWords(textOf(item)).head;
    const isRepeat = item.kind === 'stop' && shown.has(text);
    shown.add(text);
    return !isRepeat;
  });
}

/** A copy has no document of its own; its id resolves to the one in its owner session. */
function isCopyOfDocument(item: ItemRow): boolean {
  return item.owner !== null && (item.kind === 'tool' || (reportedText(item) ?? '').trim() !== '');
}

function lineOf(item: ItemRow) {
  const { kind, reports } = item;
  const agentId = reports.find((report) => report.agentId !== undefined)?.agentId ?? null;
  const events = eventsIn(item);
  return { kind, text: oneLine(textOf(item)), at: isoTime(item.at), agentId, events, ...moreOf(item) };
}

/** Without those that were forgotten. */
function eventsIn({ reports }: ItemRow): string[] {
  return reports.flatMap((report) => ('forgotten' in report ? [] : [report.event]));
}

/** What a tool use did, and which sub-agent it launched; whether a reply is a compaction's summary of what was said before. */
function moreOf(item: ItemRow) {
  if (item.kind === 'reply') return readReply(item).compaction === true ? { compaction: true } : {};
  if (item.kind !== 'tool') return {};
  const { name, input, outcome = null, error, launchedAgentId } = readTool(item);
  return {
    tool: { name, title: oneLine(toolTitle(name, input)), outcome, error: oneLine(error ?? '') },
    ...(launchedAgentId === undefined ? {} : { launched: launchedAgentId }),
  };
}

function textOf(item: ItemRow): string {
  switch (item.kind) {
    case 'prompt':
      return reportedText(item) ?? (readPrompt(item).forgotten === undefined ? '[private]' : '[forgotten]');
    case 'reply':
      return reportedText(item) ?? '[thinking]';
    case 'stop': {
      const { reason, error } = readStop(item);
      return reportedText(item) ?? `${reason}${error === undefined ? '' : `: ${error}`}`;
    }
    case 'tool': {
      const { name, input, outcome, error, endedAt } = readTool(item);
      const what = Object.values(input).find((value) => typeof value === 'string') ?? '';
      return `${name} ${what} → ${outcome ?? (endedAt === undefined ? 'unanswered' : 'outcome unknown')}${error === undefined ? '' : `: ${error}`}`;
    }
  }
}

function reportedText(item: Exclude<ItemRow, { readonly kind: 'tool' }>): string | undefined {
  switch (item.kind) {
    case 'prompt':
      return readPrompt(item).text;
    case 'reply':
      return readReply(item).text;
    case 'stop':
      return readStop(item).text;
  }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 159).toWellFormed()}…`;
}

async function sessionItem(
  session: SessionRow,
  { log, turns }: ItemSources,
  projectName: ProjectNames,
): Promise<ShownItem> {
  const found = await turns.range<TurnRow | ItemRow>(sessionKeys.turns(session.agent, session.session));
  const rows = found.flatMap(([, row]) => (isItemRow(row) ? [] : [row]));
  rows.sort((a, b) => (a.order < b.order ? -1 : 1));
  const titled = await Promise.all(
    rows.map(async (row) => {
      const prompt =
        row.prompt === null
          ? undefined
          : await turns.get<ItemRow>(sessionKeys.item(row.agent, row.session, row.id, row.prompt));
      return {
        id: row.id,
        title: prompt === undefined ? 'Before the first prompt' : oneLine(textOf(prompt)),
        inherited: row.inherited,
        unfinished: row.unfinished,
        at: isoTime(row.startedAt),
        endedAt: isoTime(row.endedAt),
        toolUses: row.counts.toolUses,
        failed: row.counts.failed,
      };
    }),
  );
  return {
    id: session.session,
    kind: 'session',
    type: null,
    title:
      session.title ??
      titled.find(({ title, inherited }, index) => {
        const { prompt, private: isPrivate, forgotten } = rows[index]!;
        return title !== '' && !inherited && prompt !== null && !isPrivate && !forgotten;
      })?.title ??
      session.session,
    text: titled.map((turn) => `${turn.id}  ${turn.title}`).join('\n'),
    project: await projectName(session.workdir),
    session: session.session,
    agent: session.agent,
    at: isoTime(session.startedAt),
    files: [],
    events: session.reports.map((report) => report.event),
    details: {
      workdir: session.workdir,
      branch: session.branch,
      endedAt: isoTime(session.endedAt),
      endReason: session.endReason,
      starts: session.starts,
      continuedIn: session.continuedIn,
      counts: { ...session.counts },
      copies: session.copies,
      usage: { ...session.usage },
      forgotten: await forgottenOf(session, log),
      turns: titled,
    },
  };
}

/** How many events of a session were forgotten when. What they were and where is gone with them. */
async function forgottenOf({ agent, session }: SessionRow, log: ItemSources['log']) {
  return (await log.forgettings()).flatMap(({ occurredAt, recordedAt, body }) => {
    const ids = body.events.flatMap((of) => (of.agent === agent && of.session === session ? of.ids : []));
    return ids.length === 0 ? [] : [{ at: isoTime(occurredAt ?? recordedAt), events: ids.length }];
  });
}

function eventItem(event: LogEvent): ShownItem {
  return {
    id: event.id,
    kind: 'event',
    type: event.type,
    title: `${event.type} from ${event.channel}`,
    text: wordsOf([event]) ?? '',
    project: null,
    session: event.session,
    agent: event.agent,
    at: isoTime(event.occurredAt),
    files: [],
    events: [event.id],
    details: {
      position: event.position,
      dedupeKey: event.dedupeKey,
      recordedAt: isoTime(event.recordedAt),
      body: event.body as Json,
    },
  };
}
