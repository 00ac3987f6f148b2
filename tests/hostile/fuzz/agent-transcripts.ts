// Transcripts of other agents: hostile lines between valid prompts, and a valid file after them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importTranscripts } from '../../../src/import/import-transcripts.ts';
import { openMemoryLog } from '../../helpers/logs.ts';
import { AGENT_FILES } from './agent-lines.ts';
import { isTooDeep, type MakeCase } from './found.ts';
import { type Fields, hostileBytes, pick } from './hostile-json.ts';

const LINES_MAX = 12;

export const agentTranscriptCase: MakeCase = async (luck, folder) => {
  const file = pick(AGENT_FILES, luck);
  const hostile = Array.from({ length: 1 + luck.below(LINES_MAX) }, () =>
    hostileBytes(pick(file.lines, luck), luck),
  );
  const before = [...file.head(1), ...file.prompt('honest-1', 'Before it?')];
  writeFileSync(
    join(folder, file.name(1)),
    Buffer.concat([
      bytesOf(before),
      ...hostile.flatMap((line) => [line, Buffer.from('\n')]),
      bytesOf(file.prompt('honest-2', 'Behind it?')),
    ]),
  );
  const next = [...file.head(2), ...file.prompt('honest-3', 'In the next file?')];
  writeFileSync(join(folder, file.name(2)), bytesOf(next));
  const log = await openMemoryLog();
  const report = await importTranscripts({ log, paths: [folder] });
  const { events } = await log.page({ after: 0 });
  await log.close();
  const wrong: string[] = [];
  const found = ['honest-1', 'honest-2', 'honest-3'].filter((id) =>
    events.some((event) => event.type === 'prompt.submitted' && event.dedupeKey.includes(id)),
  );
  if (found.length < 3) wrong.push(`${file.agent}: of 3 valid prompts only ${found} were recorded`);
  if (events.some((event) => isTooDeep(event))) wrong.push('a body is too deep');
  if (report.unreadable.length > 0) wrong.push(`not read: ${report.unreadable[0]!.reason}`);
  const parked = report.files.reduce((sum, one) => sum + one.parked, 0);
  if (report.files.some(({ parkedLines }) => parkedLines.some(({ reason }) => reason.length < 5)))
    wrong.push('a line is parked without a reason');
  const rest = Math.max(0, hostile.length - parked);
  const taken = Math.min(rest, Math.max(0, events.length - 5));
  return { fates: { parked: hostile.length - rest, taken, 'left alone': rest - taken }, wrong };
};

function bytesOf(lines: readonly Fields[]): Buffer {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
