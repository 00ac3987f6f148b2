// Makes the hook payloads that the agent would have sent along with a transcript. Where no real payload was seen, this
// is an assumption: the fields are those of the published hook reference, the order is by time, and
// which hooks fire when (none for a denied tool, no Stop after an interruption) follows its text.

import { createHash } from 'node:crypto';
import type { NewEvent } from '../../../log/index.ts';
import { humanPrompt } from '../../../src/agents/claude-code/prompt-events.ts';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { sanitizerOf } from '../../../src/agents/common/sanitizer.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../../../src/capture/text/clip.ts';
import { type RawLine, rawLines } from '../transcripts.ts';
import { hookEvents } from './claude-hook-events.ts';

export interface HookCall {
  readonly payload: RawLine;
  readonly receipt: { readonly spoolName: string; readonly receivedAt: number };
}

export interface HookOptions {
  /** Whether payloads contain `prompt_id` (from 2.1.196 on). Lines without one get an id made from their uuid. */
  readonly promptId: boolean;
  /** Every n-th call is lost. */
  readonly loseEvery?: number;
  /** Share of the calls from before the hooks were installed, 0 to 1. */
  readonly beginAt?: number;
  /** Another program's hook continues every turn after its first answer, so each turn stops twice. */
  readonly stopsTwice?: boolean;
}

interface Moment {
  readonly at: number;
  readonly payload: RawLine;
}

