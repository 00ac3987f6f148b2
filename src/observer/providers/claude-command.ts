// The user's own `claude` command, for those with a subscription: one question, without tools, hooks, plugins, MCP servers
// and transcripts, in a folder of its own that is never recorded. Its process group ends with the answer.
import { type Json, Mutex, parseJson } from '../../../log/index.ts';
import { type JsonObject, objectOf, stringOf, wholeOf } from '../../agents/common/json-fields.ts';
import { type ContainedRun, runContained } from '../../platform/contained-program.ts';
import { makeFolder } from '../../platform/disk-files.ts';
import {
  accountFailure,
  accountProblemIn,
  closedFailure,
  failureOf,
  lateFailure,
  unreadableFailure,
} from './failures.ts';
import { usageIn } from './messages-usage.ts';
import { type ModelReply, type ModelRequest, type Provider, ProviderFailure } from './provider.ts';

export interface ClaudeCommandOptions {
  readonly model: string;
  /** A path, or a name that the PATH finds. */
  readonly command: string;
  /** It is made if it is missing. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How long one answer may take, ms. */
  readonly timeoutMs?: number;
  /** How long the command may take to end when it is asked to, ms. */
  readonly graceMs?: number;
}

const TIMEOUT_MS = 180_000;
const GRACE_MS = 2_000;
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;
const OUTPUT_LIMITS = { depthMax: 40, valuesMax: 50_000 };

const ARGUMENTS = [
  '-p',
  ...['--output-format', 'json'],
  ...['--tools', ''],
  // Neither CLAUDE.md, hooks, plugins nor MCP servers; the login works as usual.
  '--safe-mode',
  '--strict-mcp-config',
  '--disable-slash-commands',
  '--no-session-persistence',
  ...['--settings', '{"disableAllHooks":true}'],
  ...['--effort', 'low'],
];

const ENVIRONMENT = {
  // Our hooks do nothing where it is set.
  ANNALS_INTERNAL: '1',
  // Otherwise it reads each file that the turn mentions as "@path", anywhere on this machine, and sends it.
  CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_MAX_RETRIES: '0',
  DISABLE_AUTOUPDATER: '1',
  MAX_THINKING_TOKENS: '0',
};

/**
 * Not handed on: what a session of Claude Code tells its children, if one started this process; and keys, which the
 * command would prefer to the user's login.
 */
const NOT_HANDED_ON =
  /^(?:CLAUDECODE|AI_AGENT|CLAUDE_PID|CLAUDE_ENV_FILE|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_.*|CLAUDE_CODE_(?:SESSION_ID|ENTRYPOINT|SSE_PORT|MESSAGING_.*)|ANTHROPIC_API_KEY|ANTHROPIC_AUTH_TOKEN)$/;

export function openClaudeCommand(options: ClaudeCommandOptions): Provider {
  return new ClaudeCommandProvider(options);
}

class ClaudeCommandProvider implements Provider {
  readonly name = 'claude-command';
  readonly model: string;
  readonly place: string;
  readonly #options: ClaudeCommandOptions;
  readonly #timeoutMs: number;
  readonly #oneAtATime = new Mutex();
  readonly #closing = new AbortController();

  constructor(options: ClaudeCommandOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.model = options.model;
    this.place = options.command;
  }

  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    return this.#oneAtATime.run(async () => {
      const ends = AbortSignal.any([signal, this.#closing.signal]);
      return this.#reply(await this.#run(request, ends));
    });
  }

  /** Resolves when the command has ended. */
  async close(): Promise<void> {
    this.#closing.abort(closedFailure());
    await this.#oneAtATime.run(async () => {});
  }

  async #run({ instructions, shared, content, maxTokens }: ModelRequest, signal: AbortSignal) {
    const { command, folder, environment, graceMs = GRACE_MS } = this.#options;
    signal.throwIfAborted();
    await makeFolder(folder);
    const kept = Object.entries(environment).filter(([name]) => !NOT_HANDED_ON.test(name));
    return runContained({
      program: command,
      args: [...ARGUMENTS, '--model', this.model, '--system-prompt', instructions],
      folder,
      environment: {
        ...Object.fromEntries(kept),
        ...ENVIRONMENT,
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxTokens),
        // It ends by itself if this process is killed.
        API_TIMEOUT_MS: String(this.#timeoutMs),
      },
      // A slash at the start would be a command. Arguments can be read by other users of this machine.
      input: ` ${[...(shared === undefined ? [] : [shared]), content].join('\n\n')}`,
      timeoutMs: this.#timeoutMs,
      graceMs,
      bytesMax: OUTPUT_BYTES_MAX,
      signal,
    });
  }

  /** @throws ProviderFailure */
  #reply(run: ContainedRun): ModelReply {
    if (run.outcome === 'late') throw lateFailure(this.place, this.#timeoutMs);
    if (run.outcome === 'too long') throw unreadableFailure(this.place);
    if (run.outcome === 'not started')
      throw new ProviderFailure('auth', `${this.place} could not be started (${run.code}).`);
    const result = resultIn(run.stdout);
    if (result === null) throw this.#withoutResult(run);
    const text = stringOf(result.result) ?? '';
    const usage = usageIn(result.usage);
    if (result.is_error === true) throw this.#failure(result, text, (usage?.output ?? 1) > 0);
    const problem = accountProblemIn(text);
    if (problem !== null) throw accountFailure(problem, this.place);
    return {
      text,
      form: 'tags',
      stopReason: stringOf(result.stop_reason),
      usage,
      model: Object.keys(objectOf(result.modelUsage) ?? {})[0] ?? this.model,
    };
  }

  #failure(result: JsonObject, text: string, mayCost: boolean): ProviderFailure {
    const problem = accountProblemIn(text);
    if (problem !== null) return accountFailure(problem, this.place);
    const status = wholeOf(result.api_error_status);
    const { place, model } = this;
    if (status !== null) return failureOf({ status, body: text, retryAfterMs: null, place, model });
    return new ProviderFailure('transient', `${place} reports an error.`, { mayCost });
  }

  #withoutResult({ code, stdout, stderr }: Extract<ContainedRun, { outcome: 'ended' }>): ProviderFailure {
    const problem = accountProblemIn(stdout) ?? accountProblemIn(stderr);
    if (problem !== null) return accountFailure(problem, this.place);
    if (/unknown option/.test(stderr.slice(0, 2_000)))
      return new ProviderFailure('auth', `${this.place} is another program, or too old: it lacks an option.`);
    if (code === 0) return unreadableFailure(this.place);
    const how = code === null ? 'by a signal' : `with code ${code}`;
    return new ProviderFailure('transient', `${this.place} ended ${how} without a reply.`, { mayCost: true });
  }
}

function resultIn(output: string): JsonObject | null {
  const parsed = parseJson(output.trim(), OUTPUT_LIMITS);
  const result = 'value' in parsed ? objectOf(parsed.value as Json) : null;
  return result?.type === 'result' ? result : null;
}
