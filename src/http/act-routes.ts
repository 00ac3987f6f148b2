// Routes of a person's acts: pin, edit, supersede, notes, and the answers to what agents proposed. With `author: "agent"` an
// act is only proposed.
import * as z from 'zod';
import { ACTS } from '../api/act.ts';
import { NAMES_PROJECT, namesProject } from './reading-routes.ts';
import { defineRoute, type Route } from './route.ts';
import { forgetSelection } from './schemas/acting.ts';
import { timeOrNull } from './schemas/reading.ts';

const short = z.string().min(1).max(500);
const named = z.object({ id: z.string(), kind: z.string(), title: z.string() });
const proposed = named.nullable();
const proposal = z.object({
  id: z.string(),
  act: z.enum(ACTS),
  item: proposed,
  by: proposed,
  title: z.string().nullable(),
  text: z.string().nullable(),
  selection: z.looseObject({}).nullable().describe('What to forget.'),
  items: z.array(named).describe('What the selection names by id, as it is now.'),
  client: z.string().nullable(),
  at: timeOrNull,
});

const act = defineRoute({
  method: 'post',
  path: '/api/acts',
  summary: 'Pins, edits or supersedes an item, takes that back, or adds a note.',
  body: z
    .strictObject({
      act: z.enum(ACTS).exclude(['forget']),
      id: short.exactOptional(),
      by: short.exactOptional(),
      title: short.exactOptional(),
      text: z.string().max(100_000).exactOptional(),
      project: short.exactOptional(),
      cwd: z.string().min(1).max(4_096).exactOptional(),
      author: z.enum(['user', 'agent']).exactOptional().describe('Default user.'),
      client: short.exactOptional(),
    })
    .refine((body) => body.act !== 'note' || namesProject(body), NAMES_PROJECT),
  example: { body: { act: 'pin', id: '{item}' } },
  answer: z.object({
    outcome: z.enum(['done', 'proposed', 'unchanged']),
    id: z.string().nullable(),
    title: z.string(),
    proposal: z.string().nullable(),
  }),
  failures: [404, 409, 410],
  run: ({ body }, { annals }) => annals.act(body),
});

const proposeForgetting = defineRoute({
  method: 'post',
  path: '/api/forget/propose',
  summary: 'Proposes to forget something. Nothing changes until a person confirms it.',
  body: z.strictObject({ selection: forgetSelection, client: short.exactOptional() }),
  example: { body: { selection: { query: 'nothing holds this text' } } },
  answer: z.object({ proposal: z.string() }),
  failures: [404, 409, 410],
  async run({ body }, { annals }) {
    const report = await annals.act({ act: 'forget', author: 'agent', ...body });
    return { proposal: report.proposal! };
  },
});

const notes = defineRoute({
  method: 'get',
  path: '/api/notes',
  summary: 'The standing notes of a project, newest first.',
  query: z
    .strictObject({ project: short.exactOptional(), cwd: z.string().min(1).max(4_096).exactOptional() })
    .refine(namesProject, NAMES_PROJECT),
  example: { query: { cwd: '/' } },
  answer: z.object({ notes: z.array(z.object({ id: z.string(), text: z.string(), at: timeOrNull })) }),
  failures: [404],
  run: async ({ query }, { annals }) => ({ notes: [...(await annals.notes(query))] }),
});

const proposals = defineRoute({
  method: 'get',
  path: '/api/proposals',
  summary: 'What agents proposed and nobody answered, oldest first.',
  answer: z.object({ proposals: z.array(proposal) }),
  run: async (_, { annals }) => ({ proposals: [...(await annals.proposals())] as never }),
});

const decide = defineRoute({
  method: 'post',
  path: '/api/proposals/{id}',
  summary:
    'Confirms or refuses a proposal. Confirming does it, except forgetting: that is confirmed with its plan, see /api/forget/plan.',
  params: z.object({ id: short }),
  body: z.strictObject({ confirmed: z.boolean() }),
  example: { params: { id: '{proposal}' }, body: { confirmed: false } },
  answer: z.object({ outcome: z.enum(['confirmed', 'refused']), proposal }),
  failures: [404, 409, 410],
  async run({ params: { id }, body }, { annals }) {
    const { outcome, proposal } = await annals.decide(id, body);
    return { outcome, proposal } as never;
  },
});

export const actRoutes: readonly Route[] = [act, proposeForgetting, notes, proposals, decide];
