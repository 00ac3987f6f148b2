// A route: its path, who may call it, schemas of what goes in and out, and an example that works. The same schemas check
// requests, and make the OpenAPI document.

import type * as z from 'zod';
import type { Annals, ForgetPlan, ForgetSelection } from '../api.ts';
import type { InstallRequest } from '../install/home-scripts.ts';
import type { IncomingMessage, ServerResponse } from '../platform/local-http-server.ts';
import type { ChangeStreams } from './change-streams.ts';
import type { WorkerControl } from './control.ts';
import type { Access } from './guard.ts';
import type { HookIntake } from './hook-intake.ts';
import type { ShownPlans } from './shown-plans.ts';
import type { ViewTickets } from './view-tickets.ts';

export interface ShownForgetting {
  /** What it answers, if an agent proposed it. */
  readonly proposal: string | null;
  readonly selection: ForgetSelection;
  readonly withCopies: boolean;
  readonly keep: readonly string[];
  readonly plan: ForgetPlan;
}

export interface ShownAgentChange {
  readonly agents: readonly string[];
  readonly installs: boolean;
  readonly mcp: boolean;
  /** What every file would hold. */
  readonly outcome: string;
}

/** What the handlers of all routes work with. */
export interface Services {
  readonly annals: Annals;
  readonly control: WorkerControl;
  readonly version: string;
  readonly plans: ShownPlans<ShownForgetting>;
  readonly agentPlans: ShownPlans<ShownAgentChange>;
  readonly tickets: ViewTickets;
  readonly hooks: HookIntake;
  readonly streams: ChangeStreams;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The agents on this machine, and what their hooks start. */
  readonly installation: InstallRequest;
  /** Unix ms. */
  now(): number;
}

export interface Input<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** The request as it came, for routes that need it. */
export interface Exchange {
  /** What the token allows. */
  readonly access: Access;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborts when the client goes away before it has the answer. */
  readonly gone: AbortSignal;
  /** Aborts when the client goes away or the server closes. */
  readonly signal: AbortSignal;
  /** Runs `act` when the answer has been sent. */
  afterAnswer(act: () => void): void;
}

type Shape = z.ZodType;
type Out<T extends Shape | undefined> = T extends Shape ? z.output<T> : undefined;

export interface Route {
  readonly method: 'get' | 'post' | 'put';
  /** With `{name}` for a part of the path. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly params?: z.ZodObject | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  readonly example?: RouteExample | undefined;
  /** Of a JSON answer. */
  readonly answer: z.ZodType;
  /** Default 200. */
  readonly status?: number | undefined;
  /** What the answer is instead of JSON. */
  readonly streams?: 'text/event-stream' | undefined;
  /** Statuses of expected failures, besides 400, 401 and 403. */
  readonly failures?: readonly number[] | undefined;
  /** The body is taken as it is, and not parsed. */
  readonly raw?: true | undefined;
  run(input: Input<never, never, never>, services: Services, exchange: Exchange): Promise<unknown>;
}

export interface RouteExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface RouteOf<
  P extends z.ZodObject | undefined,
  Q extends z.ZodObject | undefined,
  B extends Shape | undefined,
  A extends Shape,
> extends Omit<Route, 'access' | 'params' | 'query' | 'body' | 'answer' | 'run'> {
  /** Default `full`. */
  readonly access?: Access;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly answer: A;
  run(input: Input<Out<P>, Out<Q>, Out<B>>, services: Services, exchange: Exchange): Promise<z.input<A>>;
}

export function defineRoute<
  A extends Shape,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends Shape | undefined = undefined,
>(route: RouteOf<P, Q, B, A>): Route {
  return { access: 'full', ...route } as unknown as Route;
}
