// Payloads of a live Claude Code, when there are some: the adapter takes each, and no field is a surprise.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../log/index.ts';
import { fromHook } from '../../src/capture/claude-code/hook.ts';
import { sanitizeText } from '../../src/capture/redact/index.ts';
import { lookAt } from '../../src/capture/spool/payload.ts';
import type { Payload } from '../helpers/spool.ts';
import { WHOLE_PAYLOADS } from '../helpers/whole-payloads.ts';

const catalog = await loadCatalog();
const FOLDER = join(import.meta.dirname, '../fixtures/hook-payloads/claude-code');
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort();

if (files.length === 0)
  process.stdout.write(
    'No payload of a live Claude Code has been recorded yet: what hooks send is an assumption (tests/fixtures/hook-payloads).\n',
  );

describe('A payload of a live Claude Code', () => {
  test.skipIf(files.length === 0).each(files)('%s is taken, and holds nothing that is private', (name) => {
    const [event] = /^[A-Za-z]+(?=-\d+\.\d+\.\d+-[a-z0-9-]+\.json$)/.exec(name) ?? expect.fail('its name');
    const text = readFileSync(join(FOLDER, name), 'utf8');
    const payload = JSON.parse(text) as Payload;
    expect(payload.hook_event_name).toBe(event);
    expectTaken(payload);
    expect(sanitizeText(text, { author: 'tool', clipBytes: 1e9 })).toBe(text);
    expect(text.match(/\/(?:home|Users)\/(?!u\b)[^/"\\]+/g)).toBeNull();
  });

  test('is looked at like these, which follow the published reference', () => {
    for (const payload of WHOLE_PAYLOADS) expectTaken(payload);
    expect(() => expectTaken({ ...WHOLE_PAYLOADS[0], surprise: 1 })).toThrow('surprise');
    expect(() => expectTaken({ ...WHOLE_PAYLOADS[0], session_id: 7 })).toThrow();
  });
});

/** The spool takes it for Claude Code's, the adapter tells it in valid form, and its fields are known ones. */
function expectTaken(payload: Payload): void {
  const bytes = Buffer.from(JSON.stringify(payload));
  expect(lookAt(bytes)).toMatchObject({ payload: { caller: 'claude-code', event: payload.hook_event_name } });
  const { tellings, ignored } = fromHook(payload, { spoolName: 'c-1', receivedAt: 5 });
  expect(ignored).toBeNull();
  for (const { type, body } of tellings) expect(catalog[type].body.safeParse(body).success).toBe(true);
  const known = new Set(
    WHOLE_PAYLOADS.filter((one) => one.hook_event_name === payload.hook_event_name).flatMap(Object.keys),
  );
  expect(Object.keys(payload).filter((field) => !known.has(field))).toEqual([]);
}
