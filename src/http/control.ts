// What a worker offers its HTTP server besides the library.

export interface RecordingProblem {
  readonly message: string;
  /** What a person can do about it. */
  readonly advice: string | null;
}

/** What the worker records besides requests. */
export interface Intake {
  /** Folders whose transcripts are recorded when they change. */
  readonly folders: readonly string[];
  /** Why what came last could not be recorded. */
  readonly problems: readonly RecordingProblem[];
}

export interface WorkerControl {
  /** Fields of the worker for `GET /api/status`: plain JSON, nothing captured. */
  status(): object | Promise<object>;
  /** What it takes in besides requests. */
  intake(): Intake;
  /** The last lines of its log, oldest first. They hold nothing captured and no token. */
  logs(options: { readonly lines: number }): readonly string[] | Promise<readonly string[]>;
  /** Ends the worker. Called after the request was answered. */
  stop(): void;
  /** Ends the worker and starts another one. Called after the request was answered. */
  restart(): void;
}
