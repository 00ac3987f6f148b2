import * as z from 'zod';
import type { Annals, ForgetPlan, ForgetSelection } from '../../api.ts';
import { escapeForPrompt } from '../../brief/escape-for-prompt.ts';
import { counted } from '../../terminal-text/grouped-number.ts';
import { shellWords } from '../../terminal-text/shell-words.ts';
import { estimateTokens, fittingEntries, shortLine, TOKENS_MAX } from '../common/past-text.ts';
import { defineTool, ToolFailure } from '../common/tool.ts';

const IDS_MAX = 50;

const thing = z.object({ id: z.string(), kind: z.string(), title: z.string() });

export const forget = defineTool({
  name: 'forget',
  title: 'Propose to forget',
  description:
    'Shows what would be deleted for good, and proposes it to the person. It deletes and hides nothing: only a person can ' +
    'forget. Show the person the plan and the command, and do not run it yourself.',
  input: z.strictObject({
    ids: z.array(z.string().min(1).max(500)).min(1).max(IDS_MAX).optional().describe('Ids of anything.'),
    session: z.string().min(1).max(500).optional().describe('A whole session.'),
    query: z.string().min(1).max(1_000).optional().describe('Everything that holds exactly this text.'),
    withCopies: z
      .boolean()
      .default(false)
      .describe('Also other things that share a long word or a line with it.'),
  }),
  output: z.object({
    outcome: z.enum(['proposed', 'nothing']),
    command: z.string().nullable().describe('For a person, in a terminal.'),
    proposal: z.string().nullable().describe('Its id in `annals proposals`; null if it was not kept.'),
    events: z.int().describe('Events that would lose their text.'),
    sessions: z.int(),
    things: z.array(thing).describe('The first of them.'),
    copies: z
      .array(thing)
      .describe(
        'The first other things that share a long word or a line with it. They stay without withCopies.',
      ),
    derived: z.int().describe('Observations and summaries made from them.'),
  }),
  effect: 'proposes',
  async run({ withCopies, ...named }, { ask, command, home, client }) {
    const selection = selectionOf(named);
    const { plan } = await ask((annals) => annals.forget(selection, { withCopies, dryRun: true }));
    const line =
      plan.events === 0 && plan.spoolFiles === 0
        ? null
        : `${command} forget ${shellWords([...wordsOf(selection), ...(withCopies ? ['--with-copies'] : []), ...(home === null ? [] : ['--home', home])])}`;
    const wanted = { ...selection, ...(withCopies ? { withCopies } : {}) };
    const proposal =
      line === null ? null : await ask((annals) => proposed(annals, wanted, client), { changes: true });
    const answer = answerOf(plan, line, proposal);
    const nextCalls = line === null ? [] : ['none: a person runs the command in a terminal, or does not'];
    return { answer, lines: linesOf(answer, withCopies), nextCalls };
  },
});

type Named = {
  readonly ids?: string[] | undefined;
  readonly session?: string | undefined;
  readonly query?: string | undefined;
};

function selectionOf(named: Named): ForgetSelection {
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  if (given.length !== 1)
    throw new ToolFailure('Name what to forget in exactly one way: ids, session or query.');
  // The command is copied into a terminal.
  if (given.flat(2).some((word) => escapeForPrompt(word!) !== word))
    throw new ToolFailure(
      'Use one line of plain text, without tags, control characters and spaces at its ends. A part of the text is enough.',
    );
  return Object.fromEntries(given);
}

function wordsOf({ ids = [], session, query }: ForgetSelection): string[] {
  if (session !== undefined) return ['--session', session];
  return query === undefined ? [...ids] : ['--query', query];
}

type Thing = z.output<typeof thing>;

/** Null when it would keep a secret. */
async function proposed(
  annals: Pick<Annals, 'act'>,
  selection: ForgetSelection & { readonly withCopies?: boolean },
  client: string | null,
): Promise<string | null> {
  const named = client === null ? {} : { client };
  try {
    return (await annals.act({ act: 'forget', selection, author: 'agent', ...named })).proposal;
  } catch (error) {
    // Not `isAnnalsError`: the program of the protocol does not hold the log.
    if (error instanceof Error && 'code' in error && error.code === 'INPUT_INVALID') return null;
    throw error;
  }
}

function answerOf(
  { events, sessions, things, copies, derived }: ForgetPlan,
  command: string | null,
  proposal: string | null,
) {
  const shown = (all: ForgetPlan['things'], tokensMax: number): Thing[] => [
    ...fittingEntries(
      all.map(({ id, kind, title }) => ({ id, kind, title: shortLine(title) })),
      tokensMax,
    ),
  ];
  const shownCopies = shown(copies.things, TOKENS_MAX / 2);
  const room = TOKENS_MAX - estimateTokens(JSON.stringify(shownCopies));
  const outcome = command === null ? ('nothing' as const) : ('proposed' as const);
  return {
    outcome,
    command,
    proposal,
    events,
    sessions,
    things: shown(things, room),
    copies: shownCopies,
    derived,
  };
}

function linesOf(
  { command, events, sessions, things, copies, derived }: ReturnType<typeof answerOf>,
  withCopies: boolean,
): string[] {
  if (command === null) return ['Nothing matches; there is nothing to forget.'];
  const list = (all: readonly Thing[]) => all.map(({ id, kind, title }) => `- ${id} · ${kind}: ${title}`);
  return [
    `Nothing was changed. Would be forgotten: ${counted(events, 'event')} in ${counted(sessions, 'session')}.`,
    ...list(things),
    ...(derived === 0
      ? []
      : [
          `${counted(derived, 'observation or summary', 'observations or summaries')} made from them would be deleted or made again.`,
        ]),
    ...(copies.length === 0
      ? []
      : [
          `These share a long word or a line with it and would ${withCopies ? 'be forgotten too' : 'stay'}:`,
          ...list(copies),
        ]),
    `Only a person can do it, in a terminal: ${command}`,
  ];
}
