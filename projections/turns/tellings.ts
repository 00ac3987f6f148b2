// From an event's body to the telling that a row keeps: what turns, documents and rules need, without what only
// the log has to hold (results, file contents). Fields that were not told are absent, so rows stay small.
import type { BodyOf, Fact, Json } from '../../log/index.ts';
import type {
  PromptTelling,
  ReplyTelling,
  SessionTelling,
  StopTelling,
  TellingBase,
  ToolTelling,
} from './rows.ts';

/** A command or a path is short; what is longer than this is content. 2,000 characters. */
const INPUT_FIELD_CHARS_MAX = 2_000;
const INPUT_FIELDS_MAX = 24;
/** An error's first and last lines say it; the whole is in the log. 4,000 characters. */
const ERROR_CHARS_MAX = 4_000;
/** Fields of tool inputs that hold file contents. */
const CONTENT_FIELDS = new Set(['content', 'new_string', 'old_string', 'edits', 'new_source', 'file_text']);

export function promptTelling(fact: Fact<'prompt.submitted'>): PromptTelling {
  const { body } = fact;
  return told({
    ...base(fact, body),
    via: body.via,
    kind: body.kind,
    text: body.text,
    private: body.private || null,
    permissionMode: body.permissionMode,
    images: body.images || null,
  });
}

export function toolTelling(fact: Fact<'tool.used'> | Fact<'tool.unanswered'>): ToolTelling {
  const { body } = fact;
  const used = fact.type === 'tool.used' ? fact.body : null;
  return told({
    ...base(fact, body),
    agentId: body.agentId,
    sidechain: body.sidechain || null,
    name: body.name,
    input: shortInput(body.input),
    outcome: used?.outcome ?? null,
    error: used?.error ? cutMiddle(used.error, ERROR_CHARS_MAX) : null,
    durationMs: used?.durationMs ?? null,
    endedAt: used?.endedAt ?? null,
    messageId: body.messageId,
    usage: body.usage,
    model: body.model,
    launchedAgentId: used?.launchedAgentId ?? null,
  });
}

export function replyTelling(fact: Fact<'agent.replied'>): ReplyTelling {
  const { body } = fact;
  return told({
    ...base(fact, body),
    agentId: body.agentId,
    sidechain: body.sidechain || null,
    text: body.text,
    messageId: body.messageId,
    block: body.block,
    usage: body.usage,
    model: body.model,
    compaction: body.compaction || null,
  });
}

export function stopTelling(fact: Fact<'agent.stopped'>): StopTelling {
  const { body } = fact;
  return told({
    ...base(fact, body),
    agentId: body.agentId,
    sidechain: body.sidechain || null,
    reason: body.reason,
    error: body.error,
    text: body.text,
    durationMs: body.durationMs,
  });
}

export function sessionTelling(
  fact: Fact<'session.started'> | Fact<'session.ended'> | Fact<'session.continued'> | Fact<'session.titled'>,
): SessionTelling {
  const head = { event: fact.id, witness: fact.witness, at: fact.occurredAt, offset: fact.body.offset };
  switch (fact.type) {
    case 'session.started': {
      const { source, cwd, branch, model, agentVersion } = fact.body;
      return told({ ...head, type: 'started' as const, word: source, cwd, branch, model, agentVersion });
    }
    case 'session.ended':
      return told({
        ...head,
        type: 'ended' as const,
        word: fact.body.reason,
        cwd: fact.body.cwd,
        branch: fact.body.branch,
      });
    case 'session.continued':
      return told({ ...head, type: 'continued' as const, word: fact.body.into });
    case 'session.titled':
      return told({ ...head, type: 'titled' as const, word: fact.body.source, title: fact.body.title });
  }
}

type LineBody = Pick<
  BodyOf<'prompt.submitted'>,
  'uuid' | 'offset' | 'promptId' | 'promptUuid' | 'branch' | 'cwd'
>;

function base(fact: Fact, body: LineBody): Nullable<TellingBase> {
  return {
    event: fact.id,
    witness: fact.witness,
    fact: fact.fact,
    at: fact.occurredAt,
    uuid: body.uuid,
    offset: body.offset,
    promptId: body.promptId,
    promptUuid: body.promptUuid,
    branch: body.branch,
    cwd: fact.witness === 'transcript' ? null : body.cwd,
  };
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** Leaves out what was not told. */
function told<T extends object>(fields: Nullable<T>): T {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    if (value !== null && value !== undefined) kept[name] = value;
  return kept as T;
}

function shortInput(input: Json): Record<string, string | number | boolean> {
  const short: Record<string, string | number | boolean> = {};
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return short;
  let fields = 0;
  for (const name in input) {
    const value = (input as Readonly<Record<string, Json>>)[name];
    if (CONTENT_FIELDS.has(name) || fields >= INPUT_FIELDS_MAX) continue;
    if (typeof value === 'string') short[name] = cutMiddle(value, INPUT_FIELD_CHARS_MAX);
    else if (typeof value === 'number' || typeof value === 'boolean') short[name] = value;
    else continue;
    fields++;
  }
  return short;
}

function cutMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const half = charsMax >> 1;
  return `${text.slice(0, half).toWellFormed()} … ${text.slice(-half).toWellFormed()}`;
}
