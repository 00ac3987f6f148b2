// The application: registers the routes, checks every request before its handler runs, and turns every failure into the
// same form of answer.
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { parseJson, pushTo } from '../../log/index.ts';
import type { Guard } from './guard.ts';
import { bodyOf, type FieldError, HttpError, httpErrorOf } from './http-error.ts';
import { openApiOf } from './openapi.ts';
import { readBody } from './read-body.ts';
import { defineRoute, type Exchange, type Route, type Services } from './route.ts';
import { serveViewer } from './view-pages.ts';

/** On every answer. Nothing may be kept, framed, guessed at or loaded by another site. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
/** Streamable HTTP of the Model Context Protocol; its requests and answers are in no list of routes. */
const MCP_PATH = '/mcp';
const JSON_TYPE = 'application/json; charset=utf-8';
const FIELDS_MAX = 20;
const FIELD_CHARS_MAX = 200;
const NOTHING = z.strictObject({});

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly services: Services;
  readonly guard: Guard;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
  /** Answers MCP at `/mcp`; null if it is not served. */
  readonly mcp: ((request: Request) => Promise<Response>) | null;
  /** The folder of the built viewer; null if it is not served. */
  readonly viewer: string | null;
  /** A failure that is a bug. */
  onError(error: unknown): void;
}

type App = Hono<{ Bindings: HttpBindings }>;
type AppContext = Context<{ Bindings: HttpBindings }>;

export function makeApp(options: AppOptions): App {
  const { services, guard } = options;
  let document: object | undefined;
  const openApi = defineRoute({
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document.',
    answer: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
    async run() {
      document ??= openApiOf(routes, services.version);
      return document as never;
    },
  });
  const routes = [...options.routes, openApi];
  const app: App = new Hono();
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    const path = honoPath(route.path);
    pushTo(methods, path, route.method.toUpperCase());
    app.on(route.method.toUpperCase(), path, (context) => answer(route, context, options));
  }
  for (const [path, allowed] of methods)
    app.all(path, (context) => {
      guard.check(context.env.incoming, 'full');
      const names = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      context.env.outgoing.setHeader('allow', names.join(', '));
      throw new HttpError(405, 'METHOD_NOT_ALLOWED', 'This path has no such method.', {
        hint: `Use ${allowed.join(' or ')}.`,
      });
    });
  const { mcp, viewer } = options;
  if (viewer !== null) serveViewer(app, viewer, guard);
  if (mcp !== null)
    app.all(MCP_PATH, async (context) => {
      guard.check(context.env.incoming, 'full');
      const { body, status, headers } = await mcp(context.req.raw);
      return new Response(body, { status, headers: { ...Object.fromEntries(headers), ...SECURITY_HEADERS } });
    });
  app.notFound((context) => {
    guard.check(context.env.incoming, 'full');
    throw new HttpError(404, 'NOT_FOUND', 'There is no such path.', {
      hint: 'GET /api/openapi.json lists all.',
    });
  });
  app.onError((error, context) => {
    const known = knownError(error, options);
    return sendJson(context, known.status, bodyOf(known));
  });
  return app;
}

/** The answer to a request that does not reach the application. */
export function failure(error: unknown, options: Pick<AppOptions, 'onError'>): Response {
  const known = knownError(error, options);
  const headers = { ...SECURITY_HEADERS, 'content-type': JSON_TYPE };
  return new Response(JSON.stringify(bodyOf(known)), { status: known.status, headers });
}

function knownError(error: unknown, { onError }: Pick<AppOptions, 'onError'>): HttpError {
  const known = httpErrorOf(error);
  if (known.status === 500) onError(error);
  return known;
}

async function answer(
  route: Route,
  context: AppContext,
  { services, guard, closing }: AppOptions,
): Promise<Response> {
  const { incoming, outgoing } = context.env;
  const access = guard.check(incoming, route.access);
  const params = checked(
    route.params ?? NOTHING,
    route.params === undefined ? {} : context.req.param(),
    'path',
  );
  const query = checked(route.query ?? NOTHING, queryOf(context.req.queries()), 'query');
  const streaming = { ...SECURITY_HEADERS, 'content-type': route.streams ?? '' };
  // A stream that nobody reads would stay open.
  if (route.streams !== undefined && incoming.method === 'HEAD')
    return new Response(null, { headers: streaming });
  const body = route.body === undefined ? undefined : await bodyIn(route, incoming);
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const exchange: Exchange = {
    access,
    request: incoming,
    response: outgoing,
    gone: gone.signal,
    get signal() {
      return AbortSignal.any([gone.signal, closing]);
    },
    afterAnswer: (act) => outgoing.once('close', act),
  };
  let result: unknown;
  try {
    result = await route.run({ params, query, body } as never, services, exchange);
  } catch (error) {
    // Nobody reads the answer.
    if (gone.signal.aborted && (error as Error).name === 'AbortError') return RESPONSE_ALREADY_SENT;
    throw error;
  }
  if (route.streams === undefined) return sendJson(context, route.status ?? 200, result);
  return new Response(result as ReadableStream<Uint8Array>, { headers: streaming });
}

async function bodyIn({ body, raw }: Route, incoming: HttpBindings['incoming']): Promise<unknown> {
  if (raw === true) return readBody(incoming);
  const type = incoming.headers['content-type'] ?? '';
  if (!/^application\/json *(;|$)/i.test(type))
    throw new HttpError(415, 'UNSUPPORTED', 'The body is not JSON.', {
      hint: 'Send Content-Type: application/json.',
    });
  const parsed = parseJson((await readBody(incoming)).toString('utf8'));
  if ('problem' in parsed)
    throw new HttpError(400, 'INPUT_INVALID', 'The body is not JSON.', {
      fields: [{ field: 'body', message: parsed.problem }],
    });
  return checked(body!, parsed.value, 'body');
}

/** A parameter that occurs several times would mean one thing here and another one there. */
function queryOf(given: Record<string, string[]>): Record<string, string> {
  const repeated = Object.keys(given).filter((name) => given[name]!.length > 1);
  if (repeated.length > 0)
    throw invalid(repeated.map((name) => ({ field: `query.${name}`, message: 'Occurs more than once.' })));
  return Object.fromEntries(Object.entries(given).map(([name, values]) => [name, values[0]!]));
}

function checked(schema: z.ZodType, value: unknown, where: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(
    parsed.error.issues.map(({ path, message }) => ({
      field: [where, ...path.map(String)].join('.'),
      message,
    })),
  );
}

function invalid(fields: readonly FieldError[]): HttpError {
  return new HttpError(400, 'INPUT_INVALID', 'The request has fields that are wrong.', {
    hint: 'GET /api/openapi.json has the form of every request.',
    fields: fields
      .slice(0, FIELDS_MAX)
      .map(({ field, message }) => ({ field: cut(field), message: cut(message) })),
  });
}

function cut(text: string): string {
  return text.length <= FIELD_CHARS_MAX ? text : `${text.slice(0, FIELD_CHARS_MAX - 1).toWellFormed()}…`;
}

/** Written to Node's response: a `Response` would go through a stream. */
function sendJson({ env: { outgoing } }: AppContext, status: number, value: unknown): Response {
  const body = Buffer.from(JSON.stringify(value));
  // The client may be gone.
  if (!outgoing.headersSent && !outgoing.destroyed) {
    outgoing.writeHead(status, {
      ...SECURITY_HEADERS,
      'content-type': JSON_TYPE,
      'content-length': body.length,
    });
    outgoing.end(body);
  }
  return RESPONSE_ALREADY_SENT;
}

/** `/items/{id}` → `/items/:id` */
function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
