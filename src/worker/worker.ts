// The worker: one process that holds the log, serves it over a socket, and takes in what hooks and agents write. Capture
// never needs it: it can be killed at any moment.
import { AnnalsError, isAnnalsError, Mutex } from '../../log/index.ts';
import { agentsAt } from '../agents/index.ts';
import type { ChangeState } from '../api.ts';
import type { Program } from '../capture/spool/capture-script.ts';
import { settingsAt } from '../config/read-settings.ts';
import type { ReadSettings } from '../config/settings.ts';
import { whenFree } from '../home/wait-for-lock.ts';
import { forgetFailedStarts, noteFailure, noteStart } from '../home/worker-starts.ts';
import type { RecordingProblem } from '../http/control.ts';
import type { McpProgram } from '../http/requests.ts';
import type { ServedHttp } from '../http/serve-http.ts';
import { now } from '../platform/clock.ts';
import { openHome } from '../platform/home-folder.ts';
import { homePaths } from '../platform/home-paths.ts';
import { type LocalSocket, listenLocal } from '../platform/local-socket.ts';
import type { Machine } from '../platform/machine.ts';
import { startHomeThread, type Thread } from '../platform/threads.ts';
import { lineChannel } from '../remote/line-channel.ts';
import { serveAnnals } from '../remote/serve-annals.ts';
import { counted } from '../terminal-text/grouped-number.ts';
import { openInThread } from '../thread/open-in-thread.ts';
import { type ClientFacts, decisiveEnvironment, servingProcess, type WorkerFacts } from './connect-worker.ts';
import { IdleExit } from './idle-exit.ts';
import { RecallSockets } from './recall-sockets.ts';
import { WarmSearch } from './warm-search.ts';
import { watchHome } from './watch-home.ts';
import { SpoolWatch } from './watch-spool.ts';
import { TranscriptWatch } from './watch-transcripts.ts';
import {
  captureToken,
  knownToken,
  newSocketPath,
  newToken,
  removeWorkerFiles,
  workerLog,
  writeWorkerFile,
} from './worker-files.ts';
import { WorkerLibrary } from './worker-library.ts';
import { lastLines, type WorkerLog, workerLogAt } from './worker-log.ts';

export interface WorkerOptions {
  readonly home: string;
  /** A thread for the home that was started before; null or absent: the worker starts one. */
  readonly thread?: Thread | null;
  readonly userHome: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of the product. */
  readonly version: string;
  /** What the hooks of agents start. */
  readonly program: Program;
  /** When the program was built, Unix ms; null from the sources. */
  readonly build: number | null;
  /** Starts the next worker; null when a service manager does that, because of how this one ended. */
  readonly restart: (() => void) | null;
  /** Whether this process ends with the worker. Who asked it to stop then hears the end of the process. */
  readonly endsProcess: boolean;
  /** Loads the MCP server; absent where it is not built. */
  readonly mcp?: () => Promise<McpProgram>;
  /** The folder of the built viewer; absent where it is not built. */
  readonly viewer?: string;
  /** Called once, when clients can connect. */
  onReady(worker: WorkerState): void;
}

/** The state of a worker, as `annals worker status` shows it. */
export interface WorkerState {
  readonly pid: number;
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly home: string;
  readonly socket: string;
  /** Of the HTTP API; null when it is not served. */
  readonly port: number | null;
  /** As the settings said at the start. Another one is used when it is taken. */
  readonly portWanted: number | null;
  readonly log: string;
  readonly clients: number;
  /** Resident memory, bytes. */
  readonly memory: number;
  /** Folders that are watched. */
  readonly transcripts: readonly string[];
  /** Files in them that changed and are not read yet. */
  readonly transcriptsWaiting: number;
  /** Positions in the log. */
  readonly head: number;
  readonly projected: number;
}

export type WorkerEnd =
  | { readonly outcome: 'ended'; readonly reason: string }
  /** It was asked to restart, and a service manager must start the next one. */
  | { readonly outcome: 'restart' }
  /** Another worker serves this home. */
  | { readonly outcome: 'already'; readonly pid: number }
  | { readonly outcome: 'failed'; readonly error: AnnalsError };

const OPENED = {
  lockTimeoutMs: 0,
  drain: false,
  readyFiles: true,
  observer: true,
  share: true,
} as const;
/** How long a start waits for another command to release the log. */
const LOCK_TIMEOUT_MS = 60_000;
/** How long calls that run may take when the worker stops, and the longest time that a stop takes. */
const CALLS_GRACE_MS = 1_000;
const STOP_MS = 4_500;
/** Any word: to search, every index is loaded. */
const WARMING_QUERY = 'memory';
type Source = 'hooks' | 'transcripts';
const NOT_RECORDED: Readonly<Record<Source, string>> = {
  hooks: 'What hooks left waits and is not recorded.',
  transcripts: 'Transcripts are not recorded.',
};

