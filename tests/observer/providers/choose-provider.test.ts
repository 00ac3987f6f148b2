import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../../src/config/read-settings.ts';
import type { Settings } from '../../../src/config/settings.ts';
import { chooseProvider } from '../../../src/observer/providers/choose-provider.ts';
import { modelServer, SERVER_KEY } from '../model-server.ts';
import { NEVER, request } from './requests.ts';

type Environment = Readonly<Record<string, string>>;

function choice(settings: Partial<Settings>, environment: Environment = {}) {
  return chooseProvider({ ...DEFAULTS, ...settings }, environment, '/home/u/.annals/observer');
}

function opened(settings: Partial<Settings>, environment: Environment = {}) {
  const chosen = choice(settings, environment);
  if ('why' in chosen) throw new Error(chosen.why);
  return chosen;
}

const KEY = { ANTHROPIC_API_KEY: SERVER_KEY };

describe('The provider', () => {
  it.each<[Partial<Settings>, Environment, object]>([
    [{}, KEY, { name: 'anthropic', model: 'claude-haiku-5-5', place: 'api.anthropic.com' }],
    [{}, { ANTHROPIC_AUTH_TOKEN: 'token' }, { name: 'anthropic' }],
    [{}, { ...KEY, ANTHROPIC_BASE_URL: 'http://localhost:4000/x' }, { place: 'localhost:4000' }],
    [{ 'observer.url': 'https://gateway' }, { ...KEY, ANTHROPIC_BASE_URL: 'http://h' }, { place: 'gateway' }],
    [{ 'observer.keyVariable': 'OURS' }, { OURS: 'a' }, { name: 'anthropic' }],
    [{ 'observer.model': 'claude-sonnet-5-5' }, KEY, { model: 'claude-sonnet-5-5' }],
    [
      {
        'observer.provider': 'openai',
        'observer.model': 'qwen3',
        'observer.url': 'http://localhost:11434/v1',
      },
      {},
      { name: 'openai', model: 'qwen3', place: 'localhost:11434' },
    ],
    [
      { 'observer.provider': 'openai', 'observer.model': 'a/b' },
      { OPENROUTER_API_KEY: 'a' },
      { place: 'openrouter.ai' },
    ],
    [
      { 'observer.provider': 'claude-command' },
      {},
      { name: 'claude-command', model: 'claude-haiku-5-5', place: 'claude' },
    ],
  ])('of %j with %j', (settings, environment, expected) => {
    expect(opened(settings, environment).provider).toMatchObject(expected);
  });

  it.each<[Partial<Settings>, Environment, string]>([
    [{}, {}, 'No key for a model is set: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN'],
    [{}, { ANTHROPIC_API_KEY: ' ' }, 'No key'],
    [{ 'observer.keyVariable': 'OURS' }, KEY, 'No key for a model is set: OURS'],
    [{}, { ANTHROPIC_API_KEY: 'two\nlines' }, 'ANTHROPIC_API_KEY holds something that is no key.'],
    [{}, { ...KEY, ANTHROPIC_BASE_URL: 'nowhere' }, 'ANTHROPIC_BASE_URL is no address.'],
    [{ 'observer.provider': 'none' }, KEY, 'observer.provider is none.'],
    [{ 'observer.provider': 'openai' }, KEY, 'needs the name of a model in observer.model'],
    [{ 'observer.provider': 'openai', 'observer.model': 'a' }, KEY, 'OPENROUTER_API_KEY holds no key'],
  ])('of %j with %j is none, with a reason', (settings, environment, why) => {
    const chosen = choice(settings, environment);
    expect('why' in chosen ? chosen.why : null).toContain(why);
    expect(JSON.stringify(chosen)).not.toContain('two');
  });

  it.each<[Environment]>([[KEY], [{ ANTHROPIC_AUTH_TOKEN: SERVER_KEY }]])(
    'sends its key: %j',
    async (environment) => {
      const server = await modelServer();
      await opened({ 'observer.url': server.url }, environment).provider.ask(request(), NEVER);
      expect(server.requests).toHaveLength(1);
    },
  );

  it('has prices if the model is known, or the settings name them', () => {
    expect(opened({}, KEY).prices).toMatchObject({ input: 0.1, output: 0.5 });
    const other = { 'observer.model': 'other' };
    expect(opened(other, KEY).prices).toBeNull();
    expect(opened({ ...other, 'observer.inputPrice': 1 }, KEY).prices).toBeNull();
    const both = { ...other, 'observer.inputPrice': 0, 'observer.outputPrice': 0 };
    expect(opened(both, KEY).prices).toMatchObject({ input: 0, output: 0 });
  });
});
