// The OpenAPI document, made from the routes. OpenAPI 3.1 takes JSON Schema as zod writes it.
import * as z from 'zod';
import { errorAnswer } from './http-error.ts';
import type { Route } from './route.ts';

type Io = 'input' | 'output';

const FAILURES: Readonly<Record<number, string>> = {
  400: 'The request is wrong; `fields` says where.',
  401: 'The token is missing or wrong.',
  403: 'The token may not do this, or the request comes from a foreign page.',
  404: 'There is no such thing.',
  409: 'It is ambiguous, or has changed.',
  410: 'It was forgotten.',
  413: 'The body is larger than 5 MB.',
  415: 'The body is not JSON, or is compressed.',
  500: 'A bug.',
  503: 'Not possible at the moment.',
};

export function openApiOf(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    paths[route.path]![route.method] = operationOf(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Annals',
      version,
      description: 'The HTTP API of the worker, on 127.0.0.1 only. docs/http.md describes it.',
    },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'May do everything.' },
        captureToken: { type: 'http', scheme: 'bearer', description: 'May append, and read nothing.' },
      },
      schemas: { Error: jsonSchema(errorAnswer, 'output') },
    },
    paths,
  };
}

function operationOf(route: Route): object {
  const { access, summary, status = 200, streams, answer, body, example } = route;
  const failures = [
    400,
    ...(access === 'open' ? [403] : [401, 403]),
    ...(body === undefined ? [] : [413, 415]),
    ...(route.failures ?? []),
    500,
  ];
  const type = streams ?? 'application/json';
  return {
    summary,
    security: { open: [], capture: [{ token: [] }, { captureToken: [] }], full: [{ token: [] }] }[access],
    parameters: [...parametersOf(route, 'path'), ...parametersOf(route, 'query')],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(body, 'input'), example: example?.body } },
          },
        }),
    responses: {
      [status]: { description: 'Done.', content: { [type]: { schema: jsonSchema(answer, 'output') } } },
      ...Object.fromEntries(failures.map((one) => [one, failureOf(one)])),
    },
  };
}

function parametersOf({ params, query, example }: Route, where: 'path' | 'query'): object[] {
  const schema = where === 'path' ? params : query;
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, object>;
    required?: readonly string[];
  };
  const examples = (where === 'path' ? example?.params : example?.query) ?? {};
  return Object.entries(properties).map(
    ([name, { description, ...property }]: [string, { description?: string }]) => ({
      name,
      in: where,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: property,
      ...(examples[name] === undefined ? {} : { example: examples[name] }),
    }),
  );
}

function failureOf(status: number): object {
  return {
    description: FAILURES[status],
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function jsonSchema(schema: z.ZodType, io: Io): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
