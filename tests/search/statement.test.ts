// A result that only asks or announces comes with what another part of its turn states.
import { expect, it } from 'vitest';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import type { FoundDocument } from '../../src/search/ranking/found-documents.ts';
import { statementOf } from '../../src/search/statement.ts';
import { document } from '../projections/text/documents-in-memory.ts';

const QUERY = 'which go version does the project use';

const part = (id: string, kind: MemoryDocument['kind'], body: string) =>
  document({ id, kind, title: body, body, turn: 't-1' });
const found = (one: MemoryDocument): FoundDocument => ({
  document: one,
  ranked: { id: one.id, projectIndex: 'p1', score: 1, shares: null },
  terms: () => [],
});

const PROMPT = part('p', 'prompt', 'Which go version does the project use?');
const ANNOUNCED = part('a', 'answer', "Got it. I'll search which go version the project does use.");
const LOOKED = part('u', 'tool', 'grep go version of the project in use');
const OTHER = part('b', 'answer', 'The linter is old.');
const STATED = part('o', 'observation', 'Go version 1.25.6 is what the project uses, from go.mod');
const ASKED = document({
  ...{ id: 'y', kind: 'summary', turn: 't-1', title: 'Asked: Which go version does the project use' },
  body: 'Request: Which go version does the project use?\nLearned: It is 1.25.6.',
});

it.each([
  ['a prompt', PROMPT],
  ['an announcement', ANNOUNCED],
])('With %s comes the part that holds most words of the query outside of the request', (_, result) => {
  const parts = [ANNOUNCED, PROMPT, LOOKED, OTHER, ASKED, STATED].filter((one) => one !== result);
  expect(statementOf(result, parts.map(found), QUERY)).toEqual({
    ...{ id: 'o', kind: 'observation', type: null, text: STATED.body },
  });
  expect(statementOf(result, [ASKED, ANNOUNCED].map(found), QUERY)?.text).toBe('It is 1.25.6.');
  expect(statementOf(result, [LOOKED].map(found), QUERY)).toBeNull();
});

it.each([OTHER, STATED, ASKED, LOOKED])('A result that states something itself needs none: $id', (result) => {
  expect(statementOf(result, [found(STATED)], QUERY)).toBeNull();
});
