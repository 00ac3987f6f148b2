// Payloads in every form that a real Claude Code was seen to send. The adapter accepts each, and every field is known.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../../log/index.ts';
import { sanitizeText } from '../../../src/capture/redact/index.ts';
import { readPayload } from '../../../src/capture/spool/payload.ts';
import { thisMachine } from '../../../src/platform/machine.ts';
import { hookEvents } from '../../helpers/hooks/claude-hook-events.ts';
import { unknownInPayload } from '../../helpers/hooks/known-hook-fields.ts';
import { WHOLE_PAYLOADS } from '../../helpers/hooks/whole-payloads.ts';
import type { Payload } from '../../helpers/spool.ts';

const catalog = await loadCatalog();
const FOLDER = join(import.meta.dirname, '../../fixtures/hook-payloads/claude-code');
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort();

describe('A payload in the form of a real Claude Code', () => {
  test.each(files)('%s is accepted, and holds nothing private', (name) => {
    const [event] = /^[A-Za-z]+(?=-\d+\.\d+\.\d+-[a-z0-9-]+\.json$)/.exec(name) ?? expect.fail('its name');
    const text = readFileSync(join(FOLDER, name), 'utf8');
    const payload = JSON.parse(text) as Payload;
    expect(payload.hook_event_name).toBe(event);
    expectTaken(payload);
    expect(sanitizeText(text, { author: 'tool', clipBytes: 1e9 })).toBe(text);
    expect(text.match(/\/(?:home|Users)\/(?!u\b)[^/"\\]+/g)).toBeNull();
  });

  test('is checked like these, which follow the published reference', () => {
    for (const payload of WHOLE_PAYLOADS) expectTaken(payload);
    expect(() => expectTaken({ ...WHOLE_PAYLOADS[0], surprise: 1 })).toThrow('surprise');
    expect(() => expectTaken({ ...WHOLE_PAYLOADS[0], session_id: 7 })).toThrow();
  });

  test('is refused with the name of the unknown event, tool or field of a response', () => {
    const unknown = (fields: Payload) => unknownInPayload({ ...WHOLE_PAYLOADS[2], ...fields });
    expect(unknown({ hook_event_name: 'PostToolSurprise' })).toEqual(['hook event PostToolSurprise']);
    expect(unknown({ tool_name: 'Teleport' })).toEqual(['tool Teleport']);
    expect(unknown({ tool_response: { content: [], surprise: 1 } })).toEqual([
      'field surprise of the response of Agent',
    ]);
    expect(unknown({ tool_name: 'mcp__files__list', tool_response: { anything: 1 } })).toEqual([]);
  });
});

/** The spool recognises it as Claude Code's, the adapter makes valid events of it, and its fields are known. */
function expectTaken(payload: Payload): void {
  const bytes = Buffer.from(JSON.stringify(payload));
  const isCompaction = payload.hook_event_name === 'SubagentStop' && payload.agent_type === '';
  expect(readPayload(bytes, 'c-1', thisMachine())).toMatchObject(
    isCompaction
      ? { ignored: 'compaction summary' }
      : { payload: { agent: 'claude-code', event: payload.hook_event_name } },
  );
  const { events, ignored } = hookEvents(payload, { spoolName: 'c-1', receivedAt: 5 });
  expect(ignored).toBeNull();
  for (const { type, body } of events) expect(catalog[type].body.safeParse(body).success).toBe(true);
  expect(unknownInPayload(payload)).toEqual([]);
}
