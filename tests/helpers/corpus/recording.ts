// Shared by the makers of the synthetic corpus: a script in the format of a version, and the number of prompts and tool
// uses in it, counted by hand. All texts are invented for these tests.
import { type RawLine, Script } from '../transcripts.ts';

export interface MadeTranscript {
  /** Path below the corpus folder, with `/`. */
  readonly name: string;
  readonly script: Recording;
  /** Prompts typed by a person, and distinct tool uses, counted by hand. */
  readonly prompts: number;
  readonly toolUses: number;
}

export interface RecordingOptions {
  /** Number from which the file's uuids, times and session id are made. */
  readonly number: number;
  readonly version: string;
  readonly cwd: string;
  /** For a sub-agent: its id, and the number of the session that launched it. */
  readonly agentId?: string;
  readonly session?: string;
  /** Fields of every line with an envelope. */
  readonly always?: RawLine;
}

const START = Date.UTC(2025, 8, 1, 9);
const DAY = 24 * 3_600_000;

export function sessionId(number: number): string {
  return `5e55${number.toString(16).padStart(4, '0')}-0000-4000-8000-00000000000${number % 10}`;
}

/** A transcript of one version of the agent. */
export class Recording extends Script {
  readonly #options: RecordingOptions;
  #use = 0;
  /** Fields of the lines of the current turn: newer versions name the prompt. */
  #turn: RawLine = {};

  constructor(options: RecordingOptions) {
    const { number, version, cwd } = options;
    const firstUuid = number * 0x1000;
    super({
      session: options.session ?? sessionId(number),
      cwd,
      version,
      firstUuid,
      start: START + number * DAY - firstUuid * 1_000,
    });
    this.#options = options;
  }

  override message(type: string, message: unknown, extra: RawLine): string {
    const { agentId, always = {} } = this.#options;
    const inside = agentId === undefined ? {} : { isSidechain: true, agentId };
    const ofTurn = type === 'user' ? this.#turn : {};
    return super.message(type, message, { ...always, ...inside, ...ofTurn, ...extra });
  }

  /** The following lines belong to this prompt. */
  turn(promptId: string): void {
    this.#turn = { promptId };
  }

  /** A tool use and its result; the structured result is beside the message in the result line. */
  tool(name: string, input: RawLine, shown: unknown, structured: unknown, extra: RawLine = {}): string {
    const id = this.launch(name, input, extra);
    this.result(id, shown, { toolUseResult: structured, ...extra });
    return id;
  }

  /** A tool use whose result comes later or never. One message is written as two lines: its thinking, then its tool use. */
  launch(name: string, input: RawLine, extra: RawLine = {}): string {
    this.#use += 1;
    const id = `toolu_${this.#options.number}_${this.#options.agentId ?? 'main'}_${this.#use}`;
    const message = { id: `msg_${id}`, usage: { input_tokens: 6, output_tokens: 2 } };
    this.assistant([{ type: 'thinking', thinking: 'Hm.', signature: 'made' }], extra, message);
    const grown = { input_tokens: 6, cache_read_input_tokens: 900, output_tokens: 40 };
    this.use(id, name, input, extra, { ...message, stop_reason: 'tool_use', usage: grown });
    return id;
  }

  bash(command: string, stdout: string, extra: RawLine = {}): string {
    const structured = { stdout, stderr: '', interrupted: false, isImage: false };
    return this.tool('Bash', { command, description: `Runs ${command}` }, stdout, structured, extra);
  }

  failed(name: string, input: RawLine, error: string, extra: RawLine = {}): string {
    const id = this.launch(name, input, extra);
    this.result(id, error, { toolUseResult: `Error: ${error}`, ...extra }, { is_error: true });
    return id;
  }

  /** The person denied the tool use. */
  denied(name: string, input: RawLine, extra: RawLine = {}): string {
    const words = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    const id = this.launch(name, input, extra);
    this.result(id, words, { toolUseResult: 'User rejected tool use', ...extra }, { is_error: true });
    return id;
  }

  interrupted(extra: RawLine = {}): string {
    const content = [{ type: 'text', text: '[Request interrupted by user]' }];
    return this.message('user', { role: 'user', content }, extra);
  }

  progress(toolUseId: string, data: RawLine): string {
    return this.message('progress', null, { data, parentToolUseID: toolUseId, toolUseID: `${toolUseId}_p` });
  }

  /** The old and the new text of an edit, as in the structured result. */
  edited(path: string, before: string, after: string, extra: RawLine = {}): string {
    const input = { file_path: path, old_string: before, new_string: after };
    const lines = [`-${before}`, `+${after}`];
    const structuredPatch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines }];
    const structured = {
      filePath: path,
      oldString: before,
      newString: after,
      originalFile: `${before}\n`,
      structuredPatch,
    };
    return this.tool('Edit', input, `The file ${path} has been updated.`, structured, extra);
  }
}