/** Runs until it is asked to stop, is idle, or its home is gone. Never rejects. */
export async function runWorker(options: WorkerOptions): Promise<WorkerEnd> {
  let log: WorkerLog | null = null;
  let home = options.home;
  try {
    home = await openHome(options.home);
    log = workerLogAt(workerLog(home), now);
    await noteStart(home, new Date(now()).toISOString());
    const worker = await Worker.start({ ...options, home }, log);
    return typeof worker === 'number' ? { outcome: 'already', pid: worker } : await worker.ended;
  } catch (error) {
    log?.('The worker failed', error);
    const failure = isAnnalsError(error)
      ? error
      : new AnnalsError('WORKER_FAILED', `The worker failed: ${(error as Error).message}`, {
          hint: `See ${workerLog(home)}.`,
          cause: error,
        });
    await noteFailure(home, failure.message).catch(() => undefined);
    return { outcome: 'failed', error: failure };
  }
}

class Worker {
  readonly ended: Promise<WorkerEnd>;
  readonly #options: WorkerOptions;
  readonly #log: WorkerLog;
  readonly #startedAt = new Date(now()).toISOString();
  readonly #sockets = new Set<LocalSocket>();
  readonly #stopping = new AbortController();
  /** The start, each change of the settings, and the end: one after another. */
  readonly #steps = new Mutex();
  /** They end what was opened, in the order in which it was opened. */
  readonly #ends: (() => unknown)[] = [];
  readonly #library: WorkerLibrary;
  readonly #spool: SpoolWatch;
  readonly #transcripts: TranscriptWatch;
  readonly #recall: RecallSockets;
  readonly #machine: Machine;
  readonly #idle: IdleExit;
  readonly #warm: WarmSearch;
  #settings: ReadSettings;
  #http: ServedHttp | null = null;
  #portWanted: number | null = null;
  #socketPath = '';
  #change: ChangeState = { head: 0, projected: 0 };
  /** Why what came last could not be recorded, by where it comes from. */
  readonly #failures = new Map<Source, RecordingProblem>();
  #resolveEnded: (end: WorkerEnd) => void = () => {};

  /** The process of another worker, if one serves this home. @throws AnnalsError as `openAnnals` */
  static async start(options: WorkerOptions, log: WorkerLog): Promise<Worker | number> {
    const { home } = options;
    let worker: Worker | null = null;
    let given = options.thread ?? null;
    const openLibrary = async () => {
      const thread = given ?? startHomeThread();
      given = null;
      const opening = { ...OPENED, home };
      if (thread !== null) return openInThread(opening, thread);
      // From the sources, which have no program for it.
      return (await import('../annals.ts')).openAnnals(opening);
    };
    const open = () =>
      WorkerLibrary.open({
        open: openLibrary,
        onCall: () => worker?.noteActivity(),
        beforeReading: async () => worker?.drained(),
        keep: () => worker?.keep() ?? (() => {}),
        workerStatus: () => ({ pid: process.pid }),
        problems: () => worker?.problems() ?? [],
      });
    const opened = await whenFree(
      async () =>
        (await servingProcess(home, options)) ??
        Promise.all([open(), settingsAt(homePaths(home).config, options.environment)]),
      { timeoutMs: LOCK_TIMEOUT_MS },
    );
    if (typeof opened === 'number') {
      await forgetFailedStarts(home);
      return opened;
    }
    const started = new Worker(options, log, ...opened);
    worker = started;
    try {
      await started.#steps.run(() => started.#serve());
      return started;
    } catch (error) {
      void started.stop('it could not start');
      await started.ended;
      throw error;
    }
  }

