// Many events are sealed and opened in a thread: with the same results as here, also when the thread dies.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventContent, ExportedEvent } from '../../../log/index.ts';
import { EventWorkers } from '../../../src/share/keys/event-workers.ts';
import { signerOf } from '../../../src/share/keys/signing.ts';
import { EVENT_BYTES_MAX, eventName } from '../../../src/share/keys/wire-event.ts';
import { makeThread } from '../../helpers/program.ts';
import { machine, PROJECT, reply } from '../machines.ts';

const EVENTS = 300;
const TOO_LARGE = 7;
const folder = mkdtempSync(join(tmpdir(), 'annals-event-thread-'));
const seed = randomBytes(32);
const parts = { team: 'a'.repeat(32), seed, names: randomBytes(32) };
const key = { id: 'b'.repeat(32), key: randomBytes(32), project: PROJECT.key, projectId: 'c'.repeat(32) };
const access = { publicKey: signerOf(seed).publicKey, refusal: null, key };
const here = new EventWorkers(parts, randomBytes, () => null);
let events: readonly ExportedEvent[];
let contents: readonly EventContent[];

beforeAll(async () => {
  await makeThread('src/share/keys/event-thread.ts', folder);
  const { log } = await machine('one');
  await log.append(
    Array.from({ length: EVENTS }, (_, number) => {
      const event = reply('work', number, '/a/app');
      const text = number === TOO_LARGE ? 'x'.repeat(EVENT_BYTES_MAX) : `größer ${number}\u2028`;
      return { ...event, body: { ...event.body, text } };
    }),
  );
  ({ events } = await log.exportPage({ after: 0, limit: EVENTS, bytesMax: 1e9 }));
  contents = events.map(({ header, body }) => ({ header, body }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Threaded {
  readonly workers: EventWorkers;
  readonly started: Worker[];
  /** How many requests a thread has answered. */
  answers(): number;
}

function workers(program: (data: unknown) => Worker): Threaded {
  const started: Worker[] = [];
  let answers = 0;
  const start = (_: string, data: unknown) => {
    const thread = program(data);
    thread.on('message', () => {
      answers += 1;
    });
    started.push(thread);
    return thread;
  };
  return { workers: new EventWorkers(parts, randomBytes, start), started, answers: () => answers };
}

function realThread(data: unknown): Worker {
  return new Worker(join(folder, 'thread.cjs'), {
    argv: [join(folder, 'event-thread.cjs')],
    workerData: data,
  });
}

test('a thread seals and opens as this one does', async () => {
  const { workers: threaded, started, answers } = workers(realThread);
  const items = events.map((event) => ({ key, event }));
  const sealed = await threaded.seal(items, 5);
  expect(sealed.map(({ name }) => name)).toEqual(
    events.map(({ header }) => eventName(parts.names, PROJECT.key, header.id)),
  );
  expect(sealed.flatMap(({ bytes }, index) => (bytes === null ? [index] : []))).toEqual([TOO_LARGE]);
  expect(sealed[TOO_LARGE]!.size).toBeGreaterThan(EVENT_BYTES_MAX);
  const sent = contents.filter((_, index) => index !== TOO_LARGE);
  const messages = sealed.flatMap(({ bytes }) => (bytes === null ? [] : [{ bytes, access }]));
  const opened = await threaded.open(messages);
  expect(opened).toEqual(await here.open(messages));
  expect(opened.map((one) => one !== null && 'event' in one && one.event)).toEqual(sent);
  expect([started.length, answers()]).toEqual([1, 2]);
  await started[0]!.terminate();
});

test('what is refused, or cannot be opened yet, is the same in a thread', async () => {
  const sealed = await here.seal(
    events.slice(10, 200).map((event) => ({ key, event })),
    5,
  );
  const messages = sealed.map(({ bytes }, index) => {
    const changed = Buffer.from(bytes!);
    if (index % 5 === 1) changed[changed.length - 30]! ^= 1;
    if (index % 5 === 2) return { bytes: changed, access: { ...access, key: null } };
    if (index % 5 === 3) return { bytes: changed, access: { ...access, refusal: 'removed' as const } };
    return { bytes: index % 5 === 4 ? changed.subarray(0, 50) : changed, access };
  });
  const { workers: threaded, started, answers } = workers(realThread);
  const opened = await threaded.open(messages);
  expect(opened).toEqual(await here.open(messages));
  expect(opened.slice(1, 5)).toMatchObject([
    { refused: 'forged' },
    null,
    { refused: 'removed' },
    { refused: 'damaged' },
  ]);
  expect([started.length, answers()]).toEqual([1, 1]);
  await started[0]!.terminate();
});

test.each([
  ['ends at once', 'process.exit(0)'],
  ['fails', 'throw new Error("broken")'],
  ['ends when it is asked', "require('node:worker_threads').parentPort.on('message', () => process.exit(1))"],
])('a thread that %s costs nothing but time', async (_, program) => {
  const { workers: threaded, started } = workers(() => new Worker(program, { eval: true }));
  const items = events.slice(10).map((event) => ({ key, event }));
  const both = await Promise.all([threaded.seal(items, 5), threaded.seal(items, 6)]);
  for (const sealed of both) {
    const opened = await threaded.open(sealed.map(({ bytes }) => ({ bytes: bytes!, access })));
    expect(opened.map((one) => one !== null && 'event' in one && one.event)).toEqual(contents.slice(10));
  }
  // It is not tried again.
  expect(started).toHaveLength(1);
});
