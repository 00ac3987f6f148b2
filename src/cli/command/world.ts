// What a command may use of the outside world: streams, environment, clock, interrupts and the library. It is passed
// in, so that tests can run every command against a fake library and read its exact output.
import type { Annals, OpenOptions, RestoreOptions, RestoreReport } from '../../api.ts';
import type { RemoteAnnals } from '../../remote/remote-annals.ts';
import type { Running, Started } from '../../worker/start-worker.ts';
import type { WorkerEnd, WorkerState } from '../../worker/worker.ts';

export interface Output {
  /** Resolves when the reader can take more. Writing to a closed pipe does nothing. */
  write(text: string): Promise<void>;
  readonly isTerminal: boolean;
  /** Width of the terminal in cells; null when this is not a terminal. */
  readonly columns: number | null;
}

/** The worker of one home. */
export interface WorkerControl {
  /** Unless it is switched off or its last starts failed. Resolves when it answers. @throws AnnalsError */
  start(): Promise<Started>;
  /** As `start`, without waiting. Never rejects. */
  startSoon(): Promise<void>;
  /** Whether the settings and the environment leave it on. */
  isWanted(): Promise<boolean>;
  /** Because somebody asked for it. @throws AnnalsError */
  startByHand(): Promise<Running>;
  /** Resolves when it has ended; false when none ran. */
  stop(): Promise<boolean>;
  /** `why` is why none is started any more. */
  status(): Promise<{ readonly state: WorkerState | null; readonly why: string | null }>;
  /** The library of the worker that runs, which stays while this is connected. Null when none runs. */
  connect(): Promise<RemoteAnnals | null>;
  /** Runs it in this process, until it is asked to stop. */
  run(onReady: (state: WorkerState) => Promise<void>): Promise<WorkerEnd>;
}

export interface McpRequest {
  /** Null: the default. */
  readonly home: string | null;
  /** How to call this program. */
  readonly name: string;
}

export interface World {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: {
    readonly isTerminal: boolean;
    /** Reads all of stdin. */
    read(): Promise<string>;
    /** Reads one line. Empty at the end of the input. */
    readLine(): Promise<string>;
    /** Reads one line without echo. Print the question in `whenHidden`: what is typed before that is echoed. */
    readSecret(whenHidden: () => void): Promise<string>;
  };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly userHome: string;
  /** Unix ms. */
  now(): number;
  /** Whether something of a home is in this folder. @param home absolute */
  isHome(home: string): Promise<boolean>;
  /** The library: through the worker when one runs. */
  open(options: OpenOptions): Promise<Annals>;
  /** @param home absolute */
  worker(home: string): WorkerControl;
  /** Opens an address in the browser of the person. False if that is not possible. */
  openInBrowser(address: string): Promise<boolean>;
  restore(folder: string, options: RestoreOptions): Promise<RestoreReport>;
  /** Serves MCP over stdin and stdout, until stdin ends. */
  serveMcp(request: McpRequest): Promise<void>;
  /** Calls the listener on the first interrupt (Ctrl-C); the second ends the process. Returns a function that stops listening. */
  onInterrupt(listener: () => void): () => void;
}
