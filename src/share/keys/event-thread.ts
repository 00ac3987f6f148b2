// The worker thread that seals and opens many events; scripts/build.mjs builds it as a separate program. Requests are
// answered in their order. See event-messages.ts for their form.
import { parentPort, workerData } from 'node:worker_threads';
import { randomBytes } from '../../platform/random-bytes.ts';
import {
  type EventReply,
  type EventRequest,
  joinedBytes,
  received,
  sent,
  separateBytes,
} from './event-messages.ts';
import { EventWork, type EventWorkParts } from './event-work.ts';

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
    return [
      {
        opened: outcomes.map((one) =>
          one !== null && 'event' in one ? { ...one, event: sent(one.event) } : one,
        ),
      },
      [],
    ];
  }
  const { items, at } = request.seal;
  const sealed = work.seal({ items: items.map(({ key, event }) => ({ key, event: received(event) })), at });
  const joined = joinedBytes(sealed.map(({ bytes }) => bytes ?? NOTHING));
  return [{ named: sealed.map(({ name, size }) => ({ name, size })), sealed: joined }, [joined.bytes]];
}

const NOTHING = new Uint8Array(0);
