// What people read of each setting: its name, one sentence, its unit, and the names of its choices.
import type { Settings } from '../../config/settings.ts';

export interface Description {
  readonly label: string;
  readonly sentence: string;
  /** Behind a number. */
  readonly unit?: string;
  /** In place of the values of a choice. */
  readonly choices?: Readonly<Record<string, string>>;
  /** It has an effect only while another setting has one of these values. */
  readonly needs?: readonly [setting: keyof Settings, values: readonly string[]];
  /** When a change is applied, if not within moments. */
  readonly applies?: string;
}

const REMOTE = ['embedder', ['remote']] as const;
const ANY_SERVICE = ['observer.provider', ['auto', 'anthropic', 'openai']] as const;
const ANY_MODEL = ['observer.provider', ['auto', 'anthropic', 'openai', 'claude-command']] as const;

const DESCRIPTIONS: Readonly<Record<keyof Settings, Description>> = {
  exclude: {
    label: 'Folders that are never recorded',
    sentence: 'Sessions in these folders leave nothing behind, like `~/clients/**`; one on each line.',
  },
  embedder: {
    label: 'Search by meaning',
    sentence: 'What turns texts into vectors, so that a search finds other words with the same meaning.',
    choices: {
      static: 'Built in',
      minilm: 'MiniLM, a model that you install',
      remote: 'A service, which gets the texts',
      none: 'Off: search by words only',
    },
  },
  'embedder.url': {
    label: 'Address of the service',
    sentence: 'Up to `/v1`, like `http://localhost:11434/v1`.',
    needs: REMOTE,
  },
  'embedder.model': {
    label: 'Model of the service',
    sentence: 'Its name there, like `nomic-embed-text`.',
    needs: REMOTE,
  },
  'embedder.keyVariable': {
    label: 'Variable with the key of the service',
    sentence: 'The name of an environment variable, like `OPENAI_API_KEY`. The key itself is never stored.',
    needs: REMOTE,
  },
  'embedder.inputTypes': {
    label: 'Tell documents from queries',
    sentence: 'Sends `input_type` with each text, as Voyage takes it.',
    needs: REMOTE,
  },
  'embedder.modelPath': {
    label: 'Folder of the model',
    sentence: 'With `config.json`, `tokenizer.json` and `onnx/`, for transformers.js.',
    needs: ['embedder', ['minilm']],
  },
  indexMemory: {
    label: 'Memory for search indexes',
    sentence: 'Beyond it, the projects that were not searched for the longest time are unloaded.',
    unit: 'MiB',
  },
  indexGraphFrom: {
    label: 'Use a graph from',
    sentence:
      'With more vectors in one project, a graph finds the nearest ones, if hnswlib-node is installed.',
    unit: 'vectors',
  },
  'observer.provider': {
    label: 'Service',
    sentence: 'Who writes observations: a model of a service, or the rules that are built in.',
    choices: {
      auto: 'Anthropic if its key is set, else rules',
      anthropic: 'Anthropic',
      openai: 'OpenAI, or a service with its API',
      'claude-command': 'Your own claude command',
      none: 'No model: rules write them',
    },
  },
  'observer.auto': {
    label: 'Ask the model',
    sentence: 'Whether each turn is sent to the model when it has ended.',
    choices: {
      off: 'Only when annals observe asks',
      on: 'After each turn',
      cheap: 'In batches, at half the price',
    },
    needs: ANY_MODEL,
  },
  'observer.model': {
    label: 'Model',
    sentence: 'Its name; without one `claude-haiku-5-5`. A service with OpenAI’s API needs one.',
    needs: ANY_MODEL,
  },
  'observer.mode': {
    label: 'What is worth remembering',
    sentence: '`code`, or the name of a file in the folder `modes` of your home.',
    needs: ANY_MODEL,
  },
  'observer.url': {
    label: 'Address',
    sentence: 'Of a gateway or another service, like `http://localhost:11434/v1`.',
    needs: ANY_SERVICE,
  },
  'observer.keyVariable': {
    label: 'Variable with the key',
    sentence:
      'The name of an environment variable; without one `ANTHROPIC_API_KEY`. The key itself is never stored.',
    needs: ANY_SERVICE,
  },
  'observer.command': {
    label: 'Command',
    sentence: 'The path of the claude command, or a name that the PATH finds.',
    needs: ['observer.provider', ['claude-command']],
  },
  'observer.inputPrice': {
    label: 'Price of reading',
    sentence:
      'Needed for a limit in dollars if Annals does not know the price of the model; 0 for one on this machine.',
    unit: '$ per million tokens',
    needs: ANY_MODEL,
  },
  'observer.outputPrice': {
    label: 'Price of writing',
    sentence: 'The same for what the model writes.',
    unit: '$ per million tokens',
    needs: ANY_MODEL,
  },
  'observer.usdPerDay': {
    label: 'Limit for a day',
    sentence: 'What the model may cost in 24 hours; `none` for no limit.',
    unit: '$',
    needs: ANY_MODEL,
  },
  'observer.usdPerSession': {
    label: 'Limit for a session',
    sentence: 'What the model may cost for one session.',
    unit: '$',
    needs: ANY_MODEL,
  },
  'observer.usdPerCall': {
    label: 'Limit for a request',
    sentence:
      'What one request may cost; `none` for no limit. A long turn costs up to a cent with the default model.',
    unit: '$',
    needs: ANY_MODEL,
  },
  'observer.tokensPerDay': {
    label: 'Limit in tokens for a day',
    sentence: 'For a model without a price.',
    unit: 'tokens',
    needs: ANY_MODEL,
  },
  worker: {
    label: 'Start the worker by itself',
    sentence: 'The process that records in the background starts with a session, and with `annals up`.',
    choices: { on: 'On', off: 'Off: only annals worker start starts it' },
    applies: 'Applies when a worker would start next.',
  },
  'worker.idleMinutes': {
    label: 'Stop the worker after',
    sentence: 'It ends when nothing happened for so long; 0 for never.',
    unit: 'minutes',
  },
  'http.port': {
    label: 'Port',
    sentence: 'Where the worker serves this page and its API on this machine; `none` for no API.',
    applies: 'Applies when the worker starts next: `annals worker stop`, then `annals view`.',
  },
  'recall.prompt': {
    label: 'With a prompt',
    sentence: 'Adds what earlier sessions know about it, if that is clear: at most three items.',
  },
  'recall.error': {
    label: 'With a failed command',
    sentence: 'Adds how the same error was fixed before, if the log proves it.',
  },
  'recall.edit': {
    label: 'With a file',
    sentence: 'Adds what is known of a file when a session reads or changes it for the first time.',
  },
};

/** A setting that this version of the page does not know is shown by its key. */
export function describe(name: string, about: string): Description {
  return (DESCRIPTIONS as Readonly<Record<string, Description>>)[name] ?? { label: name, sentence: about };
}