  private constructor(
    options: WorkerOptions,
    log: WorkerLog,
    library: WorkerLibrary,
    settings: ReadSettings,
  ) {
    this.#options = options;
    this.#log = log;
    this.#library = library;
    this.#settings = settings;
    this.#idle = new IdleExit(idleMs(settings), () => void this.stop('nothing happened for a while'));
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    const { annals } = library;
    this.#warm = new WarmSearch({
      load: () => library.annals.search(WARMING_QUERY, { limit: 1 }),
      isReady: () => this.#change.projected >= this.#change.head,
      onProblem: (text, error) => log(text, error),
    });
    const onProblem = (text: string, error?: unknown) => log(text, error);
    this.#recall = new RecallSockets({ home: options.home, annals, onProblem });
    this.#spool = new SpoolWatch({
      folder: homePaths(options.home).spoolNew,
      drain: () => this.#taking('hooks', annals.drain()),
      onDrained: ({ appended, problems, cwds }) => {
        this.#recall.warm(cwds);
        for (const problem of problems) log(problem);
        // An agent that writes hooks writes transcripts: their folder may be there now.
        if (appended > 0) void this.#transcripts.lookAgain();
      },
      onProblem,
    });
    const { environment, userHome } = options;
    const { agents: descriptions } = homePaths(options.home);
    const machine = { environment, userHome, windows: process.platform === 'win32' };
    this.#machine = machine;
    this.#transcripts = new TranscriptWatch({
      machine,
      descriptions,
      agents: () => agentsAt(descriptions, machine),
      import: (paths) => this.#taking('transcripts', annals.import(paths, { signal: this.#stopping.signal })),
      onImported: ({ files, appended }) => {
        if (appended > 0) log(`${counted(appended, 'new event')} in ${counted(files, 'transcript')}`);
      },
      onProblem,
    });
    this.#ends.push(
      () => library.close(CALLS_GRACE_MS),
      library.onChange((state) => {
        this.#change = state;
        // Answers of a model come without a call.
        this.#idle.note();
        this.#warm.note();
      }),
      () => this.#idle.end(),
      () => this.#warm.end(),
      () => this.#recall.end(),
      () => this.#spool.end(),
      () => this.#transcripts.end(),
    );
  }

  noteActivity(): void {
    this.#idle.note();
    this.#warm.note();
  }

  keep(): () => void {
    return this.#idle.keep();
  }

  problems(): readonly string[] {
    const { port, portWanted } = this.state();
    const failures = [...this.#failures.values()].map(({ message }) => message);
    if (port === portWanted) return failures;
    return [
      ...failures,
      port === null
        ? `The HTTP API is not served; ${workerLog(this.#options.home)} says why.`
        : `Port ${portWanted} is taken: the HTTP API is served on port ${port}.`,
    ];
  }

  /** Keeps why it failed until it works again. */
  async #taking<T>(source: Source, work: Promise<T>): Promise<T> {
    try {
      const report = await work;
      if (this.#failures.delete(source)) this.#http?.noteRecording();
      return report;
    } catch (error) {
      if (isAnnalsError(error) && !this.#stopping.signal.aborted) {
        this.#failures.set(source, {
          message: `${NOT_RECORDED[source]} ${error.message}`,
          advice: error.hint,
        });
        this.#http?.noteRecording();
      }
      throw error;
    }
  }

  drained(): Promise<void> {
    return this.#spool.drained();
  }

  state(): WorkerState {
    const { home, version } = this.#options;
    return {
      pid: process.pid,
      version,
      startedAt: this.#startedAt,
      home,
      socket: this.#socketPath,
      port: this.#http?.port ?? null,
      portWanted: this.#portWanted,
      log: workerLog(home),
      clients: this.#sockets.size,
      memory: process.memoryUsage.rss(),
      transcripts: this.#transcripts.watched,
      transcriptsWaiting: this.#transcripts.waiting,
      ...this.#change,
    };
  }

  async #serve(): Promise<void> {
    const { home, version } = this.#options;
    // The log is ours, so whatever is left is of a worker that was killed. Open pages of the viewer know its token.
    const token = knownToken(home) ?? newToken();
    removeWorkerFiles(home);
    const path = await newSocketPath(home);
    this.#socketPath = path;
    this.#ends.push(() => removeWorkerFiles(home, path));
    const server = await listenLocal(path, (socket) => this.#accept(socket));
    this.#ends.push(() => void server.close());
    server.on('error', (error) => this.#log('The socket failed', error));
    const http = await this.#serveHttp(token);
    this.#http = http;
    this.#ends.push(() => http?.close());
    await writeWorkerFile(home, {
      home,
      pid: process.pid,
      port: http?.port ?? null,
      token: http === null ? null : token,
      socket: path,
      startedAt: this.#startedAt,
      version,
    });
    this.#log(`Started: version ${version}, process ${process.pid}, home ${home}`);
    this.#ends.push(
      watchHome({
        home,
        socket: path,
        onSettings: () => void this.#steps.run(() => this.#readSettings()),
        onGone: (what) => void this.stop(what),
        onProblem: this.#log,
      }),
    );
    this.#listenForSignals();
    await this.#recall.apply(this.#settings.settings);
    void this.#spool.start();
    void this.#transcripts.start();
    this.#warm.note();
    await forgetFailedStarts(home);
    this.#options.onReady(this.state());
  }

  /** Without it everything else works. */
  async #serveHttp(token: string): Promise<ServedHttp | null> {
    const { home, version, program } = this.#options;
    const port = this.#settings.settings['http.port'];
    this.#portWanted = port;
    if (port === null) return null;
    try {
      const { serveHttp } = await import('../http/serve-http.ts');
      const served = await serveHttp({
        annals: this.#library.annals,
        control: {
          status: () => this.state(),
          intake: () => ({
            folders: this.#transcripts.watched,
            problems: [...this.#failures.values()],
          }),
          logs: ({ lines }) => lastLines(workerLog(home), lines),
          stop: () => void this.stop('asked over HTTP'),
          restart: () => this.#restart(),
        },
        token,
        captureToken: await captureToken(home),
        installation: { program, machine: this.#machine },
        version,
        port,
        mcp: this.#options.mcp,
        viewer: this.#options.viewer,
        onError: (error) => this.#log('A request failed', error),
        onUnloadable: () => void this.stop('its program is not the one that was started'),
      });
      if (served.port !== port) this.#log(`Port ${port} is taken: HTTP is served on ${served.port}`);
      return served;
    } catch (error) {
      this.#log('HTTP cannot be served', error);
      return null;
    }
  }

  #restart(): void {
    const { restart } = this.#options;
    // What ends last: by then nobody can connect, so the next worker waits for the log.
    if (restart !== null) this.#ends.unshift(restart);
    void this.stop('asked to restart', restart === null ? { end: { outcome: 'restart' } } : {});
  }

  #accept(socket: LocalSocket): void {
    this.#sockets.add(socket);
    let release = () => {};
    socket.once('close', () => {
      this.#sockets.delete(socket);
      release();
    });
    const { version, build, environment } = this.#options;
    const facts: WorkerFacts = { pid: process.pid, build, environment: decisiveEnvironment(environment) };
    serveAnnals(this.#library.annals, lineChannel(socket), {
      version,
      facts: { ...facts },
      onHello: (hello) => {
        const { keep, stop } = hello.facts as Partial<ClientFacts>;
        this.noteActivity();
        if (keep === true) release = this.#idle.keep();
        if (stop === true) void this.stop(`asked by a command of version ${hello.version}`, { last: socket });
      },
      control: {
        'worker.status': async () => this.state(),
        'view.address': async () => this.#http?.viewerAddress() ?? null,
      },
    });
  }

  /** @param last closes last, so that the other side knows when all is done */
  async stop(
    reason: string,
    {
      last,
      end = { outcome: 'ended', reason },
    }: { readonly last?: LocalSocket; readonly end?: WorkerEnd } = {},
  ): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#log(`Stopping: ${reason}`);
    this.#stopping.abort();
    // Whatever happens, it ends: all that was acknowledged is on disk.
    const limit = setTimeout(() => {
      this.#log('Stopping took too long: the process ends now');
      process.exit(1);
    }, STOP_MS);
    await this.#steps.run(() => this.#end());
    for (const socket of this.#sockets) if (socket !== last) socket.destroy();
    if (this.#options.endsProcess) last?.unref();
    else last?.destroy();
    clearTimeout(limit);
    this.#log('Stopped');
    this.#resolveEnded(end);
  }

  /**
   * What was opened last ends first, and nothing waits for another. The log is open until all others began to end: what
   * they remove is not yet that of the next worker.
   */
  async #end(): Promise<void> {
    const ending = this.#ends
      .splice(0)
      .reverse()
      .map(async (end) => end());
    for (const ended of await Promise.allSettled(ending))
      if (ended.status === 'rejected') this.#log('Closing failed', ended.reason);
  }

  async #readSettings(): Promise<void> {
    const { home, environment } = this.#options;
    const settings = await settingsAt(homePaths(home).config, environment);
    if (this.#stopping.signal.aborted || JSON.stringify(settings) === JSON.stringify(this.#settings)) return;
    this.#settings = settings;
    this.#log('The settings changed');
    try {
      await this.#library.reopen(this.#stopping.signal);
    } catch (error) {
      this.#log('The log could not be opened again', error);
      void this.stop('it could not apply the settings');
    }
    if (this.#stopping.signal.aborted) return;
    this.#idle.setTime(idleMs(settings));
    this.#warm.again();
    await this.#recall.apply(settings.settings);
    void this.#spool.drainAgain();
    this.#transcripts.tryAgain();
  }

  #listenForSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const onSignal = () => void this.stop(signal);
      process.on(signal, onSignal);
      this.#ends.push(() => process.off(signal, onSignal));
    }
    const onFailure = (error: Error) => this.#log('The worker failed and ends', error);
    process.on('uncaughtExceptionMonitor', onFailure);
    this.#ends.push(() => process.off('uncaughtExceptionMonitor', onFailure));
  }
}

function idleMs({ settings }: ReadSettings): number {
  return settings['worker.idleMinutes'] * 60_000;
}
