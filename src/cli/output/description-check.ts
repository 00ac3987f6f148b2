// What `annals agent check` prints about the transcripts that it read.
import type { DescriptionCheck } from '../../agents/declared/check-description.ts';
import type { DeclaredAgent } from '../../agents/declared/declared-agent.ts';
import type { Machine } from '../../platform/machine.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import type { Session } from '../command/command.ts';
import { count, counted } from './amount.ts';

const NAMES_SHOWN = 12;

export async function printDescriptionCheck(
  { terminal }: Session,
  file: string,
  { agent, description }: DeclaredAgent,
  found: DescriptionCheck,
  machine: Machine,
): Promise<void> {
  const { style } = terminal;
  await terminal.line(
    `${style.bold(plainLine(file))} describes ${plainLine(agent.title)}. Nothing is wrong in it.`,
  );
  if (found.files === 0)
    await terminal.line(
      `No transcript was read: name one, or see whether the folders and the glob are right: ${agent.transcripts!.folders(machine).map(plainLine).join(', ')}.`,
    );
  else await printFound(terminal, found, description.form);
  for (const { path, reason } of found.unreadable)
    terminal.note(`${style.yellow('not read:')} ${plainLine(path)}: ${plainLine(reason)}`);
}

async function printFound(
  terminal: Session['terminal'],
  found: DescriptionCheck,
  form: 'lines' | 'document',
): Promise<void> {
  const { files, lines, sessions, prompts, toolUses, replies } = found;
  const size =
    form === 'document' ? counted(files, 'document') : `${counted(files, 'file')}, ${counted(lines, 'line')}`;
  await terminal.line(
    `Read ${size}: ${counted(sessions, 'session')}, ${counted(prompts, 'prompt')}, ${counted(toolUses, 'tool use')}, ${counted(replies, 'reply', 'replies')}.`,
  );
  for (const text of found.firstPrompts) await terminal.line(`  prompt: ${plainLine(text)}`);
  await terminal.line('\nRules');
  for (const [index, { record, matched, missing }] of found.rules.entries()) {
    const lacks = Object.entries(missing).map(([field, number]) => `; ${count(number)} without ${field}`);
    await terminal.line(
      `  rules[${index}] ${record}: ${matched === 0 ? terminal.style.yellow('matched nothing') : count(matched)}${lacks.join('')}`,
    );
  }
  const doubts = doubtsAbout(found);
  if (doubts.length > 0) await terminal.line('\nLook at');
  for (const doubt of doubts) await terminal.line(`  ${doubt}`);
}

/** What is not wrong in every transcript, but often means that the description is. */
function doubtsAbout(found: DescriptionCheck): readonly string[] {
  const some = (number: number, one: string, many: string) =>
    number === 0 ? [] : [number === 1 ? `1 ${one}` : `${count(number)} ${many}`];
  const names = (counts: { readonly [name: string]: number }) =>
    Object.entries(counts)
      .slice(0, NAMES_SHOWN)
      .map(([name, number]) => `${plainLine(name)} (${count(number)})`)
      .join(', ');
  return [
    ...(Object.keys(found.unknown).length > 0 ? [`lines that no rule is for: ${names(found.unknown)}`] : []),
    ...(Object.keys(found.notPrompts).length > 0
      ? [`texts that are not recorded: ${names(found.notPrompts)}`]
      : []),
    ...some(found.parked, 'line is not a JSON object', 'lines are not JSON objects'),
    ...some(found.callsWithoutResult, `call ${NO_RESULT}`, `calls ${NO_RESULT}`),
    ...some(found.resultsWithoutCall, `result ${NO_CALL}`, `results ${NO_CALL}`),
    ...some(found.withoutTime, `${KEPT} without a time`, `${KEPT} without a time`),
    ...some(found.withoutFolder, `${KEPT} ${NO_FOLDER}`, `${KEPT} ${NO_FOLDER}`),
    ...some(found.notRecognised.length, `file ${NOT_RECOGNISED}`, `files ${NOT_RECOGNISED}`),
  ];
}

const KEPT = 'prompts, replies and tool uses';
const NO_FOLDER = 'without a folder: they belong to no project';
const NO_RESULT = 'without a result: a tool use is recorded when its result is known';
const NO_CALL = 'without a call: do the ids agree?';
const NOT_RECOGNISED = 'without a line that fulfils `recognise`: read only in the folders of the description';
