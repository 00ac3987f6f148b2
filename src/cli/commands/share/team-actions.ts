// The actions of `annals share` on the team: who is in it, removing, new keys, a credential for CI, recovery. Secrets come from
// standard input and go to standard output; none is in a command line.
import { hostname } from 'node:os';
import { AnnalsError } from '../../../../log/index.ts';
import type { ShareMember } from '../../../api.ts';
import { plainLine } from '../../../terminal-text/plain-text.ts';
import { minuteText } from '../../../terminal-text/time-text.ts';
import type { Session } from '../../command/command.ts';
import { counted } from '../../output/amount.ts';

const ID_CHARS = 8;

/** What was given on the command line; files are read already. */
export interface TeamCall {
  readonly word: string;
  readonly name: string | undefined;
  readonly days: number | undefined;
  readonly projects: readonly string[] | undefined;
  readonly remove: readonly string[];
  readonly url: string | undefined;
  readonly credentials: string | undefined;
  readonly ca: string | undefined;
}

export async function members({ terminal, annals, json }: Session): Promise<void> {
  const found = await (await annals()).shareMembers();
  if (json) return terminal.json(found);
  for (const member of found) await terminal.line(plainLine(memberLine(member)));
}

function memberLine({ machine, name, role, projects, until, removedAt, self }: ShareMember): string {
  const day = (at: number) => minuteText(at).slice(0, 10);
  return [
    `${machine.slice(0, ID_CHARS)} ${name}: ${role}`,
    ...(self ? ['this machine'] : []),
    ...(projects === null ? [] : [`only ${projects.join(', ')}`]),
    ...(until === null ? [] : [`until ${day(until)}`]),
    ...(removedAt === null ? [] : [`removed ${day(removedAt)}`]),
  ].join(', ');
}

export async function remove({ terminal, annals, json }: Session, { word }: TeamCall): Promise<void> {
  const report = await (await annals()).shareRemove(word);
  if (json) return terminal.json(report);
  const { removed, rotated, sent } = report;
  const names = [...new Set(removed.map(({ name }) => plainLine(name)))].join(', ');
  await terminal.line(
    `Removed ${names} (${counted(removed.length, 'machine')}). ${counted(rotated.length, 'project')} got a new key.`,
  );
  terminal.note('Also withdraw its login on the server. What it has read, it keeps.');
  noteUnsent(sent, terminal);
}

export async function rotate({ terminal, annals, json }: Session): Promise<void> {
  const report = await (await annals()).shareRotate();
  if (json) return terminal.json(report);
  await terminal.line(`${counted(report.rotated.length, 'project')} got a new key.`);
  noteUnsent(report.sent, terminal);
}

export async function credential({ terminal, annals, json }: Session, call: TeamCall): Promise<void> {
  const { word, days, projects, url, credentials } = call;
  const made = await (await annals()).shareCredential({
    name: word,
    ...(projects !== undefined && { projects }),
    ...(days !== undefined && { days }),
    ...(url !== undefined && { url }),
    ...(credentials !== undefined && { credentials }),
  });
  if (json) return terminal.json(made);
  await terminal.line(made.credential);
  terminal.note(
    `It reads ${projects?.join(', ') ?? 'all projects of the team'}: keep it where CI keeps its secrets. \`share accept\` takes it.`,
  );
  noteUnsent(made.sent, terminal);
}

export async function recover({ terminal, annals, json, world }: Session, call: TeamCall): Promise<void> {
  const { word: url, name = hostname(), remove, credentials, ca } = call;
  const { stdin } = world;
  const recoveryKey = stdin.isTerminal
    ? await stdin.readSecret(() => terminal.note('Type the recovery key:'))
    : await stdin.read();
  const recovered = await (await annals()).shareRecover({
    ...{ recoveryKey: recoveryKey.trim(), url, name, remove },
    ...(credentials !== undefined && { credentials }),
    ...(ca !== undefined && { ca }),
  });
  if (json) return terminal.json(recovered);
  await terminal.line(
    `This machine is an admin of the team ${recovered.team} on ${plainLine(recovered.server)}.`,
  );
}

/** A team is for a person to change: what an agent reads could ask it to. */
export function refuseAgent(action: string): never {
  throw new AnnalsError('USAGE', `Only a person can do this, in a terminal: share ${action}.`, {
    hint: '`annals share status`, `members`, `preview` and `sync` are for everybody.',
  });
}

function noteUnsent(sent: boolean, terminal: Session['terminal']): void {
  if (!sent) terminal.note('The server cannot be reached: the others learn of it with the next exchange.');
}
