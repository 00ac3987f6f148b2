// Finds the lines that hold a person's text. Prompts appear in three places: user lines, the queue (prompt-queue.ts)
// and queued_command attachments. All become events, and the turns view pairs them. Text that the agent or its harness
// wrote in a person's place is not a prompt, and is counted by reason.

import { contentBlocks, idOf, type JsonObject, objectOf, stringOf } from '../common/json-fields.ts';
import { type AcceptedPlan, promptWords } from '../common/prompt-words.ts';
import type { Sanitizer } from '../common/sanitizer.ts';
import { acceptedPlan } from './accepted-plan.ts';
import { eventHeader, lineDedupeKey, lineFields, programFields, workdirFields } from './event-fields.ts';
import { humanWords, type Refusal, withoutContext } from './human-words.ts';
import type { LineReading } from './reading.ts';

export interface HumanPrompt {
  readonly text: string;
  readonly kind: 'prompt' | 'command';
  readonly plan: AcceptedPlan | null;
  readonly via: 'line' | 'attachment';
  readonly source: string | null;
  readonly images: number;
  readonly private: boolean;
}

const COMMAND = /^\s*<command-(?:name|message)>/;
/** A shell command typed after `!`. The agent answers its output. */
const SHELL_COMMAND = /^\s*<bash-input>([\s\S]*)<\/bash-input>\s*$/;
/** What the first versions wrote to a memory file instead of sending it: one line after `#`. */
const MEMORY_NOTE = /^#\s[^\n]*$/;
const HUMAN_SOURCES = new Set(['typed', 'queued', 'sdk', 'user']);

/** Called with the reason why a text in a person's place is not a person's. */
export type Refuse = (reason: Refusal) => void;

/** The person's text in a main-thread line (user line or queued_command attachment), or null. */
export function humanPrompt(line: JsonObject, sanitizer: Sanitizer, refuse: Refuse): HumanPrompt | null {
  if (line.type === 'attachment') return queuedCommand(line, sanitizer, refuse);
  if (line.type !== 'user') return null;
  const blocks = contentBlocks(objectOf(line.message));
  if (blocks.length === 0 || blocks.some((block) => block.type === 'tool_result')) return null;
  if (line.isMeta === true) return refused('meta line', refuse);
  if (line.isCompactSummary === true || line.isVisibleInTranscriptOnly === true)
    return refused('compaction summary', refuse);
  const text = textOf(blocks);
  const plan = acceptedPlan(withoutContext(text), line);
  if (!isHumanOrigin(line, plan !== null)) return refused('not sent by a person', refuse);
  const version = stringOf(line.version);
  if (version?.startsWith('1.') === true && MEMORY_NOTE.test(text)) return refused('memory note', refuse);
  const images = blocks.filter((block) => block.type === 'image').length;
  const isTyped = objectOf(line.origin)?.kind === 'human';
  const rest = { via: 'line', source: idOf(line.promptSource), images, isTyped } as const;
  const found = humanPromptOf(text, rest, sanitizer, refuse);
  return found === null ? null : { ...found, plan };
}

function queuedCommand(line: JsonObject, sanitizer: Sanitizer, refuse: Refuse): HumanPrompt | null {
  const attachment = objectOf(line.attachment);
  if (attachment?.type !== 'queued_command') return null;
  if (attachment.isMeta === true) return refused('meta line', refuse);
  const mode = attachment.commandMode;
  const origin = objectOf(attachment.origin);
  if (origin !== null ? origin.kind !== 'human' : mode !== undefined && mode !== 'prompt')
    return refused('not sent by a person', refuse);
  const blocks = contentBlocks({ content: attachment.prompt ?? null });
  const images = blocks.filter((block) => block.type === 'image').length;
  const rest = { via: 'attachment', source: idOf(mode), images, isTyped: origin !== null } as const;
  return humanPromptOf(textOf(blocks), rest, sanitizer, refuse);
}

function refused(reason: Refusal, refuse: Refuse): null {
  refuse(reason);
  return null;
}

