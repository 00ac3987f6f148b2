// What one run of real agents does, as plain data: it is written to a file and carried out by `runner.ts` inside a
// network namespace. Nothing in it waits for a time; it waits for something to have happened.
//
// A *gate* stops somebody until it is opened: a tool (`tools.gate`), or the model in the middle of an answer
// (`hold`). Each is two files in the project: `.gates/<name>.reached` and `.gates/<name>.open`.

export interface Run {
  /** Work files of the run: requests, screens, temporary files. */
  readonly folder: string;
  readonly home: string;
  /** Where the recording hooks leave payloads. */
  readonly payloads: string;
  /** Started together. */
  readonly sessions: readonly Session[];
}

export interface Session {
  readonly name: string;
  readonly project: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Variable in which the agent finds the model's address. */
  readonly addressVariable: string;
  readonly script: Script;
  /** Set for a session in a terminal: what the person does. */
  readonly keys?: readonly Key[];
  /** The agent is killed with SIGKILL once this gate is reached. */
  readonly killAt?: string;
  /** Gates that open by themselves once a hook was told something. */
  readonly opens?: readonly { readonly gate: string; readonly when: Told }[];
}

/** What the model says. A step answers one request of the main conversation; requests without tools use up none. */
export interface Script {
  readonly steps: readonly Step[];
  /** Said once the steps are used up. */
  readonly final: string;
  /** Answer to a side question without tools, such as one for a title. */
  readonly side?: string;
  /** Other conversations, known by a regular expression on their first or last text of the user. */
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

/** The recording hooks were told this event, with this text somewhere in its payload. */
export interface Told {
  readonly hook: string;
  readonly holding: string;
}

export interface Outcome {
  readonly name: string;
  /** Exit code or signal; null for a terminal. */
  readonly exit: string | null;
  /** What was waited for in vain, with what was on the screen. */
  readonly problems: readonly string[];
}

/** A prompt: typed, sent, and told to the hooks. */
export const submit = (text: string): readonly Key[] => [command(text), told('UserPromptSubmit', text)];
/** A prompt typed while the agent works. Some versions tell the hooks at once, others when its turn has come. */
export const queue = (text: string): Key => command(text);
/** Something typed that is no prompt: `/exit`, `!ls`. */
export const command = (text: string): Key => ({ type: text, enter: true });
export const open = (gate: string): Key => ({ open: gate });
export const press = (name: string): Key => ({ press: name });
export const reached = (gate: string): Key => ({ until: { reached: gate } });
export const seen = (text: string): Key => ({ until: { screen: text } });
export const told = (hook: string, holding = ''): Key => ({ until: { hook, holding } });
