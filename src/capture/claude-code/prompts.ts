// Which lines are a person's words. Prompts stand in three places: user lines, the queue (what is typed while
// the agent works; in older versions the only place) and queued_command attachments. All are told, and the
// turns view pairs them; what the agent or its harness wrote in a person's place is not.
import { type AcceptedPlan, acceptedPlan } from './accepted-plan.ts';
import { factOf, lineFields, placeFields, programFields, told } from './fields.ts';
import { blocksOf, idOf, type JsonObject, objectOf, stringOf, timeOf } from './line.ts';
import type { Reading } from './reading.ts';
import { type Sanitizer, sanitizeText } from './sanitize.ts';

export interface HumanPrompt {
  readonly text: string;
  readonly kind: 'prompt' | 'command';
  readonly plan: AcceptedPlan | null;
  readonly via: 'line' | 'attachment';
  readonly source: string | null;
  readonly images: number;
  readonly private: boolean;
}

/** Openings that the harness writes: such a text is not what a person typed. */
const MARKUP =
  /^\s*(?:<(?:local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr)|task-notification|system-reminder|user-memory-input)\b|Caveat: The messages below|\[Request interrupted by user)/;
const COMMAND = /^\s*<command-(?:name|message)>/;
/** What the first versions wrote to a memory file instead of sending it: one line after `#`. */
const MEMORY_NOTE = /^#\s[^\n]*$/;
const HUMAN_SOURCES = new Set(['typed', 'queued', 'sdk', 'user']);

/** A person's words in a main-thread line (user line or queued_command attachment), or null. */
export function humanPrompt(line: JsonObject, sanitizer: Sanitizer): HumanPrompt | null {
  if (line.type === 'attachment') return queuedCommand(line, sanitizer);
  if (line.type !== 'user' || line.isMeta === true) return null;
  if (line.isCompactSummary === true || line.isVisibleInTranscriptOnly === true) return null;
  const blocks = blocksOf(objectOf(line.message));
  if (blocks.length === 0 || blocks.some((block) => block.type === 'tool_result')) return null;
  const text = wordsOf(blocks);
  const plan = acceptedPlan(text, line);
  if (!isHumanOrigin(line, plan !== null)) return null;
  const version = stringOf(line.version);
  if (version?.startsWith('1.') === true && MEMORY_NOTE.test(text)) return null;
  const images = blocks.filter((block) => block.type === 'image').length;
  const found = promptOf(text, { via: 'line', source: idOf(line.promptSource), images }, sanitizer);
  return found === null ? null : { ...found, plan };
}

function queuedCommand(line: JsonObject, sanitizer: Sanitizer): HumanPrompt | null {
  const attachment = objectOf(line.attachment);
  if (attachment?.type !== 'queued_command' || attachment.isMeta === true) return null;
  const mode = attachment.commandMode;
  const origin = objectOf(attachment.origin);
  if (origin !== null ? origin.kind !== 'human' : mode !== undefined && mode !== 'prompt') return null;
  const blocks = blocksOf({ content: attachment.prompt ?? null });
  const images = blocks.filter((block) => block.type === 'image').length;
  return promptOf(wordsOf(blocks), { via: 'attachment', source: idOf(mode), images }, sanitizer);
}

function isHumanOrigin(line: JsonObject, isPlan: boolean): boolean {
  if (line.origin !== undefined && line.origin !== null) {
    const kind = objectOf(line.origin)?.kind;
    // Newer versions send an accepted plan as what the program goes on with by itself.
    return kind === 'human' || (isPlan && kind === 'auto-continuation');
  }
  return typeof line.promptSource !== 'string' || HUMAN_SOURCES.has(line.promptSource);
}

function promptOf(
  text: string,
  rest: Pick<HumanPrompt, 'via' | 'source' | 'images'>,
  sanitizer: Sanitizer,
): HumanPrompt | null {
  if (COMMAND.test(text)) {
    const command = commandLine(text);
    return command === null
      ? null
      : { ...rest, text: command, kind: 'command', plan: null, private: sanitizer.isPrivate(command) };
  }
  if (MARKUP.test(text) || sanitizer.isTaskNotification(text)) return null;
  if (text.trim() === '' && rest.images === 0) return null;
  return { ...rest, text, kind: 'prompt', plan: acceptedPlan(text), private: sanitizer.isPrivate(text) };
}

