// Generates the table in docs/hooks.md of what hooks and transcripts record, from what the adapter reads of complete
// payloads and of the synthetic transcripts, and compares it with the page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type EventType, loadCatalog, type NewEvent } from '../../../log/index.ts';
import { type Corpus, onEachCorpus, syntheticCorpus } from '../../helpers/corpus/corpora.ts';
import { hookEvents } from '../../helpers/hooks/claude-hook-events.ts';
import { WHOLE_PAYLOADS } from '../../helpers/hooks/whole-payloads.ts';
import { REPOSITORY } from '../../helpers/program.ts';
import { payload } from '../../helpers/spool.ts';
import { readWhole } from '../../helpers/transcripts.ts';

const CATALOG = await loadCatalog();
const TYPES = [
  'session.started',
  'prompt.submitted',
  'tool.used',
  'agent.stopped',
  'session.ended',
  'agent.replied',
  'session.titled',
] as const satisfies readonly EventType[];

/** A prompt about which the hook records more: who wrote its text. */
const ACCEPTED_PLAN = payload('UserPromptSubmit', {
  prompt:
    'Implement the following plan:\n\n# Plan\n\n1. Sow.\n\nIf you need specific details from before exiting plan mode, read on.\n\nUser feedback on this plan: not too deep',
  source: 'user',
});

describe('What hooks and transcripts record', () => {
  test('the complete payloads produce every event type of the hooks', () => {
    const outcomes = WHOLE_PAYLOADS.map((one) => hookEvents(one, { spoolName: 'c-1', receivedAt: 5 }));
    expect(outcomes.map(({ ignored }) => ignored)).toEqual(WHOLE_PAYLOADS.map(() => null));
  });
});

onEachCorpus('What hooks and transcripts tell', (corpus) => {
  // The synthetic transcripts contain every form. Real ones may lack some, but must not record additional fields.
  test('equals the table in docs/hooks.md', () => {
    const hooks = [...WHOLE_PAYLOADS, ACCEPTED_PLAN].flatMap(
      (one) => hookEvents(one, { spoolName: 'c-1', receivedAt: 5 }).events,
    );
    const [synthetic, own] = [toldBy(syntheticCorpus()), toldBy(corpus)];
    for (const type of TYPES)
      expect([...given(synthetic, type)], type).toEqual(expect.arrayContaining([...given(own, type)]));
    const rows = TYPES.map((type) => row(type, given(hooks, type), given(synthetic, type)));
    const table = ['| event | both | hook alone | transcript alone |', '|---|---|---|---|', ...rows].join(
      '\n',
    );
    expect(readFileSync(join(REPOSITORY, 'docs/hooks.md'), 'utf8')).toContain(`\n\n${table}\n\n`);
  });
});

function toldBy({ files }: Corpus): readonly NewEvent[] {
  return files.flatMap(({ bytes, name }) => readWhole(bytes(), { name }).newEvents);
}

function row(type: EventType, hook: ReadonlySet<string>, transcript: ReadonlySet<string>): string {
  // In the order of docs/events.md, whichever transcript came first.
  const shape = Object.keys(CATALOG[type].body.shape);
  const fields = ['occurredAt', ...shape].filter((field) => hook.has(field) || transcript.has(field));
  const list = (of: (field: string) => boolean) =>
    fields
      .filter(of)
      .map((field) => `\`${field}\``)
      .join(', ') || '–';
  const both = list((field) => hook.has(field) && transcript.has(field));
  const hookAlone = list((field) => hook.has(field) && !transcript.has(field));
  const transcriptAlone = list((field) => !hook.has(field) && transcript.has(field));
  return `| \`${type}\` | ${both} | ${hookAlone} | ${transcriptAlone} |`;
}

/** Fields with a value in at least one event of this type. False, 0 and empty do not count as values. */
function given(newEvents: readonly NewEvent[], type: EventType): ReadonlySet<string> {
  const fields = new Set<string>();
  for (const newEvent of newEvents.filter((one) => one.type === type)) {
    if (newEvent.occurredAt !== null) fields.add('occurredAt');
    for (const [field, value] of Object.entries(newEvent.body as Readonly<Record<string, unknown>>))
      if (value !== null && value !== undefined && value !== false && value !== 0 && value !== '')
        fields.add(field);
  }
  return fields;
}
