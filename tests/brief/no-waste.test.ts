// What takes no room in a brief: counts of files, repetitions, one-off commands, and sentences that say nothing alone.
import { describe, expect, it } from 'vitest';
import { clipSentence } from '../../src/brief/lines/brief-lines.ts';
import { mostInformative, pieceOf } from '../../src/brief/lines/informative-text.ts';
import { observation, summary } from '../projections/context/rows.ts';
import { partOf, textOf } from './material.ts';

it('A new session is not told which files changed most', async () => {
  expect(await textOf(observation(1), summary(1))).not.toContain('Files modified most');
});

describe('A decision whose outcome repeats it', () => {
  const decided = async (rule: string, title: string, narrative: string) =>
    partOf(
      await textOf(
        observation(1, { title, narrative, evidence: { decisions: [`The person: ${rule}`] } }),
        ...Array.from({ length: 21 }, (_, number) => observation(number + 20)),
      ),
      'Decisions made',
    );

  it('is shown once, with what the outcome adds', async () => {
    const rule = 'we are going to paint the northern hatch green.';
    const shown = await decided(
      rule,
      'We are going to paint the northern hatch green',
      'We are going to paint the northern hatch green. The paint of the hatch is in src/paint.ts because the roof reads it.',
    );
    expect(shown).toContain(`${rule} → The paint of the hatch is in src/paint.ts`);
    expect(shown.match(/northern hatch green/g)).toHaveLength(1);
  });

  it('is shown alone if the outcome adds nothing', async () => {
    const rule =
      'If the second session makes hatches that overlap (which is not unlikely) then we still should not go on.';
    const title = 'If the second session makes hatches that overlap then we still should not go';
    expect(await decided(rule, title, `${title} on.`)).toContain(`- ${rule} (o-`);
  });

  it('keeps an outcome that says what was done', async () => {
    const shown = await decided(
      'rename the northern hatch of the feeder to southern hatch of the feeder',
      'Renamed the northern hatch of the feeder to southern hatch of the feeder',
      '',
    );
    expect(shown).toContain('→ Renamed the northern hatch');
  });
});

it('At most two findings without a cause or a fix are shown', async () => {
  const lessons = [
    'Cause: The clock reads local time → Reads UTC',
    ...['door', 'gate', 'roof', 'wall'].map(
      (one) => `The ${one} never opens because src/${one}.ts is missing`,
    ),
    'The tank never opens because src/tank.ts is missing → Add it',
  ];
  const rows = lessons.map((lesson, at) =>
    observation(at * 10, { session: `s-${at}`, evidence: { lessons: [lesson] } }),
  );
  const shown = partOf(await textOf(...rows), 'What went wrong');
  expect(shown).toContain('Cause: The clock');
  expect(shown).toContain('Found: The tank');
  expect(shown.match(/Found: The (?:door|gate|roof|wall)/g)).toHaveLength(2);
});

it('A finding is not shown alone if its session changed the same file again', async () => {
  const lessons = ['The door never opens because src/door.ts is missing'];
  const found = observation(1, { filesModified: ['src/door.ts'], evidence: { lessons } });
  const shown = async (...files: readonly string[]) =>
    partOf(await textOf(found, observation(2, { filesModified: files, turn: 't-2' })), 'What went wrong');
  expect(await shown('src/gate.ts')).toContain('Found: The door');
  expect(await shown('src/door.ts')).not.toContain('The door');
});

