// The provider of the settings and the environment, or why there is none.
import { createHash } from 'node:crypto';
import type { Settings } from '../../config/settings.ts';
import { isHeaderKey } from '../../platform/http.ts';
import { openAnthropic } from './anthropic.ts';
import { openClaudeCommand } from './claude-command.ts';
import { chatUrl, openOpenAi } from './openai-compatible.ts';
import { type Prices, pricesOf } from './prices.ts';
import type { Provider } from './provider.ts';

export type ProviderChoice =
  | {
      readonly provider: Provider;
      /** Null for a model whose price is unknown. */
      readonly prices: Prices | null;
      /**
       * Changes with the service, its address, the model and the key. Eight digits of a salted hash: no key can be found from
       * them, also not whether two homes have the same one.
       */
      mark(salt: string): string;
    }
  /** One sentence for people. */
  | { readonly why: string };

type Environment = Readonly<Record<string, string | undefined>>;

export const DEFAULT_MODEL = 'claude-haiku-5-5';
const ANTHROPIC = 'https://api.anthropic.com';
const KEY = 'ANTHROPIC_API_KEY';
const TOKEN = 'ANTHROPIC_AUTH_TOKEN';
const OPENROUTER_KEY = 'OPENROUTER_API_KEY';
const MARK_CHARS = 8;

/**
 * @param folder where the `claude` command may run: that of `homePaths`
 * @param model in place of that of the settings
 */
export function chooseProvider(
  settings: Settings,
  environment: Environment,
  folder: string,
  model: string | null = settings['observer.model'],
): ProviderChoice {
  const opened = open({ ...settings, 'observer.model': model }, environment, folder);
  if ('why' in opened) return opened;
  const { provider, key } = opened;
  const { name, place } = provider;
  const { 'observer.inputPrice': input, 'observer.outputPrice': output } = settings;
  // A price is that of the model of the settings, unless every model there costs nothing.
  const isPriced = model === settings['observer.model'] || (input === 0 && output === 0);
  const own = !isPriced || input === null || output === null ? null : { input, output };
  const mark = (salt: string) =>
    createHash('sha256')
      .update(JSON.stringify([salt, name, provider.model, place, key]))
      .digest('hex')
      .slice(0, MARK_CHARS);
  return { provider, prices: pricesOf(provider.model, own), mark };
}

/** `key`: null when the service needs none. */
type Opened = { readonly provider: Provider; readonly key: string | null } | { readonly why: string };

function open(settings: Settings, environment: Environment, folder: string): Opened {
  const { 'observer.provider': chosen, 'observer.model': model, 'observer.command': command } = settings;
  if (chosen === 'none') return { why: 'observer.provider is none.' };
  if (chosen === 'openai') return openAi(settings, environment);
  if (chosen === 'claude-command')
    return {
      provider: openClaudeCommand({ model: model ?? DEFAULT_MODEL, command, folder, environment }),
      key: null,
    };
  return anthropic(settings, environment);
}

function anthropic(settings: Settings, environment: Environment): Opened {
  const names = [settings['observer.keyVariable'] ?? [KEY, TOKEN]].flat();
  const name = names.find((one) => environment[one]?.trim());
  if (name === undefined)
    return {
      why: `No key for a model is set: ${names.join(' or ')}, in the environment in which Annals runs.`,
    };
  const key = keyIn(environment, name);
  if (typeof key !== 'string') return key;
  const url = settings['observer.url'] ?? (environment.ANTHROPIC_BASE_URL?.trim() || ANTHROPIC);
  if (!URL.canParse(url)) return { why: 'ANTHROPIC_BASE_URL is no address.' };
  const credential = name === TOKEN ? { authToken: key } : { apiKey: key };
  const model = settings['observer.model'] ?? DEFAULT_MODEL;
  return { provider: openAnthropic({ model, credential, url }), key };
}

function openAi(settings: Settings, environment: Environment): Opened {
  const { 'observer.model': model, 'observer.url': url } = settings;
  if (model === null)
    return { why: 'observer.provider is openai, which needs the name of a model in observer.model.' };
  const name = settings['observer.keyVariable'] ?? (url === null ? OPENROUTER_KEY : null);
  const key = name === null ? null : keyIn(environment, name);
  if (key !== null && typeof key !== 'string') return key;
  return { provider: openOpenAi({ model, url: chatUrl(url ?? ''), key }), key };
}

function keyIn(environment: Environment, name: string): string | { readonly why: string } {
  const key = environment[name]?.trim() ?? '';
  if (key === '') return { why: `${name} holds no key in the environment in which Annals runs.` };
  return isHeaderKey(key) ? key : { why: `${name} holds something that is no key.` };
}
