// Where else it stands: the same lines under other sessions and by other witnesses (found by the agent's own ids),
// and other events that carry the same text (found by pieces of it). The log is read once for both; again only
// when what was found brings new ids.
import { type LogEvent, Tombstones, tombstoneNames } from '../../log/index.ts';
import type { Home } from '../home/home.ts';
import { fragmentsOf } from './fragments.ts';
import { Finder } from './pattern-finder.ts';
import type { Selected } from './select-events.ts';

export interface OtherOccurrences {
  /** The same thing, told again: by another witness, in a fork. */
  readonly same: ReadonlyMap<string, LogEvent>;
  /** Other things with the same text in them. */
  readonly copies: ReadonlyMap<string, LogEvent>;
  /** Pieces of what was selected, each with the other events that hold it; null where there are many. */
  readonly fragments: ReadonlyMap<string, ReadonlySet<string> | null>;
}

/** What stands in more other events than this is nobody's in particular. */
const COMMON = 25;
const FRAGMENTS_MAX = 50_000;
const FRAGMENTS_PER_EVENT_MAX = 48;
const FRAGMENTS_PER_EVENT_MIN = 4;
const PASSES_MAX = 4;
const ID_CHARS_MIN = 12;
/** A shorter word stands in random bytes by chance. */
const QUERY_BYTES_MIN = 8;

export async function findOtherOccurrences(
  selected: Pick<Selected, 'events' | 'query'>,
  { withCopies }: { withCopies: boolean },
  { log }: Pick<Home, 'log'>,
): Promise<OtherOccurrences> {
  const { events } = selected;
  const share = Math.floor(FRAGMENTS_MAX / Math.max(1, events.size));
  const most = Math.min(FRAGMENTS_PER_EVENT_MAX, Math.max(FRAGMENTS_PER_EVENT_MIN, share));
  const texts = [...new Set([...events.values()].flatMap((event) => fragmentsOf(event, most)))];
  if (selected.query !== null && Buffer.byteLength(selected.query) >= QUERY_BYTES_MIN)
    texts.push(selected.query);
  const same = new Map<string, LogEvent>();
  let copies = new Map<string, LogEvent>();
  let holders: (Map<string, LogEvent> | null)[] = [];
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const known = [...events.values(), ...same.values(), ...(withCopies ? copies.values() : [])];
    const tombstones = tombstonesOf(known);
    const ids = new Set(known.flatMap(idsIn));
    const isKnown = new Set(known.map(({ id }) => id));
    holders = texts.map(() => new Map());
    const patterns = [...texts, ...ids].map((text) => Buffer.from(text));
    const finder = new Finder(patterns);
    const hits = new Set<number>();
    const look = (record: Buffer): boolean => {
      hits.clear();
      finder.find(record, (pattern) => {
        if (pattern >= texts.length || holders[pattern] !== null) hits.add(pattern);
      });
      return hits.size > 0;
    };
    let grown = false;
    for await (const event of log.scan(look)) {
      if (isKnown.has(event.id) || event.type === 'memory.forgotten' || event.type === 'vectors.computed')
        continue;
      if (tombstones.covers(event as Parameters<Tombstones['covers']>[0])) {
        same.set(event.id, event);
        grown ||= idsIn(event).some((id) => !ids.has(id));
        continue;
      }
      for (const hit of hits) note(holders, hit, event);
    }
    if (!withCopies || pass === 0) copies = copiesIn(holders);
    if (!grown && !(withCopies && pass === 0 && copies.size > 0)) break;
  }
  const fragments = new Map(
    texts.map(
      (text, index) => [text, holders[index] === null ? null : new Set(holders[index]!.keys())] as const,
    ),
  );
  for (const id of same.keys()) copies.delete(id);
  return { same, copies, fragments };
}

function note(holders: (Map<string, LogEvent> | null)[], fragment: number, event: LogEvent): void {
  const known = holders[fragment];
  if (known === undefined || known === null) return;
  known.set(event.id, event);
  if (known.size > COMMON) holders[fragment] = null;
}

function copiesIn(holders: readonly (Map<string, LogEvent> | null)[]): Map<string, LogEvent> {
  return new Map(holders.flatMap((known) => (known === null ? [] : [...known])));
}

function tombstonesOf(events: readonly LogEvent[]): Tombstones {
  const tombstones = new Tombstones();
  tombstones.addNames(
    events.flatMap((event) => tombstoneNames(event as Parameters<typeof tombstoneNames>[0])),
  );
  return tombstones;
}

/** What a copy of this event would hold too: ids, and the time at which it was said. */
function idsIn({ dedupeKey, body, occurredAt, type }: LogEvent): string[] {
  const { uuid, messageId, promptId }: Readonly<Record<string, unknown>> = { ...body };
  const own = [dedupeKey, uuid, messageId, type === 'prompt.submitted' ? promptId : null];
  if ('text' in body && occurredAt !== null) own.push(String(occurredAt));
  return own.filter((id): id is string => typeof id === 'string' && id.length >= ID_CHARS_MIN);
}