describe('Commands', () => {
  const ran = async (...commands: readonly string[]) => {
    const evidence = { commands: commands.map((command) => ({ command, outcome: 'ok' as const })) };
    return partOf(
      await textOf(observation(1, { evidence }), observation(2, { evidence })),
      'How things are run',
    );
  };

  it.each([
    `node -e "JSON.parse(require('fs').readFileSync('schema.json'))"`,
    `python3 -c "import json; json.load(open('schema.json'))"`,
    'go test -c ./feeder -o /dev/null',
    'entire hooks copilot-cli pre-tool-use',
    'rtk git add src/door.ts',
    'mix ash.codegen add_hatch --yes',
    "applypatch <<'P'\n*** Begin Patch\n*** End Patch\nP",
    'python3',
  ])('of one moment are left out: %s', async (command) => {
    expect(await ran(command, 'make seeds')).not.toContain(`\`${command.split(' ').slice(0, 2).join(' ')}`);
    expect(await ran(command, 'make seeds')).toContain('`make seeds`');
  });

  it.each([
    'npx create-feeder@latest hatch --oak',
    'npm install',
    'entire configure --local',
    'feeder init',
    'feeder remove oak',
  ])('that set something up are left out: %s', async (command) => {
    expect(await ran(command, 'make seeds')).not.toContain(command.slice(0, 8));
  });

  it('that record something are shown', async () => {
    expect(await ran('feeder capture oak', 'make seeds')).toContain('`feeder capture oak`');
  });

  it('of other programs that ran in one piece of work are left out', async () => {
    const rows = (command: string, times: number) =>
      Array.from({ length: 25 }, (_, number) => {
        const commands = number < times ? [{ command, outcome: 'ok' as const }] : [];
        return observation(number, { evidence: { commands } });
      });
    const shown = async (command: string, times: number) =>
      partOf(await textOf(...rows(command, times)), 'How things are run');
    expect(await shown('feeder skills get oil', 1)).not.toContain('feeder');
    expect(await shown('feeder skills get oil', 2)).toContain(
      '`feeder skills get oil` ended well in 2 pieces',
    );
    expect(await shown('make seeds', 1)).toContain('`make seeds` ended well once');
    expect(await shown('node scripts/seeds.mjs', 1)).toContain('`node scripts/seeds.mjs` ended well once');
  });

  it('that read the output of another one are left out', async () => {
    expect(await ran('cat seeds.txt | feeder sow', 'make seeds')).not.toContain('feeder sow');
    expect(await ran('feeder sow seeds.txt', 'make seeds')).toContain('`feeder sow seeds.txt`');
  });

  it('are counted in exactly the form that is shown', async () => {
    const rows = ['feeder oil one', 'feeder oil two', 'feeder oil one', 'feeder oil two --all'].map(
      (command, number) => observation(number, { evidence: { commands: [{ command, outcome: 'ok' }] } }),
    );
    expect(await textOf(...rows)).toContain('`feeder oil one` ended well in 2 pieces of work');
    expect(await textOf(...rows.slice(2, 3))).not.toContain('feeder oil');
  });

  it('are shown as they were called most often', async () => {
    expect(await ran('mix compile --strict', 'mix credo && mix compile --strict', 'mix compile')).toContain(
      'Format, lint, build: `mix compile --strict`, `mix credo` ended well',
    );
  });

  it('that ran a part of the tests are shown once, as the tests of one thing', async () => {
    const passed = (command: string) => ({
      command,
      before: null,
      after: 'passed' as const,
      runnerLine: null,
    });
    const shown = partOf(
      await textOf(
        observation(1, { evidence: { tests: [passed('npx vitest run tests/old.test.ts')] } }),
        observation(2, { evidence: { tests: [passed('npx vitest run tests/hatch.test.ts (in web)')] } }),
        observation(3, { evidence: { tests: [passed('npm test')] } }),
        observation(4, { evidence: { tests: [passed('npm test')] } }),
      ),
      'How things are run',
    );
    expect(shown).toContain('- Test: `npm test` passed in 2 pieces of work');
    expect(shown).toContain('- One test: `cd web && npx vitest run tests/hatch.test.ts` (o-');
    expect(await ran('go test -v -run TestHatch ./hatch')).not.toContain('Run: ');
  });

  it('that no room is left for are left out whole', async () => {
    const many = Array.from({ length: 60 }, (_, number) =>
      observation(number, {
        narrative: 'The feeder opens its hatch and closes it again before the birds come. '.repeat(8),
        evidence: {
          tests: [
            'npm test',
            'mise run test:integration',
            'go test ./cmd/feeder/hatch/integration',
            'make check-all-hatches',
          ]
            .slice(0, 1 + (number % 4))
            .map((command) => ({ command, before: null, after: 'passed' as const, runnerLine: null })),
        },
      }),
    );
    const shown = partOf(await textOf(...many), 'How things are run');
    expect(shown).toContain('`npm test` passed in');
    expect(shown).not.toContain('…');
  });

  it('are not cut in the middle', () => {
    const said = 'Validated with bun eval run examples/features/composite/evals/dataset.eval.yaml here';
    expect(clipSentence(said, 70)).toBe('Validated with bun eval run…');
    expect(clipSentence('The hatch was tested with `npx vitest run tests/hatch.test.ts` twice', 50)).toBe(
      'The hatch was tested…',
    );
  });
});

describe('A piece of work', () => {
  it('leaves out sentences that say nothing alone', async () => {
    const all = await textOf(
      observation(1, {
        title: 'The hatch asks the clock',
        narrative:
          'The issue is clear now. This is expected behavior. The code looks correct. The hatch asks the clock because plans have no zone.',
      }),
      observation(11),
      summary(11),
    );
    expect(all).toContain('The hatch asks the clock because plans have no zone.');
    expect(all).not.toMatch(/clear now|expected behavior|looks correct/);
  });

  it('that says nothing alone gives way to another one of its session', async () => {
    const all = await textOf(
      observation(1, { title: 'Painted the roof of the feeder' }),
      observation(2, {
        title: 'The change is scoped to roof.ts',
        narrative: 'The change is scoped to roof.ts — the other files were pre-existing work left untouched.',
        filesModified: [],
      }),
      observation(11),
      summary(11),
    );
    expect(all).toContain('Painted the roof');
    expect(all).not.toContain('left untouched');
    expect(all).not.toContain('is scoped to');
  });
});

