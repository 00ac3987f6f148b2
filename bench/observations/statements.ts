// All statements of each kind about the sessions of a corpus: from observations, and from the brief that a new session
// would get after each turn. Each statement refers to the events that decide it.
import { type ContextRow, type SessionRow, sessionKeys } from '../../projections/index.ts';
import { type BriefLine, type BriefMaterial, compose } from '../../src/brief/index.ts';
import { recentPromptsOf, unansweredOf } from '../../src/brief/recent-prompts.ts';
import { withRewrittenCommits } from '../../src/brief/rewritten-commits.ts';
import type { Corpus } from './corpus.ts';
import { around, gitUses, turnsAfter, usesLike, wordsOf } from './raw-evidence.ts';

export const KINDS = ['test', 'commit', 'share', 'fixed', 'decision', 'asked', 'open'] as const;
export type Kind = (typeof KINDS)[number];

export interface Statement {
  readonly kind: Kind;
  /** Equal statements have equal names. */
  readonly name: string;
  readonly text: string;
  /** What happened according to the log. */
  readonly evidence: () => readonly string[];
}

const ROWS_MAX = 120;
const LASTING_MAX = 30;

export async function statementsOf(corpus: Corpus): Promise<Statement[]> {
  return [...ofObservations(corpus), ...(await ofBriefs(corpus))];
}

function ofObservations(corpus: Corpus): Statement[] {
  return corpus.observations.flatMap((row) => {
    const { tests, commits, errors, decisions, events } = row.evidence;
    const one = (kind: Kind, text: string, evidence: () => readonly string[]): Statement => ({
      kind,
      name: `${row.id} ${text}`,
      text: `${row.id} in ${row.session}: ${text}`,
      evidence,
    });
    return [
      ...tests.map(({ command, before, after, runnerLine }) =>
        one('test', `\`${command}\`: ${before} → ${after} (${runnerLine})`, () =>
          usesLike(corpus, events, command),
        ),
      ),
      ...commits.map((commit) =>
        one('commit', JSON.stringify(commit), () =>
          gitUses(corpus, row.session, row.at, commit.hash, commit.message),
        ),
      ),
      ...errors.flatMap(({ error, command, fixedBy }) =>
        fixedBy === null
          ? []
          : [
              one('fixed', `“${error}” of \`${command}\`; fixed by: ${fixedBy}`, () =>
                around(corpus, row.session, events, error),
              ),
            ],
      ),
      ...decisions.map((text) => one('decision', text, () => wordsOf(corpus, events, text))),
    ];
  });
}

/** The brief of a new session in the workdir after each turn with an observation. */
async function ofBriefs(corpus: Corpus): Promise<Statement[]> {
  const found = new Map<string, Statement>();
  const sessions = await corpus.runner.view('turns').range<SessionRow>(sessionKeys.sessions());
  const known = new Map(sessions.map(([, row]) => [row.session, row]));
  const ends = new Map<string, ContextRow>();
  for (const row of corpus.rows) ends.set(`${row.session} ${row.turn}`, row);
  for (const end of ends.values()) {
    const at = end.at ?? 0;
    // A session without times is in the order of its transcript; it is compared with no other.
    const until = corpus.rows.lastIndexOf(end);
    const isBefore = (row: ContextRow, index: number) =>
      end.at === null ? row.session === end.session && index <= until : (row.at ?? 0) <= at;
    const rows = corpus.rows
      .filter((row, index) => row.workdir === end.workdir && isBefore(row, index))
      .reverse();
    const brief = compose(await materialOf(rows, corpus, known));
    for (const { name, lines } of brief.sections)
      for (const line of lines) {
        const kind = kindOf(name, line);
        if (kind === null) continue;
        const text = `${line.label}: [${line.voice}] ${line.text}`;
        const name_ = kind === 'asked' ? `${end.session} ${end.turn} ${line.label}` : `${line.id} ${text}`;
        found.set(`${kind} ${name_}`, {
          kind,
          name: name_,
          text: `after turn ${end.turn} of ${end.session}: ${text} (${line.id})`,
          evidence: () => turnsAfter(corpus, kind, rows, line.id, at),
        });
      }
  }
  return [...found.values()];
}

function kindOf(section: string, { label }: BriefLine): Kind | null {
  if (/^Asked|^Answer/.test(label)) return 'asked';
  if (/^(?:Left open|Next|Uncommitted)$/.test(label) || section === 'problems') return 'open';
  if (/^(?:Committed|Pushed|Pull request|No commit was seen|Edited)/.test(label)) return 'share';
  return null;
}

async function materialOf(
  rows: readonly ContextRow[],
  { runner }: Corpus,
  known: ReadonlyMap<string, SessionRow>,
): Promise<BriefMaterial> {
  const of = <K extends ContextRow['kind']>(kind: K, most: number) =>
    rows.filter((row): row is Extract<ContextRow, { kind: K }> => row.kind === kind).slice(0, most);
  const views = { memory: runner.view('memory'), turns: runner.view('turns') };
  const summaries = await withRewrittenCommits(of('summary', ROWS_MAX), views);
  const observations = await withRewrittenCommits(of('observation', ROWS_MAX), views);
  const prompts = of('prompt', ROWS_MAX);
  return {
    project: 'audit',
    occasion: 'startup',
    summaries,
    observations,
    prompts,
    recentPrompts: await recentPromptsOf(prompts.slice(0, 10), summaries, views),
    unanswered: await unansweredOf(prompts, summaries, views),
    asked: [],
    saved: [],
    decisions: observations.filter(({ decisions }) => decisions.length > 0).slice(0, LASTING_MAX),
    gotchas: [],
    tests: [],
    failing: [],
    session: null,
    sessions: known,
    lastSession: null,
    notes: [],
    pinned: [],
    recap: null,
    unused: new Set(),
  };
}
