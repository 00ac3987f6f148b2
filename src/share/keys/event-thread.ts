// The worker thread that seals and opens many events; scripts/build.mjs builds it as a separate program. Requests are
// answered in their order. See event-messages.ts for their form.
import { parentPort, workerData } from 'node:worker_threads';
import { randomBytes } from '../../platform/random-bytes.ts';
import {
  type EventReply,
  type EventRequest,
  type JoinedBytes,
  joinedBytes,
  NOTHING,
  separateBytes,
} from './event-messages.ts';
import { EventWork, type EventWorkParts, type OpenedBytes, type OpenOutcome } from './event-work.ts';

const work = new EventWork(workerData as EventWorkParts, randomBytes);
let last: Promise<void> = Promise.resolve();

parentPort!.on('message', (request: EventRequest) => {
  last = last.then(async () => {
    const [reply, transfer] = await answer(request);
    parentPort!.postMessage(reply, transfer);
  });
});

async function answer(request: EventRequest): Promise<[EventReply, ArrayBuffer[]]> {
  if ('open' in request) {
    const bytes = separateBytes(request.sealed);
    const outcomes = await work.open(request.open.map((access, index) => ({ bytes: bytes[index]!, access })));
    const packed = joinedBytes(outcomes.map((one) => (isOpened(one) ? one.packed : NOTHING)));
    return [{ opened: outcomes.map(withoutBytes), packed }, [packed.bytes]];
  }
  const { keys, at } = request.seal;
  const items = separateBytes(request.packed).map((packed, index) => ({ key: keys[index]!, packed }));
  const outcomes = work.seal({ items, at });
  const sealed = oneBuffer(outcomes.map(({ bytes }) => bytes ?? NOTHING));
  return [{ named: outcomes.map(({ name, size }) => ({ name, size })), sealed }, [sealed.bytes]];
}

/** They were made in one buffer, one after the other. */
function oneBuffer(sealed: readonly Uint8Array[]): JoinedBytes {
  const first = sealed.find(({ length }) => length > 0);
  const bytes = first === undefined ? new ArrayBuffer(0) : (first.buffer as ArrayBuffer);
  return { bytes, lengths: sealed.map(({ length }) => length) };
}

function isOpened(outcome: OpenOutcome): outcome is OpenedBytes {
  return outcome !== null && 'packed' in outcome;
}

function withoutBytes(outcome: OpenOutcome) {
  if (!isOpened(outcome)) return outcome;
  const { project, author, at, name } = outcome;
  return { project, author, at, name };
}
