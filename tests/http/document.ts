// A client made from the OpenAPI document: the calls that it describes, their examples, and the schemas of their answers.
import { expect } from 'vitest';
import * as z from 'zod';
import type { Answered, CallOptions } from './served.ts';

/** Calls a served home. */
export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Answered>;

export interface Operation {
  readonly summary: string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required: boolean;
    readonly schema: object;
    readonly example?: string;
  }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { schema: object; example: unknown } };
  };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { schema: object }>> }>
  >;
}

export interface Document {
  readonly openapi: string;
  readonly components: { readonly schemas: { readonly Error: object } };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export const callsOf = (document: Document): Call[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

export async function documentOf(call: Caller): Promise<Document> {
  return (await call('GET', '/api/openapi.json')).json as Document;
}

/** The schema of an answer; a reference is replaced by what it names. */
export function schemaOf(document: Document, { operation }: Call, status: number): z.ZodType {
  const content = Object.values(operation.responses[status]?.content ?? {})[0];
  if (content === undefined) throw new Error(`${operation.summary} documents no answer ${status}`);
  const { schema } = content;
  const named = '$ref' in schema ? document.components.schemas.Error : schema;
  return z.fromJSONSchema(named as never);
}

/** Path and body of the example; `{item}` and `{plan}` are replaced. */
export function exampleOf({ path, operation }: Call, given: Readonly<Record<string, string>>) {
  const filled = (value: string) =>
    value.replace(/\{(\w+)\}/g, (whole, name: string) => given[name] ?? whole);
  const query = new URLSearchParams();
  let target = path;
  for (const parameter of operation.parameters) {
    if (parameter.example === undefined) {
      expect(parameter.required, `${path}: ${parameter.name} is required and has no example`).toBe(false);
      continue;
    }
    if (parameter.in === 'query') query.set(parameter.name, filled(parameter.example));
    else target = target.replace(`{${parameter.name}}`, encodeURIComponent(filled(parameter.example)));
  }
  const text = query.toString();
  const body = operation.requestBody?.content['application/json'].example;
  return {
    target: text === '' ? target : `${target}?${text}`,
    body: body === undefined ? undefined : filled(JSON.stringify(body)),
  };
}

export const streams = ({ operation }: Call) =>
  'text/event-stream' in (operation.responses[200]?.content ?? {});

interface Examples {
  readonly item: string;
  /** Of the viewer. */
  readonly ticket?: string;
  isWanted?(path: string): boolean;
}

/** Calls with their examples, in the document's order; returns the paths that were called. Streams are left out. */
export async function callExamples(
  call: Caller,
  { item, ticket, isWanted = () => true }: Examples,
): Promise<string[]> {
  const document = await documentOf(call);
  const given: Record<string, string> = { item, ...(ticket === undefined ? {} : { ticket }) };
  const done: string[] = [];
  for (const one of callsOf(document)) {
    if (streams(one) || !isWanted(one.path)) continue;
    if (one.path === '/api/forget/confirm') {
      const body = { selection: { query: 'no such text' } };
      given.plan = (await call('POST', '/api/forget/plan', { body })).json.token;
    }
    if (one.path === '/api/agents/confirm') {
      const body = { agents: ['codex'], installs: false };
      given.agentPlan = (await call('POST', '/api/agents/plan', { body })).json.token;
    }
    if (one.path === '/api/proposals/{id}') {
      const body = { act: 'note', text: 'A proposed note', project: 'feeder', author: 'agent' };
      given.proposal = (await call('POST', '/api/acts', { body })).json.proposal;
    }
    const { target, body } = exampleOf(one, given);
    const answer = await call(one.method, target, body === undefined ? {} : { body });
    const status = Number(Object.keys(one.operation.responses).find((known) => known.startsWith('2')));
    expect(answer.status, `${one.method} ${target}: ${answer.text}`).toBe(status);
    const checked = schemaOf(document, one, status).safeParse(answer.json);
    expect(checked.error?.issues ?? [], `${one.method} ${target}: ${answer.text.slice(0, 500)}`).toEqual([]);
    done.push(one.path);
  }
  return done;
}
