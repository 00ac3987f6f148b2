// What a command may touch: streams, environment, clock, interrupts and the library. Handed in, so that the
// tests run every command against an Annals of their own and read exactly what a person would have seen.
import type { Annals, OpenOptions, RestoreOptions, RestoreReport } from '../../api.ts';

export interface Output {
  /** Resolves when the reader can take more. Writing to a closed pipe is quiet. */
  write(text: string): Promise<void>;
  readonly isTerminal: boolean;
  /** Width of the terminal in cells; null when it is none. */
  readonly columns: number | null;
}

export interface World {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: {
    readonly isTerminal: boolean;
    /** All of it. */
    read(): Promise<string>;
    /** What a person answers, up to the end of the line. */
    readLine(): Promise<string>;
    /** The same, without showing it. The question is to be asked in `whenHidden`: what is typed earlier is shown. */
    readSecret(whenHidden: () => void): Promise<string>;
  };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly userHome: string;
  /** Unix ms. */
  now(): number;
  open(options: OpenOptions): Promise<Annals>;
  restore(folder: string, options: RestoreOptions): Promise<RestoreReport>;
  /** Calls back at the first interrupt (Ctrl-C); the second ends the process. Returns what stops listening. */
  onInterrupt(listener: () => void): () => void;
}
