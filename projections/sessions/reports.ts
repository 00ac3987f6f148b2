// From an event's body to the telling that a row keeps: what turns, documents and rules need, without what only
// the log has to hold (results, file contents). Fields that were not told are undefined, so rows, which are JSON,
// stay small. Each telling is one literal with all of its fields: V8 lays such an object out at once, where one that
// is spread together grows field by field and costs ten times as much (14 µs against 1 for a tool use).
import type { EventData, Json } from '../../log/index.ts';
import { cutMiddle } from './cut-middle.ts';
import { resultTail } from './result-tail.ts';
import type { PromptReport, ReplyReport, SessionReport, StopReport, ToolReport } from './session-rows.ts';

/** A command or a path is short; what is longer than this is content. 2,000 characters. */
const INPUT_FIELD_CHARS_MAX = 2_000;
const INPUT_FIELDS_MAX = 24;
/** An error's first and last lines say it; the whole is in the log. 4,000 characters. */
const ERROR_CHARS_MAX = 4_000;
/** Fields of tool inputs that hold file contents. */
const CONTENT_FIELDS = new Set(['content', 'new_string', 'old_string', 'edits', 'new_source', 'file_text']);

export function promptReport(event: EventData<'prompt.submitted'>): PromptReport {
  const { body } = event;
  return {
    event: event.id,
    channel: event.channel,
    dedupeKey: event.dedupeKey,
    at: event.occurredAt ?? undefined,
    uuid: body.uuid ?? undefined,
    offset: body.offset ?? undefined,
    promptId: body.promptId ?? undefined,
    promptUuid: body.promptUuid ?? undefined,
    branch: body.branch ?? undefined,
    cwd: cwdOf(event.channel, body.cwd),
    via: body.via,
    kind: body.kind,
    text: body.text ?? undefined,
    author: body.author === 'agent' ? 'agent' : undefined,
    feedback: body.feedback ?? undefined,
    private: body.private || undefined,
    permissionMode: body.permissionMode ?? undefined,
    images: body.images || undefined,
  };
}

export function toolReport(event: EventData<'tool.used'> | EventData<'tool.unanswered'>): ToolReport {
  const { body } = event;
  const used = event.type === 'tool.used' ? event.body : undefined;
  return {
    event: event.id,
    channel: event.channel,
    dedupeKey: event.dedupeKey,
    at: event.occurredAt ?? undefined,
    uuid: body.uuid ?? undefined,
    offset: body.offset ?? undefined,
    promptId: body.promptId ?? undefined,
    promptUuid: body.promptUuid ?? undefined,
    branch: body.branch ?? undefined,
    cwd: cwdOf(event.channel, body.cwd),
    agentId: body.agentId ?? undefined,
    sidechain: body.sidechain || undefined,
    requestSession: body.requestSession ?? undefined,
    name: body.name,
    input: shortInput(body.input),
    outcome: used?.outcome,
    error: used?.error ? cutMiddle(used.error, ERROR_CHARS_MAX) : undefined,
    resultTail: used === undefined ? undefined : resultTail(used),
    durationMs: used?.durationMs ?? undefined,
    endedAt: used?.endedAt ?? undefined,
    messageId: body.messageId ?? undefined,
    usage: body.usage ?? undefined,
    model: body.model ?? undefined,
    launchedAgentId: used?.launchedAgentId ?? undefined,
  };
}

export function replyReport(event: EventData<'agent.replied'>): ReplyReport {
  const { body } = event;
  return {
    event: event.id,
    channel: event.channel,
    dedupeKey: event.dedupeKey,
    at: event.occurredAt ?? undefined,
    uuid: body.uuid ?? undefined,
    offset: body.offset ?? undefined,
    promptId: body.promptId ?? undefined,
    promptUuid: body.promptUuid ?? undefined,
    branch: body.branch ?? undefined,
    cwd: cwdOf(event.channel, body.cwd),
    agentId: body.agentId ?? undefined,
    sidechain: body.sidechain || undefined,
    requestSession: body.requestSession ?? undefined,
    text: body.text ?? undefined,
    messageId: body.messageId ?? undefined,
    block: body.block ?? undefined,
    usage: body.usage ?? undefined,
    model: body.model ?? undefined,
    stopReason: body.stopReason ?? undefined,
    compaction: body.compaction || undefined,
    recap: body.recap || undefined,
  };
}

export function stopReport(event: EventData<'agent.stopped'>): StopReport {
  const { body } = event;
  return {
    event: event.id,
    channel: event.channel,
    dedupeKey: event.dedupeKey,
    at: event.occurredAt ?? undefined,
    uuid: body.uuid ?? undefined,
    offset: body.offset ?? undefined,
    promptId: body.promptId ?? undefined,
    promptUuid: body.promptUuid ?? undefined,
    branch: body.branch ?? undefined,
    cwd: cwdOf(event.channel, body.cwd),
    agentId: body.agentId ?? undefined,
    sidechain: body.sidechain || undefined,
    reason: body.reason,
    error: body.error ?? undefined,
    text: body.text ?? undefined,
    durationMs: body.durationMs ?? undefined,
  };
}

export function sessionReport(
  event:
    | EventData<'session.started'>
    | EventData<'session.ended'>
    | EventData<'session.continued'>
    | EventData<'session.titled'>,
): SessionReport {
  const head = {
    event: event.id,
    channel: event.channel,
    at: event.occurredAt ?? undefined,
    offset: event.body.offset ?? undefined,
  };
  switch (event.type) {
    case 'session.started': {
      const { source, cwd, branch, model, agentVersion } = event.body;
      return {
        ...head,
        type: 'started',
        word: source ?? undefined,
        cwd: cwd ?? undefined,
        branch: branch ?? undefined,
        model: model ?? undefined,
        agentVersion: agentVersion ?? undefined,
      };
    }
    case 'session.ended': {
      const { reason, cwd, branch } = event.body;
      return {
        ...head,
        type: 'ended',
        word: reason ?? undefined,
        cwd: cwd ?? undefined,
        branch: branch ?? undefined,
      };
    }
    case 'session.continued':
      return { ...head, type: 'continued', word: event.body.into };
    case 'session.titled':
      return { ...head, type: 'titled', word: event.body.source, title: event.body.title };
  }
}

/** Only where no line tells it: a transcript's session start already does. */
function cwdOf(channel: string, cwd: string | null): string | undefined {
  return channel === 'transcript' ? undefined : (cwd ?? undefined);
}

/** What a tool asks the person: a list of questions, each with its answers to choose from. */
function questionsIn(list: Json | undefined): string {
  if (!Array.isArray(list)) return '';
  return list
    .flatMap((one: Json) => {
      const { question } = (typeof one === 'object' && one !== null ? one : {}) as {
        readonly question?: Json;
      };
      return typeof question === 'string' ? [question] : [];
    })
    .join('\n');
}

function shortInput(input: Json): Record<string, string | number | boolean> {
  const short: Record<string, string | number | boolean> = {};
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return short;
  let fields = 0;
  for (const name in input) {
    const value = (input as Readonly<Record<string, Json>>)[name];
    if (CONTENT_FIELDS.has(name) || fields >= INPUT_FIELDS_MAX) continue;
    if (typeof value === 'string') short[name] = cutMiddle(value, INPUT_FIELD_CHARS_MAX);
    else if (name === 'questions') short.questions = cutMiddle(questionsIn(value), INPUT_FIELD_CHARS_MAX);
    else if (typeof value === 'number' || typeof value === 'boolean') short[name] = value;
    else continue;
    fields++;
  }
  return short;
}