/** `/name args` of a slash command's markup, or null when it names none. */
function commandLine(text: string): string | null {
  const name = /<command-name>([\s\S]*?)<\/command-name>/.exec(text)?.[1]?.trim() ?? '';
  if (name === '') return null;
  const args = /<command-args>([\s\S]*)<\/command-args>/.exec(text)?.[1]?.trim() ?? '';
  return `${name.startsWith('/') ? name : `/${name}`} ${args}`.trim();
}

/** The text blocks, without reminders that the harness put beside a person's words. */
function wordsOf(blocks: readonly JsonObject[]): string {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? (stringOf(block.text) ?? '') : []));
  const words = texts.filter((text) => !/^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/.test(text));
  return (words.length > 0 ? words : texts).join('\n');
}

export function tellPrompt(reading: Reading, prompt: HumanPrompt): void {
  reading.tell({
    ...told(reading),
    type: 'prompt.submitted',
    fact: factOf(reading),
    body: {
      ...wordsToTell(reading, prompt),
      kind: prompt.kind,
      via: prompt.via,
      source: prompt.source,
      permissionMode: idOf(reading.line.permissionMode),
      images: prompt.private ? 0 : prompt.images,
      ...placeFields(reading),
      ...programFields(reading),
      ...lineFields(reading),
    },
  });
}

/** What a person typed while the agent worked. */
export function tellQueued(reading: Reading): void {
  const { line, standing, world } = reading;
  if (line.operation !== 'enqueue' || typeof line.content !== 'string') return;
  const prompt = promptOf(line.content, { via: 'line', source: null, images: 0 }, world.sanitizer);
  if (prompt === null) return;
  const isCommand = prompt.kind === 'command' || /^\/[a-z][\w:-]*(?:\s|$)/i.test(prompt.text);
  standing.prompt({ uuid: null, promptId: null, private: prompt.private });
  reading.tell({
    ...told(reading),
    occurredAt: timeOf(line.timestamp),
    type: 'prompt.submitted',
    fact: `queue:${reading.offset}`,
    body: {
      ...wordsToTell(reading, prompt),
      kind: isCommand ? 'command' : 'prompt',
      via: 'queue',
      offset: reading.offset,
    },
  });
}

/** A slash command that newer versions write as a system line: told, but it starts no turn. */
export function tellCommandLine(reading: Reading): void {
  const { line } = reading;
  if (line.subtype !== 'local_command' || reading.private || !reading.main) return;
  const content = stringOf(line.content);
  if (content === null || !COMMAND.test(content)) return;
  const prompt = promptOf(content, { via: 'line', source: null, images: 0 }, reading.world.sanitizer);
  if (prompt !== null) tellPrompt(reading, prompt);
}

export function isInterruption(line: JsonObject): boolean {
  return blocksOf(objectOf(line.message)).some(
    (block) =>
      block.type === 'text' && stringOf(block.text)?.startsWith('[Request interrupted by user') === true,
  );
}

function wordsToTell({ world: { sanitizer } }: Reading, prompt: HumanPrompt) {
  if (prompt.private) return { text: null, private: true };
  return { ...promptWords(sanitizer, prompt.text, prompt.plan), private: false };
}

/** The words of a prompt that is not private, and whose they are. The same for every channel. */
export function promptWords(sanitizer: Sanitizer, text: string, plan: AcceptedPlan | null) {
  if (plan === null) return { text: sanitizeText(sanitizer, text, 'person') };
  // Cleaned as a person's text, which hides more: that a plan is the agent's is not always certain.
  const feedback = plan.feedback === null ? '' : sanitizeText(sanitizer, plan.feedback, 'person');
  return {
    text: sanitizeText(sanitizer, plan.plan, 'person'),
    author: 'agent' as const,
    feedback: feedback === '' ? null : feedback,
  };
}
