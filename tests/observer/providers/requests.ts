// What the tests of providers ask, and how they look at failures.
import { expect } from 'vitest';
import type { Json } from '../../../log/index.ts';
import type { JsonObject } from '../../../src/agents/common/json-fields.ts';
import { type ModelRequest, ProviderFailure } from '../../../src/observer/providers/provider.ts';

export const SECRET_TEXT = 'the-content-of-the-turn';
export const NEVER = new AbortController().signal;

const schema: JsonObject = {
  type: 'object',
  properties: { title: { type: 'string' } as Json },
  required: ['title'],
  additionalProperties: false,
};

export function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return { instructions: 'Describe the turn.', content: SECRET_TEXT, maxTokens: 500, schema, ...more };
}

/** @param hidden must not be in what the failure says */
export async function failureOfCall(work: Promise<unknown>, ...hidden: string[]): Promise<ProviderFailure> {
  const failure = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ProviderFailure);
  const said = `${JSON.stringify(failure)} ${(failure as Error).message} ${(failure as Error).stack} ${(failure as Error).cause}`;
  for (const text of [SECRET_TEXT, ...hidden]) expect(said).not.toContain(text);
  return failure as ProviderFailure;
}
