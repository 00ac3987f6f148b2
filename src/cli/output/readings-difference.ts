// How two readings differ, for a terminal: turn by turn, with a minus before what the first says and a plus before the other's.
import type {
  FieldDifference,
  FieldValue,
  ItemDifference,
  ReadingsDifference,
  TurnDifference,
} from '../../api.ts';
import { dollars } from '../../terminal-text/dollars.ts';
import { plainLine, wrap } from '../../terminal-text/plain-text.ts';
import type { Terminal } from '../command/terminal.ts';
import { counted } from './amount.ts';

const TURNS_SHOWN = 20;
const VALUE_CHARS_MAX = 600;

/** @param turnsMax how many turns are printed; the sums are of all */
export async function printDifference(
  terminal: Terminal,
  difference: ReadingsDifference,
  turnsMax = TURNS_SHOWN,
): Promise<void> {
  const { before, after, turns, onlyBefore, onlyAfter } = difference;
  const changed = turns.filter(({ items }) => items.length > 0);
  for (const turn of changed.slice(0, turnsMax)) await printTurn(terminal, turn, before === null);
  const left = changed.length - turnsMax;
  if (left > 0) await terminal.line(`… and ${counted(left, 'turn')} more: --limit shows more of them.`);
  const one = before ?? 'what speaks now';
  await terminal.line(`${counted(turns.length, 'turn')} read by both; they differ in ${changed.length}.`);
  const cost = (side: 'before' | 'after') => dollars(turns.reduce((sum, turn) => sum + turn[side].usd, 0));
  await terminal.line(`- ${plainLine(one)}: ${cost('before')}${alone(onlyBefore)}`);
  await terminal.line(`+ ${plainLine(after)}: ${cost('after')}${alone(onlyAfter)}`);
}

function alone(turns: number): string {
  return turns === 0 ? '' : `; ${counted(turns, 'turn')} that only it has read`;
}

async function printTurn(terminal: Terminal, turn: TurnDifference, named: boolean): Promise<void> {
  const { style } = terminal;
  const { at, request, before, after, items } = turn;
  const prices = `${dollars(before.usd)} → ${dollars(after.usd)}`;
  await terminal.line(
    `${style.bold(turn.turn)}  ${at?.slice(0, 10) ?? ''}  ${plainLine(request).slice(0, 100)}  ${style.dim(`(${prices}${named ? `, before: ${plainLine(before.recipe)}` : ''})`)}`,
  );
  for (const item of items) await printItem(terminal, item);
  await terminal.line();
}

const CHANGES = { changed: '~', added: '+', gone: '-' } as const;

async function printItem(
  terminal: Terminal,
  { kind, id, change, title, fields }: ItemDifference,
): Promise<void> {
  const { style } = terminal;
  const name = kind === 'summary' ? 'summary' : plainLine(title);
  await terminal.line(`  ${CHANGES[change]} ${style.bold(name)}  ${style.dim(`${plainLine(id)} ${change}`)}`);
  for (const field of fields) {
    if (change !== 'changed' && (field.field === 'title' || field.field === 'filesRead')) continue;
    await printField(terminal, field);
  }
}

async function printField(terminal: Terminal, { field, before, after }: FieldDifference): Promise<void> {
  const { style, width } = terminal;
  const [gone, added] = [linesOf(before), linesOf(after)];
  const isList = Array.isArray(before) || Array.isArray(after);
  await terminal.line(`      ${field}`);
  for (const text of gone.filter((one) => !isList || !added.includes(one)))
    for (const line of marked('-', text, width)) await terminal.line(style.red(line));
  for (const text of added.filter((one) => !isList || !gone.includes(one)))
    for (const line of marked('+', text, width)) await terminal.line(style.green(line));
  if (isList && gone.length === added.length && gone.every((one) => added.includes(one)))
    await terminal.line('        the same in another order');
}

function linesOf(value: FieldValue): readonly string[] {
  return value === null ? [] : [value].flat();
}

function marked(mark: string, text: string, width: number): string[] {
  const shown = plainLine(text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text);
  return wrap(shown, width - 10).map((line, index) => `        ${index === 0 ? mark : ' '} ${line}`);
}
