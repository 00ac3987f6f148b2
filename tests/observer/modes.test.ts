// Modes from files: what is wrong in one is said, and the types of a good one arrive in the memory.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeMode } from '../../src/observer/mode/code-mode.ts';
import type { Mode } from '../../src/observer/mode/mode.ts';
import { listModes, modeNamed, readMode } from '../../src/observer/mode/modes.ts';
import { instructionsOf } from '../../src/observer/request/instructions.ts';
import { REPOSITORY } from '../helpers/program.ts';
import { observedHomes, USAGE } from './observed-home.ts';

const homes = observedHomes('modes');
const { folder, observed } = homes;
const EXAMPLES = join(REPOSITORY, 'examples/modes');

const HERON = {
  name: 'heron',
  description: 'Watching birds.',
  types: [{ name: 'sighting', description: 'a bird was seen' }],
  concepts: [],
};

function written(mode: unknown, name = 'heron'): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, typeof mode === 'string' ? mode : JSON.stringify(mode));
  return path;
}

describe('a mode of a file', () => {
  test('may leave out all but name, description, types and concepts', () => {
    expect(readMode(written(HERON))).toEqual({
      mode: { ...HERON, guidance: [], skip: [], verbosity: 'normal', language: null },
    });
  });

  test.each([
    ['{"name":', '', 'JSON'],
    [[], '', 'an object with name, description, types'],
    [{ ...HERON, name: 'Heron!' }, 'name', 'small letters'],
    [{ ...HERON, name: 'osprey' }, 'name', 'the name of the file: "heron"'],
    [{ ...HERON, name: 'code' }, 'name', 'code is built in'],
    [{ ...HERON, types: [] }, 'types', '1 to 20'],
    [{ ...HERON, types: 'sighting' }, 'types', '1 to 20'],
    [{ ...HERON, types: [{ name: 'a b', description: 'x' }] }, 'types[0].name', 'small letters'],
    [{ ...HERON, types: [...HERON.types, ...HERON.types] }, 'types[1].name', 'each name once'],
    [{ ...HERON, concepts: undefined }, 'concepts', '0 to 20'],
    [{ ...HERON, skip: ['x'.repeat(501)] }, 'skip[0]', '1 to 500'],
    [{ ...HERON, verbosity: 'chatty' }, 'verbosity', 'minimal, normal, verbose'],
    [{ ...HERON, model: 'opus' }, 'model', 'name, description'],
  ])('is refused with the field and what is allowed: %j', (mode, field, allowed) => {
    expect(readMode(written(mode))).toMatchObject({
      problems: [{ field, allowed: expect.stringContaining(allowed) }],
    });
  });

  test('of more than 64 KiB, or one that cannot be read, is refused', () => {
    expect(readMode(written(`${JSON.stringify(HERON)}${' '.repeat(65_536)}`))).toMatchObject({
      problems: [{ allowed: expect.stringContaining('65536 bytes') }],
    });
    expect(readMode(join(folder, 'missing.json'))).toMatchObject({
      problems: [{ allowed: expect.stringContaining('does not exist') }],
    });
  });
});

test('the examples can be used, and code cannot be replaced', async () => {
  const modes = join(folder, 'copied');
  cpSync(EXAMPLES, modes, { recursive: true });
  writeFileSync(join(modes, 'code.json'), readFileSync(join(EXAMPLES, 'research.json')));
  const listed = await listModes(modes);
  expect(listed.map(({ name, path, read }) => [name, path !== null, 'mode' in read])).toEqual([
    ['code', false, true],
    ['code', true, false],
    ['deutsch', true, true],
    ['research', true, true],
  ]);
  expect(await modeNamed('code', modes)).toBe(codeMode);
  expect(await modeNamed('resaerch', modes)).toEqual({ why: expect.stringContaining('deutsch, research') });
  const german = instructionsOf((await modeNamed('deutsch', modes)) as Mode);
  expect(german).toContain('- Write in Deutsch,');
  expect(german).toContain('- übergabe: was jemand wissen muss');
});

test('instructions of a mode without concepts do not ask for any', () => {
  const instructions = instructionsOf((readMode(written(HERON)) as { mode: Mode }).mode);
  expect(instructions).not.toContain('<concepts>');
  expect(instructions).not.toContain('concepts are');
});

const FINDING = {
  ...{ type: 'finding', title: 'Frost narrows the chute by 2 cm', subtitle: null, narrative: 'Measured.' },
  ...{ facts: [], concepts: ['evidence'], files_read: [], files_modified: [] },
};

describe('a home with a mode of its own', () => {
  test('asks for its types, stores them, finds them, and takes a changed file for another recipe', async () => {
    homes.server.answers.push({
      text: JSON.stringify({ observations: [FINDING], summary: null, skip_summary: 'no more' }),
      usage: USAGE,
    });
    await observed(
      async (annals, observe, home) => {
        const modes = join(home, 'modes');
        expect(await observe()).toMatchObject({ asked: 0, problem: expect.stringContaining('“research”') });
        expect((await annals.status()).observer).toMatchObject({
          ...{ provider: null, why: expect.stringContaining('There is no mode “research”') },
        });
        mkdirSync(modes);
        cpSync(join(EXAMPLES, 'research.json'), join(modes, 'research.json'));
        const report = await observe();
        expect(report).toMatchObject({ read: 1, recipe: expect.stringContaining('/research-') });
        const sent = JSON.stringify(homes.server.requests[0]!.body);
        expect(sent).toContain('"enum":["finding","dead-end"');
        expect(sent).toContain('- dead-end: an idea or a method was tried');
        const found = await annals.search('type:finding concept:evidence');
        expect(found.results.map(({ title, type }) => [title, type])).toEqual([[FINDING.title, 'finding']]);
        const file = join(modes, 'research.json');
        writeFileSync(file, readFileSync(file, 'utf8').replace('"verbose"', '"minimal"'));
        const changed = await observe({ dryRun: true });
        expect(changed.recipe).toContain('/research-');
        expect(changed.recipe).not.toBe(report.recipe);
      },
      { 'observer.mode': 'research' },
    );
  });
});
