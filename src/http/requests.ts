// Answers the requests of the HTTP server. Loaded at the first one.
import { getRequestListener } from '@hono/node-server';
import { isAnnalsError } from '../../log/index.ts';
import type { Annals } from '../api.ts';
import type { InstallRequest } from '../install/home-scripts.ts';
import type * as McpModule from '../mcp/program.ts';
import { now } from '../platform/clock.ts';
import { homePath } from '../platform/home-paths.ts';
import type { IncomingMessage, ServerResponse } from '../platform/local-http-server.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { actRoutes } from './act-routes.ts';
import { actingRoutes } from './acting-routes.ts';
import { agentRoutes } from './agent-routes.ts';
import { type AppOptions, failure, makeApp } from './app.ts';
import { ChangeStreams } from './change-streams.ts';
import type { WorkerControl } from './control.ts';
import { healthRoutes } from './health-routes.ts';
import { HookIntake } from './hook-intake.ts';
import { HttpError } from './http-error.ts';
import { readingRoutes } from './reading-routes.ts';
import type { Services } from './route.ts';
import { sessionRoutes } from './session-routes.ts';
import { ShownPlans } from './shown-plans.ts';
import { viewRoutes } from './view-routes.ts';
import { workerRoutes } from './worker-routes.ts';

/** A drain that runs when the server closes has this long. */
const DRAIN_GRACE_MS = 1_000;

export interface RequestOptions {
  readonly annals: Annals;
  readonly control: WorkerControl;
  /** Of the product. */
  readonly version: string;
  /** Of the agents' settings: what hooks start, and where the settings are. */
  readonly installation: Omit<InstallRequest, 'home'>;
  /** Loads the MCP server, at the first request for it. Absent: it is not served. */
  readonly mcp?: (() => Promise<McpProgram>) | undefined;
  /** The folder of the built viewer. Absent: it is not served. */
  readonly viewer?: string | undefined;
  /** A bug, or a drain that failed. Nothing in it is shown to a client. */
  readonly onError?: (error: unknown) => void;
}

export type McpProgram = Pick<typeof McpModule, 'mcpOverHttp'>;

type Shared = Pick<AppOptions, 'guard'> & Pick<Services, 'tickets'>;

export interface Requests {
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** Tells open pages that what is recorded fails, or works again. */
  noteRecording(): void;
  /** Ends streams. */
  end(): void;
  /** After the last request. */
  close(): Promise<void>;
}

export function requestsOf(options: RequestOptions, { guard, tickets }: Shared): Requests {
  const { annals, control, version, viewer = null, onError = () => {} } = options;
  const closing = new AbortController();
  const hooks = new HookIntake({ annals, randomBytes, onError });
  const streams = new ChangeStreams(annals);
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
            mcp ??= loadedMcp().catch((error: unknown) => {
              // The next request tries again.
              mcp = null;
              throw error;
            });
            return (await mcp).answer(request);
          },
  });
  const listener = getRequestListener(app.fetch as never, {
    overrideGlobalObjects: false,
    errorHandler: () =>
      failure(new HttpError(400, 'USAGE', 'The request is not HTTP as it should be.'), { onError }),
  });
  return {
    answer: (request, response) => void listener(request, response),
    noteRecording: () => streams.noteRecording(),
    end: () => closing.abort(),
    async close() {
      await hooks.close(DRAIN_GRACE_MS);
      await (await mcp?.catch(() => null))?.close();
    },
  };
}
