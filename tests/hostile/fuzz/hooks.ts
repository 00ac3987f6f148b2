// A spool with a valid payload before and after a hostile one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drainSpool } from '../../../src/capture/spool/drain-spool.ts';
import { END_MARK } from '../../../src/capture/spool/end-mark.ts';
import { spoolFiles, spoolFolders } from '../../../src/capture/spool/spool-files.ts';
import { openMemoryLog } from '../../helpers/logs.ts';
import { asked, leave, type Payload, payload, stopped, used, waiting } from '../../helpers/spool.ts';
import { AGENT_PAYLOADS } from './agent-payloads.ts';
import { isTooDeep, type MakeCase } from './found.ts';
import { type Chance, hostileBytes, oneIn, pick } from './hostile-json.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

export const HONEST: readonly (() => Payload)[] = [
  () => asked('What is it?'),
  () => used('toolu_1', 'output of it'),
  () =>
    payload('PostToolUse', {
      tool_name: 'Read',
      tool_use_id: 'toolu_2',
      tool_input: { file_path: '/a' },
      tool_response: { type: 'text', file: { content: 'x'.repeat(500) } },
    }),
  () =>
    payload('PostToolUse', {
      tool_name: 'mcp__a__b',
      tool_use_id: 'toolu_3',
      tool_input: {},
      tool_response: [{ type: 'text', text: 'long enough to be looked for again' }],
    }),
  () =>
    payload('PostToolUseFailure', {
      tool_name: 'Bash',
      tool_use_id: 'toolu_4',
      error: 'Exit code 1',
      is_interrupt: false,
    }),
  () => stopped('Done.'),
  () => payload('SubagentStop', { agent_id: 'a1', agent_type: 'Explore', last_assistant_message: 'Seen.' }),
  () => payload('SessionStart', { source: 'startup', model: 'm' }),
  () => payload('SessionEnd', { reason: 'clear' }),
];

export const hookCase: MakeCase = async (luck, folder) => {
  const home = join(folder, 'home');
  const age = pick([0, 45 * 60_000, 45 * 60_000, 2 * 3_600_000], luck);
  leave(home, 'c-0', asked('First?', { session_id: 'honest-1', prompt_id: 'h-1' }), NOW - 300);
  leave(home, 'c-2', asked('Second?', { session_id: 'honest-2', prompt_id: 'h-2' }), NOW - 100);
  const names = Array.from({ length: 1 + luck.below(12) }, (_, index) =>
    leaveHostile(home, `c-1-${index}`, luck, NOW - 200 - age + index),
  );
  const log = await openMemoryLog();
  const report = await drainSpool({ log, files: spoolFiles, folders: spoolFolders(home), now: () => NOW });
  const { events } = await log.page({ after: 0 });
  await log.close();
  const wrong: string[] = [...report.problems];
  const honest = events.filter(({ session }) => session?.startsWith('honest-'));
  if (honest.length !== 2) wrong.push(`${2 - honest.length} valid payloads were held up`);
  if (events.some((event) => isTooDeep(event))) wrong.push('a body is too deep');
  const left = waiting(home).filter((name) => !names.includes(name));
  if (left.length > 0) wrong.push(`${left.join(', ')} still wait`);
  const bad = waiting(home, 'bad');
  for (const name of bad) wrong.push(...wrongIn(readFileSync(join(home, 'spool/bad', name))));
  const ignored = Object.values(report.ignored).reduce((sum, count) => sum + count, 0);
  const leftAlone = report.private + report.waiting + report.unfinished + report.foreign + ignored;
  const taken = events.length - 2 + report.duplicates;
  if (taken + bad.length + leftAlone !== names.length)
    wrong.push(`of ${names.length} there were ${taken} taken, ${bad.length} parked and ${leftAlone} counted`);
  return { fates: { taken, parked: bad.length, 'left alone': leftAlone }, wrong };
};

function wrongIn(bad: Buffer): readonly string[] {
  const isSaid = /^annals: [^;\n]{3,80}; \d+ bytes, left /.test(bad.toString('latin1', 0, 300));
  return [
    ...(isSaid ? [] : ['it is parked without a reason']),
    ...(bad.length > 34 * 1024 ? ['what is parked is too long'] : []),
  ];
}

/** Returns the name of the file. */
function leaveHostile(home: string, plain: string, luck: Chance, at: number): string {
  if (oneIn(60, luck)) {
    pick(ENTRIES, luck)(join(home, 'spool/new', plain));
    return plain;
  }
  const [agent, payloads] = pick(AGENT_PAYLOADS, luck);
  const isOther = oneIn(2, luck);
  const bytes = hostileBytes(isOther ? pick(payloads, luck) : pick(HONEST, luck)(), luck);
  // As the capture script names it.
  const name = isOther ? `${agent}-0000012345-0000678-0-${plain}` : plain;
  const path = join(home, 'spool/new', name);
  writeFileSync(path, oneIn(16, luck) ? bytes : Buffer.concat([bytes, Buffer.from(END_MARK)]));
  utimesSync(path, at / 1000, at / 1000);
  return name;
}

const ENTRIES: readonly ((path: string) => void)[] = [
  (path) => symlinkSync('/dev/zero', path),
  (path) => symlinkSync('/nowhere', path),
  (path) => symlinkSync(path, path),
  (path) => mkdirSync(path),
  (path) => execFileSync('mkfifo', [path]),
];
