// A log in memory with the parts that a runner uses: pages, head, chain, checkpoints. It can lose its tail or change
// its past; a real log would have to be damaged for that.
import { createHash } from 'node:crypto';
import {
  type AppendOutcome,
  type Checkpoint,
  eventId,
  type Log,
  type LogEvent,
  type LogPage,
  loadCatalog,
  type NewEvent,
} from '../../log/index.ts';

const CATALOG = await loadCatalog();

type Stored = LogPage['events'][number];

export interface FakeLog extends Pick<Log, 'logId' | 'head' | 'append' | 'page' | 'compareCheckpoint'> {
  /** An event of an unknown type. */
  appendUnknown(name: string): void;
  /** Drops every event after a position. */
  loseTail(position: number): void;
  /** Changes the chain from a position on, as if there were another event. */
  rewrite(position: number): void;
  /** Number of pages read so far. */
  readonly pagesRead: number;
}

/** As the complete interface: a method that the fake lacks fails when it is called. */
export function asLog(fake: FakeLog): Log {
  return fake as unknown as Log;
}

/** Events come from `origins` in turn. */
export function fakeLog(logId = 'log-a', origins: readonly string[] = [logId]): FakeLog {
  const events: Stored[] = [];
  const chains: string[] = [digest(logId)];
  const positions = new Map<string, number>();
  let pagesRead = 0;
  const at = (position: number): Checkpoint => ({ logId, position, chain: chains[position]! });
  const push = (event: Stored): void => {
    positions.set(event.id, event.position);
    events.push(event);
    chains.push(digest(chains.at(-1)! + JSON.stringify(event)));
  };
  return {
    logId,
    head: () => at(events.length),
    append: async (newEvents: readonly NewEvent[]) => {
      const outcomes = newEvents.map((newEvent): AppendOutcome => {
        const id = eventId(newEvent);
        const known = positions.get(id);
        if (known !== undefined) return { outcome: 'duplicate', id, position: known };
        const position = events.length + 1;
        push({
          ...newEvent,
          id,
          version: 1,
          body: CATALOG[newEvent.type].body.parse(newEvent.body),
          origin: origins[position % origins.length],
          originSeq: position,
          causation: newEvent.causation ?? null,
          position,
          recordedAt: 1_000 + position,
        } as unknown as LogEvent);
        return { outcome: 'appended', id, position };
      });
      return outcomes;
    },
    page: async ({ after, limit = 1_000 }) => {
      pagesRead++;
      const page = events.slice(after, after + limit);
      return { events: page, end: at(after + page.length) };
    },
    compareCheckpoint: async (checkpoint) => {
      if (checkpoint.logId !== logId) return 'foreign';
      if (checkpoint.position > events.length) return 'ahead';
      return chains[checkpoint.position] === checkpoint.chain ? 'held' : 'foreign';
    },
    appendUnknown: (name) => {
      const position = events.length + 1;
      push({
        type: 'unknown',
        unknownType: name,
        id: digest(`${name}${position}`).slice(0, 32),
        agent: 'claude-code',
        session: null,
        position,
        recordedAt: 1_000 + position,
      });
    },
    loseTail: (position) => {
      for (const { id } of events.splice(position)) positions.delete(id);
      chains.length = position + 1;
    },
    rewrite: (position) => {
      for (let index = position; index < chains.length; index++) chains[index] = digest(chains[index]!);
    },
    get pagesRead() {
      return pagesRead;
    },
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
