// Makes documents from observations and summaries, so that search finds them as well as the raw text.
import type { MemoryDocument } from '../documents/document.ts';
import { stepText } from '../extract/steps.ts';
import type { ObservationRow, SummaryRow } from '../extract/transcript/observation.ts';

const FILES_MAX = 50;

/** Neighbours are the turn's other observations; the raw documents keep theirs. */
export function observationDocument(all: readonly ObservationRow[], index: number): MemoryDocument {
  const row = all[index]!;
  const body = observationBody(row);
  return {
    id: row.id,
    kind: 'observation',
    type: row.type,
    title: row.title,
    body,
    files: [...row.filesModified, ...row.filesRead].slice(0, FILES_MAX),
    concepts: row.concepts,
    neighbours: [all[index - 1]?.title, all[index + 1]?.title].filter((title) => title !== undefined),
    workdir: row.workdir,
    agent: row.agent,
    session: row.session,
    turn: row.turn,
    agentId: null,
    at: row.at,
    order: row.order,
    tokens: tokensOf(row.title, body),
    outcome: null,
    events: row.evidence.events,
    ...(row.evidence.decisions.length > 0 ? { decisions: row.evidence.decisions } : {}),
  };
}

export function summaryDocument(row: SummaryRow): MemoryDocument {
  const body = summaryBody(row);
  return {
    id: row.id,
    kind: 'summary',
    type: null,
    title: row.title,
    body,
    files: row.files.slice(0, FILES_MAX),
    concepts: [],
    neighbours: [],
    workdir: row.workdir,
    agent: row.agent,
    session: row.session,
    turn: row.turn,
    agentId: null,
    at: row.at,
    order: row.order,
    tokens: tokensOf(row.title, body),
    outcome: null,
    events: row.events,
  };
}

function observationBody({ subtitle, narrative, facts }: ObservationRow): string {
  return [subtitle, narrative, ...facts.map((fact) => `- ${fact}`)].filter((part) => part !== '').join('\n');
}

const NO_END = 'no end of this turn was recorded.';

function summaryBody(row: SummaryRow): string {
  const { request, unfinished, investigated, learned, completed, nextSteps, notes } = row;
  const fields = [
    ['Request', request],
    ['Unfinished', unfinished ? NO_END : null],
    ['Investigated', investigated],
    ['Learned', learned],
    [unfinished ? 'Done so far' : 'Completed', completed],
    ['Next', nextSteps.map(stepText).join('\n')],
    ['Notes', notes],
  ] as const;
  return fields
    .filter(([, text]) => text !== null && text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n');
}

function tokensOf(title: string, body: string): number {
  return Math.ceil((title.length + body.length) / 4);
}
