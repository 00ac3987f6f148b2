// Routes that change something: save, forget, rebuild; and verify, which reads everything.
import * as z from 'zod';
import type { Annals, ForgetPlan, Proposal } from '../api.ts';
import { HttpError } from './http-error.ts';
import { defineRoute, type Route } from './route.ts';
import { forgetPlan, forgetReport, forgetSelection } from './schemas/acting.ts';
import { verification, viewReports } from './schemas/reading.ts';
import { planChanged } from './shown-plans.ts';

const short = z.string().min(1).max(500);

const save = defineRoute({
  method: 'post',
  path: '/api/save',
  summary: 'Saves a memory.',
  body: z.strictObject({
    title: short,
    text: z.string(),
    type: z.string().min(1).max(64).exactOptional(),
    project: short.exactOptional(),
    session: short.exactOptional(),
    files: z.array(z.string()).max(200).exactOptional(),
    concepts: z.array(z.string()).max(200).exactOptional(),
    metadata: z.unknown().exactOptional(),
    at: z.number().int().exactOptional().describe('Unix ms.'),
    cwd: z.string().min(1).max(4_096).exactOptional(),
    author: z.enum(['user', 'agent']).exactOptional().describe('Default user.'),
  }),
  example: {
    body: { title: 'The chute is 9 cm wide', text: 'Frost builds up in a narrower one.', project: 'feeder' },
  },
  answer: z.object({ id: z.string() }),
  failures: [404, 409],
  run: ({ body }, { annals }) => annals.save(body as never),
});

const planForgetting = defineRoute({
  method: 'post',
  path: '/api/forget/plan',
  summary: 'Shows what would be forgotten, and changes nothing. The token confirms exactly this plan, once.',
  body: z
    .strictObject({
      selection: forgetSelection.exactOptional(),
      proposal: short.exactOptional().describe('The id of one that waits. Confirming the plan answers it.'),
      withCopies: z.boolean().exactOptional().describe('Default: as proposed, else false.'),
      keep: z.array(short).max(1_000).default([]).describe('Ids of items of the plan that stay.'),
    })
    .refine(
      ({ selection, proposal }) => (selection === undefined) !== (proposal === undefined),
      'Give a selection or a proposal.',
    ),
  example: { body: { selection: { query: 'nothing holds this text' } } },
  answer: z.object({ selection: forgetSelection, plan: forgetPlan, token: z.string() }),
  failures: [404, 409, 410],
  async run({ body: { proposal = null, keep, ...given } }, { annals, plans }) {
    const wanted: ProposedSelection =
      proposal === null ? given.selection! : await proposedSelection(proposal, annals);
    const { withCopies: asProposed = false, ...selection } = wanted;
    const withCopies = given.withCopies ?? asProposed;
    const { plan } = await annals.forget(selection, { withCopies, keep, dryRun: true });
    const token = plans.remember({ proposal, selection, withCopies, keep, plan });
    return { selection, plan, token } as never;
  },
});

type ProposedSelection = NonNullable<Proposal['selection']>;

async function proposedSelection(id: string, annals: Annals): Promise<ProposedSelection> {
  const proposal = (await annals.proposals()).find((one) => one.id === id);
  if (proposal?.selection != null) return proposal.selection;
  throw new HttpError(
    404,
    'NOT_FOUND',
    'No proposal to forget with this id waits: it was answered, or is gone.',
  );
}

const confirmForgetting = defineRoute({
  method: 'post',
  path: '/api/forget/confirm',
  summary: 'Forgets for good what a plan showed. If it would be something else by now, nothing is forgotten.',
  body: z.strictObject({ token: z.string().min(1).max(100) }),
  example: { body: { token: '{plan}' } },
  answer: forgetReport,
  failures: [404, 409, 410],
  async run({ body: { token } }, { annals, plans }) {
    const { proposal, selection, withCopies, keep, plan: shown } = plans.take(token);
    const options = {
      ...{ withCopies, keep },
      confirm: async (plan: ForgetPlan) => JSON.stringify(plan) === JSON.stringify(shown),
    };
    const report =
      proposal === null
        ? await annals.forget(selection, options)
        : (await annals.decide(proposal, { confirmed: true, ...options })).forgetting!;
    if (report.outcome === 'declined') throw planChanged();
    return report as never;
  },
});

const rebuild = defineRoute({
  method: 'post',
  path: '/api/rebuild',
  summary: 'Builds the views from the log. Answers when it is done; the stream shows the progress.',
  body: z.strictObject({ views: z.array(z.string().max(100)).max(20).exactOptional() }),
  example: { body: {} },
  answer: viewReports,
  failures: [404],
  run: ({ body }, { annals, streams }) =>
    annals.rebuild(body.views, { onProgress: streams.progressOf('rebuild') }) as never,
});

const verify = defineRoute({
  method: 'post',
  path: '/api/verify',
  summary:
    'Checks that the log is intact; with `rebuilt`, that the views are what a rebuild gives. The stream shows the progress.',
  body: z.strictObject({ rebuilt: z.boolean().default(false) }),
  example: { body: { rebuilt: true } },
  answer: verification,
  run: ({ body }, { annals, streams }) =>
    annals.verify({ ...body, onProgress: streams.progressOf('verify') }),
});

export const actingRoutes: readonly Route[] = [save, planForgetting, confirmForgetting, rebuild, verify];