it('What the end of the last session says is not repeated among its work and lessons', async () => {
  const fact = 'The new test of the hatch reads the plan from tests/plans.ts, so no clock is needed';
  const found = 'The hatch never opens at dawn because src/hatch.ts reads local time';
  const all = await textOf(
    observation(1, {
      turn: 't',
      part: 1,
      facts: [fact],
      narrative: 'The door got a second hinge in src/door.ts.',
    }),
    observation(2, { turn: 't', part: 2, evidence: { lessons: [found] } }),
    summary(2, { turn: 't', learned: `${found}.` }),
  );
  expect(partOf(all, 'Work by session')).toContain('second hinge');
  expect(all.match(/reads the plan from/g)).toHaveLength(1);
  expect(all.match(/never opens at dawn/g)).toHaveLength(1);
});

describe('The facts at the end of the last session', () => {
  const also = async (facts: readonly string[], completed = 'Oiled the hatch.') =>
    (await textOf(observation(1, { facts: [...facts] }), summary(1, { completed })))
      .split('\n')
      .filter((line) => line.includes('Also: '))
      .map((line) => line.slice(line.indexOf('[agent] ') + 8));

  it('are joined where they stand under one heading', async () => {
    expect(
      await also([
        'New hatch: src/hatch.ts opens at dusk',
        'New hatch: src/door.ts closes at dawn',
        'Lamp: src/lamp.ts has a second switch',
      ]),
    ).toEqual([
      'New hatch: src/hatch.ts opens at dusk; src/door.ts closes at dawn',
      'Lamp: src/lamp.ts has a second switch',
    ]);
  });

  it('do not repeat what is told, also under another heading', async () => {
    const told = 'The hatch of src/hatch.ts opens at dusk because birds are early.';
    expect(await also([`New hatch: ${told}`, 'Lamp: src/lamp.ts has a second switch'], told)).toEqual([
      'Lamp: src/lamp.ts has a second switch',
    ]);
  });

  it.each([
    'Issues or Concerns: None. The code in src/hatch.ts follows the patterns',
    'Sub-agent “Oil the hatch”: Completeness: src/hatch.ts is oiled exactly as specified',
    'Quality: src/hatch.ts follows the existing patterns (src/door.ts)',
    'Commit: Hash: 663dc22e14ccf941b7c74c53f5b036d4a98dd3eb of src/hatch.ts',
  ])('leave out what a report says of itself: %s', async (fact) => {
    expect(await also([fact])).toEqual([]);
  });

  it('leave it out of earlier work too', async () => {
    const facts = [
      'Quality: src/hatch.ts follows the patterns',
      'The lamp in src/lamp.ts has a second switch',
    ];
    const work = partOf(
      await textOf(observation(1, { facts }), observation(2), summary(2)),
      'Work by session',
    );
    expect(work).toContain('second switch');
    expect(work).not.toContain('Quality');
  });

  it('keep a concern', async () => {
    const fact = 'Issues or concerns: src/hatch.ts jams because the hinge of src/door.ts is dry';
    expect(await also([fact])).toEqual([fact]);
  });
});

it('A sentence that does not fit is cut if there is nothing else', () => {
  const said =
    'I tighten the plan so the workspace is no part of the feeder but an extension that supplies the clock.';
  expect(mostInformative('', [pieceOf(said, 0.6)], 80)).toMatch(/^I tighten the plan .*…$/);
  expect(mostInformative('The plan of the feeder', [pieceOf(said, 0.6)], 80)).toBe('The plan of the feeder');
});

describe('What the agent was doing at that moment', () => {
  const work = async (said: string) =>
    partOf(
      await textOf(
        observation(1, { narrative: `${said} The hatch asks the clock because plans have no zone.` }),
        observation(2),
        summary(2),
      ),
      'Work by session',
    );

  it.each([
    'Now the final task — feeder-12.4 in src/feed.ts.',
    'Now write the test of src/hatch.ts.',
    'First, update src/hatch.ts to ask the clock.',
    'Still compiling the dependencies of src/hatch.ts.',
    'I have full context now.',
    'Close feeder-12.5, commit, and continue.',
    'I agree with that direction.',
    'Since no commands of src/feed.ts are available, I’ll divide the work.',
  ])('is left out: %s', async (said) => {
    expect(await work(said)).toContain('asks the clock because');
    expect(await work(said)).not.toContain(said.slice(0, 12));
  });

  it.each([
    'Now the hatch of src/hatch.ts opens at dusk.',
    'Expected values in src/hatch.ts are rounded down to a minute.',
    'I agree with the finding that src/hatch.ts is too wide for a sparrow in winter.',
    'Check digits are part of the id in src/hatch.ts.',
  ])('stays if it states something: %s', async (said) => {
    expect(await work(said)).toContain(said.slice(0, -1));
  });
});