function isHumanOrigin(line: JsonObject, isPlan: boolean): boolean {
  if (line.origin !== undefined && line.origin !== null) {
    const kind = objectOf(line.origin)?.kind;
    // Newer versions send an accepted plan as an automatic continuation.
    return kind === 'human' || (isPlan && kind === 'auto-continuation');
  }
  return typeof line.promptSource !== 'string' || HUMAN_SOURCES.has(line.promptSource);
}

/**
 * The person's text in a text from any of the three places, or null when it holds none.
 * `isTyped`: its line says that a person typed it.
 */
export function humanPromptOf(
  sent: string,
  {
    isTyped = false,
    ...rest
  }: Pick<HumanPrompt, 'via' | 'source' | 'images'> & { readonly isTyped?: boolean },
  sanitizer: Sanitizer,
  refuse: Refuse,
): HumanPrompt | null {
  const shellCommand = SHELL_COMMAND.exec(sent)?.[1];
  if (shellCommand !== undefined || COMMAND.test(sent)) {
    const command = shellCommand === undefined ? commandLine(sent) : `!${shellCommand}`;
    return command === null
      ? null
      : {
          ...rest,
          text: command,
          kind: 'command',
          plan: null,
          private: sanitizer.isPrivate(shellCommand ?? command),
        };
  }
  const words = humanWords(sent, isTyped);
  if (words.refused === 'context only' && rest.images > 0)
    return { ...rest, text: '', kind: 'prompt', plan: null, private: false };
  if (words.refused !== null) return refused(words.refused, refuse);
  const { text } = words;
  if (text.trim() === '' && rest.images === 0) return null;
  return { ...rest, text, kind: 'prompt', plan: acceptedPlan(text), private: sanitizer.isPrivate(text) };
}

/** `/name args` from a slash command's markup, or null when it has no name. */
function commandLine(text: string): string | null {
  const name = /<command-name>([\s\S]*?)<\/command-name>/.exec(text)?.[1]?.trim() ?? '';
  if (name === '') return null;
  const args = /<command-args>([\s\S]*)<\/command-args>/.exec(text)?.[1]?.trim() ?? '';
  return `${name.startsWith('/') ? name : `/${name}`} ${args}`.trim();
}

/** The text blocks, without those that hold only context added by a program. */
function textOf(blocks: readonly JsonObject[]): string {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? (stringOf(block.text) ?? '') : []));
  const words = texts.filter((text) => withoutContext(text).trim() !== '');
  return (words.length > 0 ? words : texts).join('\n');
}

export function emitPrompt(reading: LineReading, prompt: HumanPrompt): void {
  reading.emit({
    ...eventHeader(reading),
    type: 'prompt.submitted',
    dedupeKey: lineDedupeKey(reading),
    body: {
      ...recordedWords(reading.world.sanitizer, prompt),
      kind: prompt.kind,
      via: prompt.via,
      source: prompt.source,
      permissionMode: idOf(reading.line.permissionMode),
      images: prompt.private ? 0 : prompt.images,
      ...workdirFields(reading),
      ...programFields(reading),
      ...lineFields(reading),
    },
  });
}

/** A slash command that newer versions write as a system line. It becomes an event but starts no turn. */
export function emitCommandLine(reading: LineReading): void {
  const { line } = reading;
  if (line.subtype !== 'local_command' || reading.private || !reading.main) return;
  const content = stringOf(line.content);
  if (content === null || !COMMAND.test(content)) return;
  const rest = { via: 'line', source: null, images: 0 } as const;
  const prompt = humanPromptOf(content, rest, reading.world.sanitizer, () => undefined);
  if (prompt !== null) emitPrompt(reading, prompt);
}

export function isInterruption(line: JsonObject): boolean {
  return contentBlocks(objectOf(line.message)).some(
    (block) =>
      block.type === 'text' && stringOf(block.text)?.startsWith('[Request interrupted by user') === true,
  );
}

export function recordedWords(sanitizer: Sanitizer, prompt: HumanPrompt) {
  if (prompt.private) return { text: null, private: true };
  return { ...promptWords(sanitizer, prompt.text, prompt.plan), private: false };
}
