// What one run of real agents does, as plain data: it is written to a file and executed by `runner.ts` inside a network
// namespace. It never waits for a fixed time, only for events.
//
// A *gate* blocks a tool (`tools.gate`), or the model in the middle of an answer (`hold`), until it is opened. Each is
// two files in the project: `.gates/<name>.reached` and `.gates/<name>.open`.

export interface Run {
  /** Work files of the run: requests, screens, temporary files. */
  readonly folder: string;
  readonly home: string;
  /** Where the recording hooks write payloads. */
  readonly payloads: string;
  readonly sessions: readonly Session[];
  /**
   * One session after another, with a pause of so many ms before each, in one namespace: what a session starts in the
   * background lives on. Default: together.
   */
  readonly oneByOne?: number;
  /** Whether sessions start a worker. Default: they do not. */
  readonly worker?: boolean;
  /** A process that is killed again and again while the sessions run. */
  readonly kills?: Kills;
}

export interface Kills {
  /** Processes with these words in their command line. */
  readonly processes: string;
  /** After every so many hooks of the agent. */
  readonly everyHooks: number;
  /** Program and arguments that start it again; ends by itself. */
  readonly restart: readonly string[];
  /** Where each kill adds a byte. */
  readonly record: string;
}

export interface Session {
  readonly name: string;
  readonly project: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Variable from which the agent reads the model's address. */
  readonly addressVariable: string;
  readonly script: Script;
  /** Set for a session in a terminal: what the person does. */
  readonly keys?: readonly Key[];
  /** The agent is killed with SIGKILL once this gate is reached. */
  readonly killAt?: string;
  /** Gates that open by themselves once a hook received something. */
  readonly opens?: readonly { readonly gate: string; readonly when: Told }[];
}

/** The model's answers. A step answers one request of the main conversation; requests without tools use up none. */
export interface Script {
  readonly steps: readonly Step[];
  /** The answer once the steps are used up. */
  readonly final: string;
  /** Answer to a side question without tools, such as one for a title. */
  readonly side?: string;
  /** Other conversations, recognised by a regular expression on the user's first or last text. */
  readonly lanes?: readonly Lane[];
}

export interface Lane {
  readonly first?: string;
  readonly last?: string;
  readonly steps: readonly Step[];
  readonly final: string;
}

export interface Step {
  readonly say?: string;
  readonly use?: readonly ToolCall[];
  /** The gate at which the model stops, half-way through its answer. */
  readonly hold?: string;
  /** HTTP status of a refusal. The step is never used up. */
  readonly error?: number;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type Key =
  /** Types text and waits until the screen shows it; `enter` then sends it and waits until it has left the input. */
  | { readonly type: string; readonly enter: boolean }
  | { readonly press: string }
  | { readonly open: string }
  | { readonly until: Condition };

export type Condition = { readonly screen: string } | { readonly reached: string } | Told;

/** The recording hooks received this event, with this text somewhere in its payload. */
export interface Told {
  readonly hook: string;
  readonly holding: string;
}

export interface Outcome {
  readonly name: string;
  /** Exit code or signal; null for a terminal. */
  readonly exit: string | null;
  /** From start to exit, ms. */
  readonly ms: number;
  /** What did not happen in time, with the screen's content. */
  readonly problems: readonly string[];
}

/** A prompt: typed, sent, and received by the hooks. */
export const submit = (text: string): readonly Key[] => [command(text), hookFired('UserPromptSubmit', text)];
/** A prompt typed while the agent works. Some versions fire the hook at once, others when the prompt is sent. */
export const queue = (text: string): Key => command(text);
/** Something typed that is not a prompt: `/exit`, `!ls`. */
export const command = (text: string): Key => ({ type: text, enter: true });
export const open = (gate: string): Key => ({ open: gate });
export const press = (name: string): Key => ({ press: name });
export const reached = (gate: string): Key => ({ until: { reached: gate } });
export const seen = (text: string): Key => ({ until: { screen: text } });
export const hookFired = (hook: string, holding = ''): Key => ({ until: { hook, holding } });
