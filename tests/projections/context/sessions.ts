// Sessions with observations: two turns in one project, with a failing test, its fix, a commit and a decision.
import { Script, type ScriptOptions } from '../../helpers/transcripts.ts';

export function fixedFeeder(options: ScriptOptions = {}): Buffer {
  const script = new Script({ session: 'aaaaaaaa-0000-4000-8000-000000000001', ...options });
  script.prompt('The evening feeding test fails about one run in ten, please find out why and fix it.');
  script.use('toolu_a1', 'Bash', { command: 'npm test' });
  script.result(
    'toolu_a1',
    'Exit code 1\nAssertionError: expected 2 feedings to be 1',
    {},
    { is_error: true },
  );
  script.use('toolu_a2', 'Edit', {
    file_path: '/home/u/app/src/clock.ts',
    old_string: 'local',
    new_string: 'utc',
  });
  script.result('toolu_a2', 'The file has been updated.');
  script.use('toolu_a3', 'Bash', { command: 'npm test' });
  script.result('toolu_a3', 'Tests  42 passed (42)');
  script.use('toolu_a4', 'Bash', { command: 'git commit -am "fix: keep the clock in UTC"' });
  script.result('toolu_a4', '[main 3f602d1] fix: keep the clock in UTC\n 1 file changed');
  script.reply(
    'Fixed the evening feeding test: the clock was read in local time, so at midnight two feedings fell on one day. ' +
      'I kept the old file format instead of a new one because existing schedules must stay readable.\n\n' +
      'Next steps:\n- Move the weekly report to the same clock.',
  );
  return script.bytes();
}

export function movedReport(options: ScriptOptions = {}): Buffer {
  const script = new Script({
    session: 'bbbbbbbb-0000-4000-8000-000000000002',
    firstUuid: 500,
    start: Date.UTC(2026, 0, 2),
    ...options,
  });
  script.prompt('Move the weekly report to the same clock as the feeder and keep its tests green.');
  script.use('toolu_b1', 'Edit', {
    file_path: '/home/u/app/src/report.ts',
    old_string: 'a',
    new_string: 'b',
  });
  script.result('toolu_b1', 'The file has been updated.');
  script.use('toolu_b2', 'Bash', { command: 'npm test' });
  script.result('toolu_b2', 'Exit code 1\nError: report.test.ts: week 53 is missing', {}, { is_error: true });
  script.reply(
    'The weekly report now uses the clock of the feeder, but one test still fails because week 53 is missing from its table.',
  );
  return script.bytes();
}
