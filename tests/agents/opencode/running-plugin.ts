// Runs the plugin in Node, with a capture script that writes down what it is given.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { pluginText } from '../../../src/agents/opencode/plugin.ts';
import { wait } from '../../../src/platform/clock.ts';
import { at, SESSION } from './session.ts';

export interface Report {
  /** Arguments of the script. */
  readonly words: string;
  readonly payload: JsonObject;
}

type Hook = (input: unknown, output?: unknown) => Promise<void>;

export interface RunningPlugin {
  event(type: string, properties: JsonObject): Promise<void>;
  hook(name: string, input: unknown, output: unknown): Promise<void>;
  /** A prompt of a person. */
  prompt(session: string, id: string, parts: readonly JsonObject[]): Promise<void>;
  /** The texts that a request of the agent begins with. */
  system(session: string, texts?: readonly string[]): Promise<readonly string[]>;
  /** Lets a script go on that waits for `$0.go`. */
  release(): void;
  /** All reports once there are so many, in the order in which OpenCode did things. */
  reports(count: number): Promise<readonly Report[]>;
}

export const CHAT = ['You are opencode.\n<env>\n  Working directory: /home/u/app\n</env>'];

let plugins = 0;

export interface PluginOptions {
  readonly folder: string;
  /** What the script prints at the start of a session. */
  readonly answer?: string;
  /** Lines of sh that the script begins with. */
  readonly before?: string;
  /** What OpenCode knows of a session. */
  readonly known?: (id: string) => Promise<JsonObject | undefined>;
  readonly replace?: readonly [string, string];
}

export async function runPlugin({
  folder,
  answer = '',
  before = '',
  known = async () => undefined,
  replace = ['\0', ''],
}: PluginOptions): Promise<RunningPlugin> {
  const script = join(folder, 'capture');
  const reported = join(folder, 'reported');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(reported, { recursive: true });
  writeFileSync(join(folder, 'answer'), answer);
  writeFileSync(
    script,
    `#!/bin/sh
${before}
cd ${reported} || exit 0
{ echo "$*"; cat; } >$$.part && mv $$.part $$.json
[ "$2" != session-start ] || cat ../answer
`,
  );
  chmodSync(script, 0o755);
  // Another name each time: a module is loaded once.
  const path = join(folder, `annals-${++plugins}.mjs`);
  writeFileSync(path, pluginText([script, 'opencode']).replaceAll(...replace));
  const { Annals } = (await import(pathToFileURL(path).href)) as {
    Annals: (input: unknown) => Promise<Record<string, Hook>>;
  };
  const client = {
    session: { get: async ({ path: { id } }: { path: { id: string } }) => ({ data: await known(id) }) },
  };
  const hooks = await Annals({ client, directory: '/home/u/app' });
  const hook = (name: string, input: unknown, output: unknown) => hooks[name]!(input, output);
  return {
    hook,
    event: (type, properties) => hooks.event!({ event: { id: 'evt_1', type, properties } }),
    prompt: (sessionID, id, parts) =>
      hook('chat.message', { sessionID }, { message: { id, role: 'user', sessionID }, parts }),
    system: async (sessionID, texts = CHAT) => {
      const system = [...texts];
      await hook('experimental.chat.system.transform', { sessionID }, { system });
      return system;
    },
    release: () => writeFileSync(`${script}.go`, ''),
    reports: async (count) => {
      while (existsSync(reported) && filesOf(reported).length < count) await wait(5);
      return filesOf(reported)
        .map((file) => {
          const [words = '', ...payload] = readFileSync(join(reported, file), 'utf8').split('\n');
          return { words, payload: JSON.parse(payload.join('\n')) as JsonObject };
        })
        .sort((one, other) => ORDER.indexOf(eventOf(one)) - ORDER.indexOf(eventOf(other)));
    },
  };
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder).filter((file) => file.endsWith('.json'));
}

export const created = (fields: JsonObject = {}): JsonObject => ({
  info: { id: SESSION, directory: '/home/u/app', time: { created: at(0), updated: at(0) }, ...fields },
});

/** Scripts that run at the same time may end in any order. */
const ORDER: readonly unknown[] = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop'];

function eventOf({ payload }: Report): unknown {
  return payload.hook_event_name;
}
