// Prints one item: title, a line with its kind, project and time, its text, files, details, and at the end the events
// it was made from.
import type { Json } from '../../../log/index.ts';
import type { ShownItem } from '../../api.ts';
import { cutToCells, plainLine, plainText, wrap } from '../../terminal-text/plain-text.ts';
import { ago, timeText } from '../../terminal-text/time-text.ts';
import type { Session } from '../command/command.ts';
import { count, counted } from './amount.ts';
import { marksText } from './marks-text.ts';

const LINES_MAX = 40;
const DETAIL_LINES_MAX = 12;
const ID_WIDTH = 14;
/** A shorter text may be part of another one by chance. */
const PART_CHARS_MIN = 24;
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

export async function printItem(
  { terminal, world, name }: Session,
  item: ShownItem,
  full: boolean,
): Promise<void> {
  const { style } = terminal;
  // The text of a turn or a session repeats the list of its parts, which also has ids.
  const text = listOf(item) === null ? plainText(item.text).trim() : '';
  const title = plainLine(item.title);
  if (title !== '' && title !== plainLine(text))
    for (const line of wrap(title, terminal.width)) await terminal.line(style.bold(line));
  await terminal.line(style.dim(wrap(metaLine(item, world.now()), terminal.width).join('\n')));
  const marks = marksText(item.marks);
  if (marks !== '') await terminal.line(style.yellow(wrap(marks, terminal.width).join('\n')));

  if (text !== '') {
    await terminal.line();
    await printText(terminal, text, full ? Number.POSITIVE_INFINITY : LINES_MAX, '');
  }
  const list = listOf(item);
  if (list !== null) {
    await terminal.line();
    await printText(
      terminal,
      list.map(listEntry).join('\n'),
      full ? Number.POSITIVE_INFINITY : LINES_MAX,
      '',
      {
        inOneLine: true,
      },
    );
  }
  if (item.files.length > 0) {
    await terminal.line(`\n${style.bold('Files')}`);
    for (const file of item.files) await terminal.line(`  ${plainLine(file)}`);
  }
  const details = detailEntries(item, text, full);
  if (details.length > 0) {
    await terminal.line(`\n${style.bold('Details')}`);
    for (const [label, value] of details)
      await printDetail(terminal, label, value, full ? Number.POSITIVE_INFINITY : DETAIL_LINES_MAX);
  }
  if (item.kind === 'event') return;
  const from = `From ${counted(item.events.length, 'event')}`;
  await terminal.line(`\n${style.dim(full ? `${from}:\n  ${item.events.join('\n  ')}` : from)}`);
  terminal.tip(style.dim(`${name} why ${item.id} shows them`));
}

function metaLine(item: ShownItem, now: number): string {
  const time = item.at === null ? null : Date.parse(item.at);
  return [
    item.type === null ? item.kind : `${item.kind} (${plainLine(item.type)})`,
    item.project,
    time === null ? null : `${timeText(time)}, ${ago(time, now)}`,
    item.agent,
    item.session === null || item.session === item.id ? null : `session ${item.session}`,
    item.id,
  ]
    .filter((part) => part !== null && part !== '')
    .map((part) => plainLine(String(part)))
    .join(' · ');
}

/** The parts of a turn or a session. */
function listOf({ kind, details }: ShownItem): readonly Json[] | null {
  if (details === null || typeof details !== 'object' || Array.isArray(details)) return null;
  const { items, turns } = details as { readonly [key: string]: Json };
  const list = kind === 'turn' ? items : kind === 'session' ? turns : null;
  return Array.isArray(list) ? list : null;
}

/** Details that are not empty and not printed above. A tool's structured result only with --full. */
function detailEntries(item: ShownItem, text: string, full: boolean): readonly (readonly [string, Json])[] {
  const { details } = item;
  if (details === null || typeof details !== 'object' || Array.isArray(details)) return [];
  const list = listOf(item);
  const isPrinted = printedIn(text, item.files);
  return withoutPrinted(details as { readonly [key: string]: Json }, isPrinted).filter(
    ([name, value]) =>
      value !== null &&
      value !== '' &&
      value !== false &&
      value !== item.type &&
      value !== list &&
      (full || name !== 'detail') &&
      !(Array.isArray(value) && value.length === 0),
  );
}

