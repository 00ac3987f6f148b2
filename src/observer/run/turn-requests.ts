// The requests about one turn: one for each part. Texts come from the log, which holds more than the views.
import type { Json, LogEvent } from '../../../log/index.ts';
import {
  commandLine,
  type DividedTurn,
  type ItemRow,
  isItemRow,
  type Message,
  type Prompt,
  partsOfTurn,
  sessionKeys,
  type ToolUse,
  type TurnPart,
  type TurnRow,
  toolKind,
} from '../../../projections/index.ts';
import type { Home } from '../../home/home.ts';
import type { Step } from '../request/step-texts.ts';
import type { TurnMaterial } from '../request/turn-content.ts';

export interface PartRequest {
  readonly turn: TurnRow;
  readonly part: number;
  readonly parts: number;
  /** The first is an event of the prompt, if the turn has one. */
  readonly covers: string[];
  /** The same by prompt, tool use and message: one thing, however many channels report it. */
  readonly things: readonly (readonly string[])[];
  /** The events that may be the first one of a request about this turn. */
  readonly names: readonly string[];
}

/** Empty for a turn that is private, or a copy, or in which nothing happened. */
export async function requestsAbout(
  turn: TurnRow,
  { views }: Pick<Home, 'views'>,
): Promise<readonly PartRequest[]> {
  if (turn.private || turn.inherited) return [];
  const divided = await divide(turn, views);
  if (divided === null) return [];
  const { prompts, parts } = divided;
  const all = parts.map((part) => coversOf(prompts, part));
  const names = prompts.length > 0 ? prompts.flatMap(({ events }) => events) : all.flat();
  return parts.map((part, index) => ({
    ...{ turn, part: index + 1, parts: parts.length, covers: all[index]!, names },
    things: [...prompts, ...part.toolUses, ...part.messages].map(({ events }) => events),
  }));
}

/** Read when it is needed: that of thousands of turns would not fit into memory. Null if the part is another one by now. */
export async function materialOf(
  { turn, part, parts, covers }: PartRequest,
  about: { readonly project: string; readonly titles: readonly string[] },
  { log, views }: Pick<Home, 'log' | 'views'>,
): Promise<TurnMaterial | null> {
  const divided = await divide(turn, views);
  const own = divided?.parts[part - 1];
  if (divided === null || own === undefined) return null;
  const { prompts } = divided;
  if (coversOf(prompts, own).join() !== covers.join()) return null;
  const events = await eventsOf(covers, log);
  const answer = part === parts ? (own.messages.at(-1) ?? null) : null;
  return {
    ...{ ...about, at: turn.startedAt, part, parts },
    requests: prompts.map((prompt) => ({
      text: textOf(prompt, events) ?? prompt.text,
      by: prompt.plan ? 'agent' : 'person',
    })),
    steps: stepsOf(own, answer, events),
    answer: answer === null ? null : (textOf(answer, events) ?? answer.text),
  };
}

async function divide(turn: TurnRow, views: Home['views']): Promise<DividedTurn | null> {
  const { agent, session, id } = turn;
  const rows = await views.turns.range<ItemRow | TurnRow>(sessionKeys.itemsOfTurn(agent, session, id));
  return partsOfTurn(turn, rows.map(([, row]) => row).filter(isItemRow));
}

function coversOf(prompts: readonly Prompt[], { toolUses, messages }: TurnPart): string[] {
  const own = [...toolUses, ...messages].flatMap(({ events }) => events);
  return [...new Set([...prompts.flatMap(({ events }) => events), ...own.sort()])];
}

async function eventsOf(ids: readonly string[], log: Home['log']): Promise<ReadonlyMap<string, LogEvent>> {
  const events = await log.getMany(ids);
  return new Map(events.flatMap((event) => (event === undefined ? [] : [[event.id, event] as const])));
}

function stepsOf(
  { toolUses, messages }: TurnPart,
  answer: Message | null,
  events: ReadonlyMap<string, LogEvent>,
): Step[] {
  const steps = [
    ...toolUses.map((use) => ({ order: use.order, step: toolStep(use, events) })),
    ...messages
      .filter((message) => message !== answer)
      .map((message) => ({
        order: message.order,
        step: { kind: 'reply', text: textOf(message, events) ?? message.text } as const,
      })),
  ];
  return steps.sort((a, b) => (a.order < b.order ? -1 : 1)).map(({ step }) => step);
}

/** The longest text of all channels: a hook's may be cut shorter than the transcript's. */
function textOf(
  entry: { readonly events: readonly string[] },
  events: ReadonlyMap<string, LogEvent>,
): string | null {
  return longest(entry, events, (event) =>
    'text' in event.body ? (event.body.text as string | null) : null,
  );
}

function toolStep(use: ToolUse, events: ReadonlyMap<string, LogEvent>): Step {
  const { name, outcome, error } = use;
  const used = (read: (body: LogEvent<'tool.used'>['body']) => string | null) =>
    longest(use, events, (event) => (event.type === 'tool.used' ? read(event.body) : null)) ?? '';
  return {
    kind: 'tool',
    name,
    outcome,
    input: used(({ input }) => inputText(name, input)),
    output: used(({ result, error: failure }) => result ?? failure) || error,
  };
}

/** The command line of a shell as it is; of other tools all fields. */
function inputText(name: string, input: Json): string | null {
  if (typeof input !== 'object' || input === null) return input === null ? null : String(input);
  const command = toolKind(name) === 'shell' ? commandLine(input) : null;
  if (command !== null) return command;
  return Object.entries(input)
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

function longest(
  { events: ids }: { readonly events: readonly string[] },
  events: ReadonlyMap<string, LogEvent>,
  read: (event: LogEvent) => string | null,
): string | null {
  const texts = ids.map((id) => events.get(id)).map((event) => (event === undefined ? null : read(event)));
  return texts.filter((text) => text !== null).sort((a, b) => b.length - a.length)[0] ?? null;
}
