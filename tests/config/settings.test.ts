import { describe, expect, it } from 'vitest';
import { DEFAULTS, readSettings } from '../../src/config/read-settings.ts';
import { settingValues } from '../../src/config/setting-values.ts';
import { parseSettings } from '../../src/config/settings.ts';

describe('Settings', () => {
  it.each([[null], ['{}'], ['{"exclude":["/a"]}'], ['[1]']])(
    'are the same for %j with and without loading the schemas',
    async (text) => {
      expect(await readSettings(text, {})).toEqual(parseSettings(text, {}));
      const environment = { ANNALS_EXCLUDE: '/b' };
      expect(await readSettings(text, environment)).toEqual(parseSettings(text, environment));
    },
  );

  it.each([null, '', '  \n', '{}'])('are their defaults in %j', (text) => {
    expect(parseSettings(text)).toEqual({ settings: DEFAULTS, degraded: [], pausedBecause: null });
  });

  it.each([
    ['[1]', 'does not hold an object'],
    ['null', 'does not hold an object'],
    ['"text"', 'does not hold an object'],
    ['{"exclude":', 'in line 1'],
    ['exclude: []', 'in line 1'],
    ['{"exclude": ["/a"],, "embedder": "none"}', 'in line 1'],
    ['{\n"exclude": ["/a"] "embedder": "none"}', 'in line 2'],
    ['{"exclude":["/a"],"exclude":[]}', 'duplicate key "exclude" in line 1'],
    ['{"__proto__":{"exclude":[]}}', '__proto__'],
    [`{"exclude":${'['.repeat(50_000)}`, 'nested deeper than 20 levels'],
    ['{"exclude":"/x"}', 'has an "exclude" that is not a list of patterns'],
    ['{"exclude":["/x",7]}', 'has an "exclude" whose pattern 2 is not understood'],
    ['{"exclude":[""]}', 'has an "exclude" whose pattern 1 is not understood'],
    ['{"exclude":null}', 'has an "exclude" that is not a list of patterns'],
    ['{"exclude":["/x","!/x/open"]}', 'has an "exclude" whose pattern 2 is not understood'],
    ['{"exclude":["~/{a,b}"]}', 'has an "exclude" whose pattern 1 is not understood'],
    ['{"Exclude":["/x"]}', 'has an unknown setting: "Exclude"'],
    ['{"excludes":["/x"]}', 'has an unknown setting: "excludes"'],
    ['{"toString":1}', 'has an unknown setting: "toString"'],
  ])('that cannot be read completely stop all recording, with a reason: %.60s', (text, why) => {
    const { settings, degraded, pausedBecause } = parseSettings(text);
    expect(settings).toEqual(DEFAULTS);
    expect(pausedBecause).toContain(why);
    expect(pausedBecause).toMatch(/^config\.json /);
    expect(degraded).toEqual([expect.stringContaining(pausedBecause!)]);
  });

  it('that are set are used, and an invalid one that excludes no folder has its default', () => {
    expect(parseSettings('{"exclude":["~/clients/**"]}').settings.exclude).toEqual(['~/clients/**']);
    expect(parseSettings('\uFEFF{"exclude":["/a"]}').settings.exclude).toEqual(['/a']);
    const { settings, degraded, pausedBecause } = parseSettings('{"exclude":["/a"],"indexMemory":"much"}');
    expect(settings).toEqual({ ...DEFAULTS, exclude: ['/a'] });
    expect([degraded.length, pausedBecause]).toEqual([1, null]);
  });

  it('may have comments and a trailing comma', () => {
    const { settings, degraded } = parseSettings('{\n// mine\n"exclude": ["/a", /* too */ "/b",],\n}\n');
    expect([settings.exclude, degraded]).toEqual([['/a', '/b'], []]);
  });

  it('name a model by its whole path, because a folder of the model may not depend on where a command runs', () => {
    const modelPath = (path: string) =>
      parseSettings(JSON.stringify({ 'embedder.modelPath': path })).settings['embedder.modelPath'];
    expect(['/models/minilm', 'models/minilm', './m', '~/m'].map(modelPath)).toEqual([
      '/models/minilm',
      ...[null, null, null],
    ]);
  });

  it('of the environment override the file', () => {
    const { settings } = parseSettings('{"exclude":["/a"]}', { ANNALS_EXCLUDE: '/b, /c' });
    expect(settings.exclude).toEqual(['/b', '/c']);
  });

  it('of the environment that are empty override nothing', () => {
    expect(parseSettings('{"exclude":["/a"]}', { ANNALS_EXCLUDE: ' ' }).settings.exclude).toEqual(['/a']);
    const sources = settingValues('{"exclude":["/a"],"worker":"off"}', {
      ANNALS_EXCLUDE: ' ',
      ANNALS_WORKER: '',
    });
    expect(
      sources.settings.filter(({ variable }) => variable !== null).map(({ name, source }) => [name, source]),
    ).toEqual([
      ['exclude', 'file'],
      ['worker', 'file'],
    ]);
  });

  it('of the environment that are not understood stop all recording too', () => {
    const environment = { ANNALS_EXCLUDE: '~/clients/[ab]*' };
    const { pausedBecause, degraded } = parseSettings('{"indexMemory":"much"}', environment);
    expect(pausedBecause).toBe('ANNALS_EXCLUDE has a pattern that is not understood');
    expect(degraded).toEqual([
      expect.stringContaining(pausedBecause!),
      expect.stringContaining('indexMemory'),
    ]);
  });
});
