// What a command may use of the outside world: streams, environment, clock, interrupts and the library. It is passed
// in, so that tests can run every command against a fake library and read its exact output.
import type { Annals, OpenOptions, RestoreOptions, RestoreReport } from '../../api.ts';

export interface Output {
  /** Resolves when the reader can take more. Writing to a closed pipe does nothing. */
  write(text: string): Promise<void>;
  readonly isTerminal: boolean;
  /** Width of the terminal in cells; null when this is not a terminal. */
  readonly columns: number | null;
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
  open(options: OpenOptions): Promise<Annals>;
  restore(folder: string, options: RestoreOptions): Promise<RestoreReport>;
  /** Calls the listener on the first interrupt (Ctrl-C); the second ends the process. Returns a function that stops listening. */
  onInterrupt(listener: () => void): () => void;
}