/** Hook calls in time order, named as the capture script names them. */
export function hookCalls(transcript: Buffer, options: HookOptions): HookCall[] {
  const moments: Moment[] = [];
  const uses = new Map<string, RawLine>();
  const queued = new Map<string, number>();
  let turn: { id: string; answer: string | null; interrupted: boolean; stopped: boolean; at: number } | null =
    null;
  let first: RawLine | null = null;
  let last: RawLine | null = null;
  const common = (line: RawLine, event: string, extra: RawLine): RawLine => ({
    session_id: line.sessionId,
    transcript_path: `/home/u/.claude/projects/-home-u-app/${String(line.sessionId)}.jsonl`,
    cwd: line.cwd ?? last?.cwd ?? '/home/u/app',
    hook_event_name: event,
    permission_mode: 'default',
    ...(options.promptId && turn !== null ? { prompt_id: turn.id } : {}),
    ...extra,
  });
  const stop = (line: RawLine) => {
    if (turn === null || turn.interrupted || turn.answer === null) return;
    const extra = { last_assistant_message: turn.answer, background_tasks: [] };
    const stop_hook_active = turn.stopped;
    moments.push({ at: turn.at, payload: common(line, 'Stop', { stop_hook_active, ...extra }) });
  };
  const begin = (line: RawLine, at: number, id: string, prompt: string) => {
    if (last !== null) stop(last);
    turn = { id, answer: null, interrupted: false, stopped: false, at };
    moments.push({ at, payload: common(line, 'UserPromptSubmit', { prompt, source: 'user' }) });
  };

  for (const line of rawLines(transcript)) {
    const at = Date.parse(String(line.timestamp));
    if (!Number.isFinite(at)) continue;
    if (line.type === 'queue-operation') {
      const content = String(line.content ?? '');
      // Taken back into the input line, so never submitted.
      if (line.operation === 'popAll') queued.clear();
      if (line.operation === 'enqueue' && content !== '' && !content.startsWith('<')) queued.set(content, at);
      continue;
    }
    if (typeof line.uuid !== 'string') continue;
    if (first === null) {
      first = line;
      moments.push({
        at: at - 1,
        payload: common(line, 'SessionStart', { source: 'startup', model: 'claude-test-1' }),
      });
    }
    const prompt =
      line.isSidechain === true || line.agentId !== undefined
        ? null
        : humanPrompt(line as JsonObject, sanitizer, () => undefined);
    if (prompt !== null) {
      queued.delete(prompt.text);
      begin(line, at, String(line.promptId ?? promptIdOf(line.uuid)), prompt.text);
    } else {
      for (const block of blocksOf(line)) {
        if (block.type === 'tool_use') uses.set(String(block.id), { ...block, line });
        else if (block.type === 'tool_result') pushResult(line, block, at);
        else if (block.type === 'text' && turn !== null && line.isSidechain !== true)
          noteText(line, block, at);
      }
    }
    last = line;
  }
  if (last !== null) {
    stop(last);
    const at = Math.max(...moments.map((moment) => moment.at)) + 1000;
    for (const [prompt, queuedAt] of queued) {
      const id = options.promptId ? { prompt_id: promptIdOf(prompt) } : {};
      moments.push({
        at: queuedAt,
        payload: common(last, 'UserPromptSubmit', { prompt, source: 'user', ...id }),
      });
    }
    moments.push({ at, payload: common(last, 'SessionEnd', { reason: 'other' }) });
  }
  return named(moments, options);

  function pushResult(line: RawLine, block: RawLine, at: number): void {
    const use = uses.get(String(block.tool_use_id));
    if (use === undefined) return;
    const content = textOf(block.content);
    if (content.startsWith("The user doesn't want") || content.startsWith('[Request interrupted')) return;
    const inside = line.isSidechain === true ? { agent_id: String(line.agentId ?? 'inline') } : {};
    const tool = { tool_name: use.name, tool_input: use.input, tool_use_id: use.id, ...inside };
    const took = Math.max(0, at - Date.parse(String((use.line as RawLine).timestamp)));
    const failed = block.is_error === true;
    const outcome = failed
      ? { error: content.slice(0, 10_000), is_interrupt: false }
      : { tool_response: line.toolUseResult ?? block.content };
    pushSubagentStop(line, at);
    const event = failed ? 'PostToolUseFailure' : 'PostToolUse';
    moments.push({ at, payload: common(line, event, { ...tool, ...outcome, duration_ms: took }) });
  }

  /** Ends before its tool use is reported or, in the background, some time after the launch. */
  function pushSubagentStop(line: RawLine, at: number): void {
    const response = line.toolUseResult as RawLine | undefined;
    if (typeof response?.agentId !== 'string') return;
    const later = response.status === 'async_launched' ? 90_000 : -1;
    const extra = {
      agent_id: response.agentId,
      agent_type: 'general-purpose',
      stop_hook_active: false,
      last_assistant_message: textOf(response.content) || `Agent ${response.agentId} is done.`,
    };
    moments.push({ at: at + later, payload: common(line, 'SubagentStop', extra) });
  }

  function noteText(line: RawLine, block: RawLine, at: number): void {
    if (turn === null) return;
    const text = String(block.text);
    if (text.startsWith('[Request interrupted')) turn.interrupted = true;
    else if (line.type === 'assistant') {
      const stopsHere = options.stopsTwice === true && !turn.stopped;
      turn = { ...turn, answer: text, at: at + 1 };
      if (!stopsHere) return;
      stop(line);
      turn = { ...turn, stopped: true };
    }
  }
}

function named(moments: readonly Moment[], options: HookOptions): HookCall[] {
  const lose = options.loseEvery ?? 0;
  const first = Math.floor(moments.length * (options.beginAt ?? 0));
  return [...moments]
    .sort((a, b) => a.at - b.at)
    .filter((_, index) => index >= first && (lose === 0 || (index + 1) % lose !== 0))
    .map(({ at, payload }, index) => ({
      payload,
      receipt: { spoolName: `claude-code-${at}-${1000 + index}.json`, receivedAt: at },
    }));
}

const sanitizer = sanitizerOf(TRANSCRIPT_CLIP_BYTES);

function promptIdOf(name: string): string {
  const digits = createHash('sha256').update(`prompt ${name}`).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function blocksOf(line: RawLine): RawLine[] {
  const content = (line.message as RawLine | undefined)?.content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as RawLine[]) : [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as RawLine[]).map((block) => String(block.text ?? '')).join('\n');
}

/** The hook events that would have come with a transcript. */
export function hookNewEvents(transcript: Buffer, options: HookOptions): NewEvent[] {
  return hookCalls(transcript, options).flatMap(
    ({ payload, receipt }) => hookEvents(payload, receipt).events,
  );
}
