// The table in docs/hooks.md of what hooks and transcripts tell is made here, from what the adapter takes of
// payloads that hold everything and what the reader finds in real transcripts; it is compared with the page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EventType, Telling } from '../../log/index.ts';
import { fromHook } from '../../src/capture/claude-code/hook.ts';
import { REPOSITORY } from '../helpers/program.ts';
import { claudeCodeTranscripts } from '../helpers/shared-data.ts';
import { readWhole, realTranscripts } from '../helpers/transcripts.ts';
import { WHOLE_PAYLOADS } from '../helpers/whole-payloads.ts';

const TYPES = [
  'session.started',
  'prompt.submitted',
  'tool.used',
  'agent.stopped',
  'session.ended',
  'agent.replied',
  'session.titled',
] as const satisfies readonly EventType[];

describe('What hooks and transcripts tell', () => {
  test('every event that the hooks tell is told by one of the whole payloads', () => {
    const outcomes = WHOLE_PAYLOADS.map((one) => fromHook(one, { spoolName: 'c-1', receivedAt: 5 }));
    expect(outcomes.map(({ ignored }) => ignored)).toEqual(WHOLE_PAYLOADS.map(() => null));
  });

  test.skipIf(claudeCodeTranscripts === null)('stands in docs/hooks.md as it is', () => {
    const hooks = WHOLE_PAYLOADS.flatMap(
      (one) => fromHook(one, { spoolName: 'c-1', receivedAt: 5 }).tellings,
    );
    const transcripts = realTranscripts().flatMap(({ bytes, name }) => readWhole(bytes(), { name }).tellings);
    const rows = TYPES.map((type) => row(type, given(hooks, type), given(transcripts, type)));
    const table = ['| event | both | hook alone | transcript alone |', '|---|---|---|---|', ...rows].join(
      '\n',
    );
    expect(readFileSync(join(REPOSITORY, 'docs/hooks.md'), 'utf8')).toContain(`\n\n${table}\n\n`);
  });
});

function row(type: EventType, hook: ReadonlySet<string>, transcript: ReadonlySet<string>): string {
  const fields = [...new Set([...hook, ...transcript])];
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

/** Fields that at least one telling of this type says something of. What is false, 0 or empty says nothing. */
function given(tellings: readonly Telling[], type: EventType): ReadonlySet<string> {
  const fields = new Set<string>();
  for (const telling of tellings.filter((one) => one.type === type)) {
    if (telling.occurredAt !== null) fields.add('occurredAt');
    for (const [field, value] of Object.entries(telling.body as Readonly<Record<string, unknown>>))
      if (value !== null && value !== undefined && value !== false && value !== 0 && value !== '')
        fields.add(field);
  }
  return fields;
}
