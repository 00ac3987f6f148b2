// What a program reports of its own session while it runs: for agents without hooks and transcripts of a known format.

interface ReportBase {
  /** The agent's name: lower-case letters, digits and hyphens. */
  readonly agent: string;
  /** The program's own id of the session. */
  readonly session: string;
  /**
   * While the settings exclude folders, reports without it are excluded, unless the session named folders since the process
   * started, and none is excluded.
   */
  readonly cwd?: string;
  /** Unix ms; default now. */
  readonly at?: number;
}

/** A person's prompt. If all of it is in `<private>` tags, its whole turn is private, and nothing of it is stored. */
export interface PromptReport extends ReportBase {
  readonly kind: 'prompt';
  readonly text: string;
}

/** A tool use with its outcome. */
export interface ToolReport extends ReportBase {
  readonly kind: 'tool';
  /** `prompt` of the answer to the prompt that it belongs to; needed in a session with private prompts. */
  readonly prompt?: string;
  /** The program's own id of the tool use: a second report with it is a duplicate. */
  readonly id?: string;
  readonly name: string;
  readonly input?: unknown;
  readonly result?: string;
  /** Default ok. */
  readonly outcome?: 'ok' | 'failed' | 'cancelled';
  readonly error?: string;
  readonly durationMs?: number;
}

/** The end of a session. */
export interface EndReport extends ReportBase {
  readonly kind: 'end';
  readonly prompt?: string;
  readonly reason?: string;
  /** The agent's final answer. */
  readonly answer?: string;
}

export type SessionReport = PromptReport | ToolReport | EndReport;

export interface ReportOutcome {
  /**
   * private: it belongs to a private turn, or may belong to one. excluded: the settings exclude its folder, or may exclude it.
   * forgotten: a person forgot its session, or what it reports.
   */
  readonly outcome: 'recorded' | 'duplicate' | 'private' | 'excluded' | 'forgotten';
  /** Of a prompt: names it in the reports that follow. Else, and of a forgotten one, null. */
  readonly prompt: string | null;
}
