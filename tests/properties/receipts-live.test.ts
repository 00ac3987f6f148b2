// What sessions were given and used, in any order of events: see live-views.ts.
import fc from 'fast-check';
import { test } from 'vitest';
import { receiptsProjector } from '../../projections/index.ts';
import { type Fact, liveEqualsWhole, number, one, sessionFacts, timeOf, where } from './live-views.ts';

/** The first two begin alike, so that a short form of either names neither. */
const IDS = ['o-aaaaaaaaaaaa', 'o-aaaaaabbbbbb', 'm-cccccccccccc'] as const;
const FILES = ['src/clock.ts', 'src/chute.ts', 'README.md'] as const;
const COMMANDS = ['npm run clock', 'make chute'] as const;

const said = sessionFacts({
  prompts: ['go on', 'look at src/chute.ts'],
  answers: ['done', `as in ${IDS[0]}`, 'as in o-aaaaaa', `${IDS[1]} and ${IDS[2]}`, 'see m-cccccc'],
  uses: [
    ...FILES.map((file) => ['Read', { file_path: `/a/${file}` }] as const),
    ['Edit', { file_path: '/a/src/clock.ts', old_string: 'a', new_string: 'b' }],
    ['Bash', { command: `annals show ${IDS[1]}` }],
    ...COMMANDS.map((command) => ['Bash', { command }] as const),
  ],
});

const items = fc.uniqueArray(
  fc.record({
    id: one(...IDS),
    events: fc.constant(['e-1']),
    files: fc.subarray([...FILES]),
    commands: fc.subarray([...COMMANDS]),
  }),
  { selector: ({ id }) => id, maxLength: 3 },
);
const injected = fc
  .record({
    where,
    isOfSession: number(4).map((value) => value > 0),
    key: number(3),
    occasion: one('startup', 'error', 'prompt'),
    items: fc.oneof({ weight: 6, arbitrary: items }, { weight: 1, arbitrary: fc.constant(null) }),
  })
  .map(
    ({ where: { session, at }, isOfSession, key, occasion, items }) =>
      ({
        ...{ agent: 'claude-code', session: isOfSession ? session : null, type: 'context.injected' },
        ...{ dedupeKey: `key-${key}`, channel: 'hook', occurredAt: timeOf(at) },
        body: { occasion, cwd: '/a', items, tokens: 10, durationMs: 4, hash: null },
      }) as unknown as Fact,
  );

test('live receipts equal those of a fold in one page', () =>
  liveEqualsWhole(
    [receiptsProjector],
    fc.oneof({ weight: 3, arbitrary: said }, { weight: 1, arbitrary: injected }),
  ));
