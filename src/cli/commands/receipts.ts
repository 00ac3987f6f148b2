import type { ProjectReceipts, ReceiptFigures, ReceiptItem } from '../../api.ts';
import { cutToCells, plainLine, width } from '../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { wholeNumber } from '../command/options.ts';
import { TEXT_CELLS_MIN } from '../command/terminal.ts';
import { count, counted } from '../output/amount.ts';

interface Options {
  readonly project?: string;
  readonly limit?: number;
}

const LIMIT_MAX = 1_000;

export const command = defineCommand<Options>({
  description:
    'Shows what sessions were given of the memory, what that cost, and what they used of it: by project, and by the occasion on ' +
    'which it was given. Use is counted strictly: an id that the session opened or named, a command that fixed an error, a file ' +
    'that only one item named and that was opened first. What is shown often and never used loses its place in the context.',
  shape: (command) =>
    command
      .option('--project <name>', 'only this project')
      .option('--limit <number>', 'items in each list (default: 10)', wholeNumber('--limit', 0, LIMIT_MAX)),
  examples: [
    ['receipts', 'every project'],
    ['receipts --project birdfeeder --limit 20', 'one project, with longer lists'],
    ['receipts --json', 'for a script'],
  ],
  needsHome: true,
  async run(session, options) {
    const { terminal } = session;
    const annals = await session.annals();
    const answer = await annals.receipts(options);
    if (session.json) return terminal.json(answer);
    if (answer.projects.length === 0) terminal.note('No session was given anything yet.');
    for (const project of answer.projects) await printProject(session, project);
    for (const sentence of answer.degraded) terminal.note(terminal.style.yellow(plainLine(sentence)));
  },
});

async function printProject({ terminal }: Session, receipts: ProjectReceipts): Promise<void> {
  const { style } = terminal;
  const { items } = receipts;
  await terminal.line(style.bold(cutToCells(plainLine(receipts.project), terminal.width)));
  const figures = async (text: string, paint = (line: string) => line) => {
    for (const line of terminal.wrapped(text, 2)) await terminal.line(paint(`  ${line}`));
  };
  await figures(figuresText(receipts));
  await figures(
    `${counted(items.shown, 'item')}: ${count(items.used)} used, ${count(items.neverUsed)} never used`,
  );
  for (const occasion of receipts.occasions)
    await figures(`${plainLine(occasion.occasion)}: ${figuresText(occasion)}`, style.dim);
  await printItems(terminal, 'Used most', receipts.mostUsed, ({ used, shown }) => `${used} of ${shown}`);
  await printItems(terminal, 'Shown most, never used', receipts.neverUsed, ({ shown }) => `${shown}`);
}

function figuresText({ injections, unknown, tokens, ms, shown, used }: ReceiptFigures): string {
  return [
    counted(injections, 'injection'),
    `about ${count(tokens)} tokens`,
    ...(ms === null ? [] : [`${count(ms)} ms each`]),
    `${count(shown)} shown, ${count(used)} used`,
    ...(unknown === 0 ? [] : [`${count(unknown)} with unknown items`]),
  ].join(' · ');
}

async function printItems(
  terminal: Session['terminal'],
  title: string,
  items: readonly ReceiptItem[],
  amount: (item: ReceiptItem) => string,
): Promise<void> {
  if (items.length === 0) return;
  await terminal.line(terminal.style.cyan(`  ${title}`));
  for (const item of items) {
    const left = `    ${amount(item).padStart(8)}  ${item.id}`;
    const title = plainLine(item.title ?? 'gone');
    const isNarrow = terminal.width - width(left) - 2 < TEXT_CELLS_MIN;
    for (const line of isNarrow ? [left, `      ${title}`] : [`${left}  ${title}`])
      await terminal.line(cutToCells(line, terminal.width));
  }
}
