// What another machine sent as an event is stored byte for byte, so it must come out of an export as it was.
import { expect, test } from 'vitest';
import { loadCatalog, packEvent, StoredBody } from '../../../log/index.ts';
import { wireEvent } from '../../../src/share/keys/wire-event.ts';
import { machine, reply } from '../machines.ts';

test('an event that is no line of an export, or not what it says, is refused', async () => {
  const { log } = await machine('one');
  await log.append([reply('work', 1, '/a/app')]);
  const [event] = (await log.exportPage({ after: 0 })).events;
  const { header, body } = event!;
  const { salt, json } = body as StoredBody;
  const catalog = await loadCatalog();
  const problemOf = (bytes: Uint8Array, changed = header) =>
    wireEvent(packEvent({ header: changed, body: new StoredBody(Buffer.from(bytes)) }), catalog);
  const text = (value: string) => Buffer.concat([salt!, Buffer.from(value)]);
  expect(problemOf(text(json))).toEqual({ header, body });
  const oneLine = 'the body is not a JSON object in one line';
  expect(problemOf(text(`${json}\n`))).toBe(oneLine);
  expect(problemOf(text('[]'))).toBe(oneLine);
  expect(problemOf(text(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`))).toBe(oneLine);
  expect(problemOf(Buffer.concat([salt!, Buffer.from(json.replace('answer', '\xff'), 'latin1')]))).toBe(
    oneLine,
  );
  expect(problemOf(text('{"text":1}'))).toMatch('does not have the form');
  expect(problemOf(text(json), { ...header, dedupeKey: 'other' })).toMatch('id does not follow');
  expect(problemOf(text(json), { ...header, originSeq: 0 })).toMatch('wrong form');
  expect(wireEvent(Buffer.alloc(3), catalog)).toMatch('missing');
});
