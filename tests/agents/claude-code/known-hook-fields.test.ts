// Compares the tables of known fields with the adapter: a field marked as used changes what is recorded, and the others
// do not.
import { describe, expect, test } from 'vitest';
import { readPayload } from '../../../src/capture/spool/payload.ts';
import { thisMachine } from '../../../src/platform/machine.ts';
import { hookEvents } from '../../helpers/hooks/claude-hook-events.ts';
import { KEPT_EVENTS } from '../../helpers/hooks/known-hook-events.ts';
import { PAYLOAD_FIELDS, RESPONSE_FIELDS } from '../../helpers/hooks/known-hook-fields.ts';
import { WHOLE_PAYLOADS } from '../../helpers/hooks/whole-payloads.ts';
import { type Payload, payload } from '../../helpers/spool.ts';

const cases = WHOLE_PAYLOADS.flatMap((payload) =>
  Object.keys(payload).map((field) => ({ event: String(payload.hook_event_name), field, payload })),
);

describe('The table of known payload fields', () => {
  test('has exactly the fields of the complete payloads', () => {
    expect([...new Set(cases.map(({ field }) => field))].sort()).toEqual(Object.keys(PAYLOAD_FIELDS).sort());
    expect(WHOLE_PAYLOADS.map((one) => one.hook_event_name).sort()).toEqual([...KEPT_EVENTS].sort());
  });

  test.each(cases)('is right about $field of $event', ({ event, field, payload }) => {
    const { usedIn, otherwise } = PAYLOAD_FIELDS[field]!;
    const isUsed = usedIn === 'every event' || usedIn.includes(event);
    expect(recorded({ ...payload, [field]: another(payload[field]) }) !== recorded(payload)).toBe(isUsed);
    if (!isUsed) expect(otherwise, 'a reason').toBeTruthy();
  });
});

describe('The table of known fields of tool responses', () => {
  const fields = Object.entries(RESPONSE_FIELDS).flatMap(([tool, known]) =>
    Object.entries(known).map(([field, reason]) => ({ tool, field, reason })),
  );
  test.each(fields)('is right about $field of $tool', ({ tool, field, reason }) => {
    const used = (response: Payload) =>
      recorded(
        payload('PostToolUse', {
          tool_name: tool,
          tool_use_id: 't',
          tool_input: {},
          tool_response: response,
        }),
      );
    expect(used({ [field]: 'one value of the field' }) !== used({ [field]: 'another value of it' })).toBe(
      reason === null,
    );
  });
});

/** What a payload results in: its events, and what the spool reads from it to find its turn. */
function recorded(hook: Payload): string {
  const looked = readPayload(Buffer.from(JSON.stringify(hook)), 'c-1', thisMachine());
  const route = 'payload' in looked ? { ...looked.payload, hook: null } : looked;
  return JSON.stringify([hookEvents(hook, { spoolName: 'c-1', receivedAt: 5 }), route]);
}

/** Another value of the same kind: a longer list, an object with other values. */
function another(value: unknown): unknown {
  if (typeof value === 'string') return `${value} changed`;
  if (typeof value === 'number') return value + 1_000;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, ...value, { changed: true }];
  return Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, another(one)]));
}
