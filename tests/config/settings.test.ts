import { describe, expect, it } from 'vitest';
import { DEFAULTS, readSettings } from '../../src/config/read-settings.ts';
import { parseSettings } from '../../src/config/settings.ts';

describe('Settings', () => {
  it.each([[null], ['{}'], ['{"exclude":["/a"]}'], ['[1]']])(
    'come out the same for %j, whether their schemas had to be loaded or not',
    async (text) => {
      expect(await readSettings(text, {})).toEqual(parseSettings(text, {}));
      const environment = { ANNALS_EXCLUDE: '/b' };
      expect(await readSettings(text, environment)).toEqual(parseSettings(text, environment));
    },
  );

  it.each([null, '', '  \n', '{}'])('are their defaults in %j', (text) => {
    expect(parseSettings(text)).toEqual({ settings: DEFAULTS, degraded: [] });
  });

  it.each(['[1]', 'null', '"text"', '7', '{"exclude":', 'exclude: []'])(
    'are their defaults, and said so, in %j',
    (text) => {
      const { settings, degraded } = parseSettings(text);
      expect(settings).toEqual(DEFAULTS);
      expect(degraded).toHaveLength(1);
    },
  );

  it('that are given count, one that is wrong has its default, and an unknown one is named', () => {
    expect(parseSettings('{"exclude":["~/clients/**"]}').settings.exclude).toEqual(['~/clients/**']);
    const { settings, degraded } = parseSettings('{"exclude":"~/clients","colour":"blue"}');
    expect(settings.exclude).toEqual([]);
    expect(degraded.join(' ')).toMatch(/exclude.*colour/);
  });

  it('may stand beside comments and before a last comma', () => {
    const { settings, degraded } = parseSettings('{\n// mine\n"exclude": ["/a", /* too */ "/b",],\n}\n');
    expect([settings.exclude, degraded]).toEqual([['/a', '/b'], []]);
  });

  it('of the environment win', () => {
    const { settings } = parseSettings('{"exclude":["/a"]}', { ANNALS_EXCLUDE: '/b, /c' });
    expect(settings.exclude).toEqual(['/b', '/c']);
  });
});
