// Makes the report that a row keeps of an event: what turns, documents and rules need, without results and file contents,
// which stay in the log. A missing field is undefined and so takes no space in the row, which is JSON. Each report is
// one literal with all of its fields: V8 allocates such an object at once, while an object made by spreading others grows
// field by field (1 µs against 14 for a tool use).
import type { BodyOf, EventData, ForgottenPrompt } from '../../log/index.ts';
import { printedBranch } from '../extract/shell/printed-branch.ts';
import { commandLine, toolKind } from '../tools/known-tools.ts';
import type { PromptReport, ReplyReport, SessionReport, StopReport, ToolReport } from './session-rows.ts';
import { errorExcerpt, inputExcerpt, linesIn, printsFailure, resultTail } from './tool-excerpts.ts';
import { earlier } from './totals.ts';

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

/** What a forgetting leaves of a prompt. */
export function forgottenPromptReport(left: ForgottenPrompt): PromptReport {
  return {
    event: left.event,
    channel: left.channel,
    dedupeKey: left.dedupeKey,
    at: left.at ?? undefined,
    uuid: left.uuid ?? undefined,
    offset: left.offset ?? undefined,
    promptId: left.promptId ?? undefined,
    promptUuid: left.promptUuid ?? undefined,
    requestSession: left.requestSession ?? undefined,
    via: left.via,
    kind: left.kind,
    forgotten: left.prompt,
  };
}

export function toolReport(event: EventData<'tool.used'> | EventData<'tool.unanswered'>): ToolReport {
  const { body } = event;
  const used = event.type === 'tool.used' ? event.body : undefined;
  const tail = used === undefined ? undefined : resultTail(used);
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
    agentId: isMain(event) ? undefined : (body.agentId ?? undefined),
    sidechain: isMain(event) ? undefined : body.sidechain || undefined,
    requestSession: body.requestSession ?? undefined,
    name: body.name,
    input: inputExcerpt(body),
    outcome: used?.outcome ?? undefined,
    error: errorExcerpt(used?.error),
    resultTail: tail,
    resultLines: linesIn(used?.result ?? null, tail),
    printedFailure: (used !== undefined && printsFailure(used)) || undefined,
    durationMs: used?.durationMs ?? undefined,
    endedAt: used?.endedAt ?? undefined,
    messageId: body.messageId ?? undefined,
    usage: body.usage ?? undefined,
    model: body.model ?? undefined,
    launchedAgentId: used?.launchedAgentId ?? undefined,
    printedBranch: used === undefined ? undefined : branchPrintedBy(used),
    ranIn:
      event.channel === 'transcript' && toolKind(body.name) === 'shell' ? (body.cwd ?? undefined) : undefined,
  };
}

/** A sub-agent whose parent is not known has a session of its own, and is its main thread. */
function isMain({ session, body }: { session: string | null; body: { agentId: string | null } }): boolean {
  return session !== null && body.agentId === session;
}

function branchPrintedBy({ name, input, result, error, cwd }: BodyOf<'tool.used'>): string | undefined {
  const command = toolKind(name) === 'shell' ? commandLine(input) : null;
  const printed = result ?? error;
  return command === null || printed === null ? undefined : printedBranch(command, printed, cwd);
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
    agentId: isMain(event) ? undefined : (body.agentId ?? undefined),
    sidechain: isMain(event) ? undefined : body.sidechain || undefined,
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
    agentId: isMain(event) ? undefined : (body.agentId ?? undefined),
    sidechain: isMain(event) ? undefined : body.sidechain || undefined,
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
        detail: source ?? undefined,
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
        detail: reason ?? undefined,
        cwd: cwd ?? undefined,
        branch: branch ?? undefined,
      };
    }
    case 'session.continued':
      return { ...head, type: 'continued', detail: event.body.into };
    case 'session.titled':
      return { ...head, type: 'titled', detail: event.body.source, title: event.body.title };
  }
}

/** What an event says of the folder of its session. */
export interface CwdReport {
  readonly event: string;
  /** Unix ms. */
  readonly at?: number | undefined;
  /** Of the line, where a transcript starts the session. */
  readonly offset?: number | undefined;
  readonly cwd: string;
}

/** The one of two reports that counts: of the session's first line, else, without a transcript, the earliest. */
export function decidingCwd(one: CwdReport | undefined, other: CwdReport): CwdReport {
  if (one?.offset === other.offset) return earlier(one, other);
  return (one?.offset ?? Number.POSITIVE_INFINITY) < (other.offset ?? Number.POSITIVE_INFINITY)
    ? one!
    : other;
}

/** Null for an event that says nothing of it. */
export function cwdReportOf(event: EventData): CwdReport | null {
  switch (event.type) {
    case 'session.started':
    case 'prompt.submitted':
    case 'tool.used':
    case 'tool.unanswered':
    case 'agent.replied':
    case 'agent.stopped': {
      const { id, type, channel, occurredAt, body } = event;
      const cwd = type === 'session.started' ? body.cwd : cwdOf(channel, body.cwd);
      if (cwd === null || cwd === undefined) return null;
      const offset = type === 'session.started' ? (body.offset ?? undefined) : undefined;
      return { event: id, at: occurredAt ?? undefined, offset, cwd };
    }
    default:
      return null;
  }
}

/** undefined for a transcript, whose session start already has the folder. */
function cwdOf(channel: string, cwd: string | null): string | undefined {
  return channel === 'transcript' ? undefined : (cwd ?? undefined);
}
