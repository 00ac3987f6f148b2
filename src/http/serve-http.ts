// The HTTP server of the worker, over an open library.
import { getRequestListener } from '@hono/node-server';
import { isAnnalsError } from '../../log/index.ts';
import type { Annals } from '../api.ts';
import type { InstallRequest } from '../install/home-scripts.ts';
import type * as McpModule from '../mcp/program.ts';
import { now } from '../platform/clock.ts';
import { homePath } from '../platform/home-paths.ts';
import { type HttpLimits, LOOPBACK, listenHttp } from '../platform/local-http-server.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { actRoutes } from './act-routes.ts';
import { actingRoutes } from './acting-routes.ts';
import { agentRoutes } from './agent-routes.ts';
import { failure, makeApp } from './app.ts';
import { ChangeStreams } from './change-streams.ts';
import type { WorkerControl } from './control.ts';
import { Guard } from './guard.ts';
import { healthRoutes } from './health-routes.ts';
import { HookIntake } from './hook-intake.ts';
import { HttpError } from './http-error.ts';
import { readingRoutes } from './reading-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { ShownPlans } from './shown-plans.ts';
import { viewRoutes } from './view-routes.ts';
import { ViewTickets } from './view-tickets.ts';
import { workerRoutes } from './worker-routes.ts';

/** The next ports are tried when it is taken. */
export const PORT_DEFAULT = 37_780;
const PORTS_TRIED = 20;
/** A drain that runs when the server closes has this long. */
const DRAIN_GRACE_MS = 1_000;

export interface HttpOptions {
  readonly annals: Annals;
  readonly control: WorkerControl;
  /** At least 32 characters. */
  readonly token: string;
  /** May append, and read nothing. */
  readonly captureToken: string;
  /** Of the product. */
  readonly version: string;
  /** Of the agents' settings: what hooks start, and where the settings are. */
  readonly installation: Omit<InstallRequest, 'home'>;
  /** Default PORT_DEFAULT; 0: any free one. */
  readonly port?: number;
  readonly limits?: Partial<HttpLimits>;
  /** Loads the MCP server, at the first request for it. Absent: it is not served. */
  readonly mcp?: (() => Promise<McpProgram>) | undefined;
  /** The folder of the built viewer. Absent: it is not served. */
  readonly viewer?: string | undefined;
  /** A bug, or a drain that failed. Nothing in it is shown to a client. */
  readonly onError?: (error: unknown) => void;
}

export type McpProgram = Pick<typeof McpModule, 'mcpOverHttp'>;

export interface ServedHttp {
  readonly port: number;
  /** Opens the viewer, once; null if it is not served. */
  viewerAddress(): string | null;
  /** Tells open pages that what is recorded fails, or works again. */
  noteRecording(): void;
  /** Ends streams, lets running requests finish for a moment, and closes. */
  close(): Promise<void>;
}

/** @throws what the system throws when no port can be had */
export async function serveHttp(options: HttpOptions): Promise<ServedHttp> {
  const { annals, control, version, port = PORT_DEFAULT, viewer = null, onError = () => {} } = options;
  let served: { readonly port: number } = { port: 0 };
  const guard = new Guard(options, () => served.port);
  const closing = new AbortController();
  const hooks = new HookIntake({ annals, randomBytes, onError });
  const streams = new ChangeStreams(annals);
  const tickets = new ViewTickets(options.token, { now, randomBytes });
  const { mcp: loadMcp } = options;
  let mcp: Promise<McpModule.McpOverHttp> | null = null;
  const loadedMcp = async () => {
    const { mcpOverHttp } = await loadMcp!();
    return mcpOverHttp({
      version,
      command: 'annals',
      home: annals.home === homePath({}) ? null : annals.home,
      ask: (question) => question(annals),
      failureOf: (error) => (isAnnalsError(error) && error.code !== 'INTERNAL' ? error : null),
      onBug: onError,
    });
  };
  const app = makeApp({
    routes: [
      ...workerRoutes,
      ...readingRoutes,
      ...actingRoutes,
      ...actRoutes,
      ...healthRoutes,
      ...agentRoutes,
      ...sessionRoutes,
      ...viewRoutes,
    ],
    services: {
      annals,
      control,
      version,
      plans: new ShownPlans({ now, randomBytes }),
      agentPlans: new ShownPlans({ now, randomBytes }),
      tickets,
      hooks,
      streams,
      environment: process.env,
      installation: { ...options.installation, home: annals.home },
      now,
    },
    guard,
    closing: closing.signal,
    onError,
    viewer,
    mcp:
      loadMcp === undefined
        ? null
        : async (request) => {
            mcp ??= loadedMcp();
            return (await mcp).answer(request);
          },
  });
  const listener = getRequestListener(app.fetch as never, {
    overrideGlobalObjects: false,
    errorHandler: () =>
      failure(new HttpError(400, 'USAGE', 'The request is not HTTP as it should be.'), { onError }),
  });
  const server = await listenHttp({
    port,
    portsTried: PORTS_TRIED,
    limits: options.limits,
    onRequest: listener,
  });
  served = server;
  return {
    port: server.port,
    viewerAddress: () =>
      viewer === null ? null : `http://${LOOPBACK}:${server.port}/#ticket=${tickets.issue()}`,
    noteRecording: () => streams.noteRecording(),
    async close() {
      closing.abort();
      await server.close();
      await hooks.close(DRAIN_GRACE_MS);
      await (await mcp)?.close();
    },
  };
}