/** The fields that are not printed above, also of objects in them. */
function withoutPrinted(
  fields: { readonly [key: string]: Json },
  isPrinted: (value: Json) => boolean,
): [string, Json][] {
  return Object.entries(fields)
    .filter(([, value]) => !isPrinted(value))
    .map(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? [name, Object.fromEntries(withoutPrinted(value as { readonly [key: string]: Json }, isPrinted))]
        : [name, value],
    );
}

/** Whether a value is printed: a long text as a part of the text, or each entry of a list as a line. */
function printedIn(text: string, files: readonly string[]): (value: Json) => boolean {
  const printed = [text, ...files].join('\n');
  const lines = new Set(printed.split('\n').map((line) => plainLine(line.replace(/^- /, ''))));
  const all = ` ${plainLine(printed)} `;
  return (value) => {
    if (typeof value === 'string')
      return (
        plainLine(value) === plainLine(text) ||
        (value.length > PART_CHARS_MIN && all.includes(plainLine(value)))
      );
    return (
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((one) => typeof one === 'string' && lines.has(plainLine(one)))
    );
  };
}

async function printDetail(
  terminal: Session['terminal'],
  label: string,
  value: Json,
  linesMax: number,
): Promise<void> {
  const text = detailText(value);
  const heading = terminal.style.cyan(`  ${labelOf(label)}:`);
  if (!text.includes('\n') && text.length + label.length + 6 <= terminal.width)
    return terminal.line(`${heading} ${text}`);
  await terminal.line(heading);
  await printText(terminal, text, linesMax, '    ');
}

/** Strings unchanged, lists with one entry per line, objects with one field per line. */
function detailText(value: Json): string {
  if (typeof value === 'string')
    return ISO_TIME.test(value) ? timeText(Date.parse(value)) : plainText(value).trim();
  if (typeof value === 'number') return count(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(listEntry).join('\n');
  return fieldsText(value as { readonly [key: string]: Json });
}

/** One field per line, or one line for all if all are numbers. Leaves out empty fields and event ids, which `why` shows. */
function fieldsText(value: { readonly [key: string]: Json }): string {
  const entries = Object.entries(value).filter(([key, inner]) => !isEmpty(inner) && key !== 'events');
  if (entries.every(([, inner]) => typeof inner === 'number'))
    return entries.map(([key, inner]) => `${labelOf(key)} ${detailText(inner)}`).join(' · ');
  return entries.map(([key, inner]) => plainText(`${labelOf(key)}:${below(inner)}`)).join('\n');
}

/** A field's value after its name: a list with one entry per line below, anything else on the same line. */
function below(value: Json): string {
  if (Array.isArray(value)) return value.map((entry) => `\n  ${inLine(entry)}`).join('');
  return ` ${typeof value === 'object' && value !== null ? inLine(value) : detailText(value)}`;
}

/** Any value in one line, with the fields of nested objects by name. */
function inLine(value: Json): string {
  if (value === null || typeof value !== 'object') return plainLine(detailText(value));
  if (Array.isArray(value)) return value.map(inLine).join(', ');
  return Object.entries(value)
    .filter(([key, inner]) => !isEmpty(inner) && key !== 'events')
    .map(([key, inner]) => `${labelOf(key)} ${inLine(inner)}`)
    .join(' · ');
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** `p-k3j5h2l6a7bc  prompt  Why does …`: the id first, so that it can be opened. Items without a document have none. */
function listEntry(value: Json): string {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return plainLine(detailText(value));
  const { id, kind, title, text } = value as { readonly [key: string]: Json };
  if (typeof id !== 'string' && id !== null) return inLine(value);
  const name = typeof kind === 'string' ? kind.padEnd(6) : null;
  return [id ?? ''.padEnd(ID_WIDTH), name, title ?? text]
    .filter((part) => typeof part === 'string')
    .map(plainText)
    .join('  ');
}

async function printText(
  terminal: Session['terminal'],
  text: string,
  linesMax: number,
  indent: string,
  { inOneLine = false }: { inOneLine?: boolean } = {},
): Promise<void> {
  const cells = terminal.width - indent.length;
  const lines = inOneLine ? text.split('\n').map((line) => cutToCells(line, cells)) : wrap(text, cells);
  for (const line of lines.slice(0, linesMax)) await terminal.line(`${indent}${line}`.trimEnd());
  if (lines.length > linesMax)
    await terminal.line(
      terminal.style.dim(`${indent}… ${counted(lines.length - linesMax, 'more line')} (--full shows them)`),
    );
}

/** `durationMs` → `duration ms`. */
function labelOf(name: string): string {
  return plainLine(name).replace(/([a-z])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`);
}
