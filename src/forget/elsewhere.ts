// Finds other occurrences of the selected events: the same lines under other sessions and from other channels (by the
// agent's own ids), and other events that share text (by fragments of it). The log is read once for both, and
// again only if the events found bring new ids.
import { type LogEvent, Tombstones, tombstoneNames } from '../../log/index.ts';
import { defaultEmbedder } from '../embed/embedders/default-embedder.ts';
import type { Home } from '../home/home.ts';
import { traitsOf } from './event-traits.ts';
import { fragmentsOf } from './fragments.ts';
import { Finder } from './pattern-finder.ts';
import type { Selected } from './select-events.ts';

export interface OtherOccurrences {
  /** Other reports of the same things: from another channel, in a fork. */
  readonly same: ReadonlyMap<string, LogEvent>;
  /** Other things that share a fragment of the text. */
  readonly copies: ReadonlyMap<string, LogEvent>;
  /** Fragments of the selected text, each with the ids of other events that hold it; null if there are many. */
  readonly fragments: ReadonlyMap<string, ReadonlySet<string> | null>;
}

/** A fragment in more other events than this is too common to identify a text. */
const COMMON = 25;
const FRAGMENTS_MAX = 50_000;
const FRAGMENTS_PER_EVENT_MAX = 48;
const FRAGMENTS_PER_EVENT_MIN = 4;
const PASSES_MAX = 4;
const ID_CHARS_MIN = 12;
/** A shorter text may occur in random bytes by chance. */
const QUERY_BYTES_MIN = 8;

export async function findOtherOccurrences(
  selected: Pick<Selected, 'events' | 'query'>,
  { withCopies, kept }: { readonly withCopies: boolean; readonly kept: ReadonlyMap<string, LogEvent> },
  { log }: Pick<Home, 'log'>,
): Promise<OtherOccurrences> {
  const { events } = selected;
  const share = Math.floor(FRAGMENTS_MAX / Math.max(1, events.size));
  const max = Math.min(FRAGMENTS_PER_EVENT_MAX, Math.max(FRAGMENTS_PER_EVENT_MIN, share));
  const texts = [...new Set([...events.values()].flatMap((event) => fragmentsOf(event, max)))];
  // First: the proof looks for the first of many.
  if (selected.query !== null && Buffer.byteLength(selected.query) >= QUERY_BYTES_MIN)
    texts.unshift(selected.query);
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
      if (isKnown.has(event.id) || !traitsOf(event).isSearched) continue;
      const isKept = kept.has(event.id);
      if (!isKept && tombstones.covers(event as Parameters<Tombstones['covers']>[0])) {
        same.set(event.id, event);
        grown ||= idsIn(event).some((id) => !ids.has(id));
        continue;
      }
      for (const hit of hits) note(holders, hit, event);
    }
    if (!withCopies || pass === 0)
      copies = copiesIn(
        holders.filter((_, index) => identifies(texts[index]!)),
        kept,
      );
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

function copiesIn(
  holders: readonly (Map<string, LogEvent> | null)[],
  kept: ReadonlyMap<string, LogEvent>,
): Map<string, LogEvent> {
  const found = holders.flatMap((known) => (known === null ? [] : [...known]));
  return new Map(found.filter(([id]) => !kept.has(id)));
}

/** A common word says nothing of where a text comes from. */
function identifies(fragment: string): boolean {
  const word = fragment.toLowerCase();
  if (!/^[a-z]+$/.test(word)) return true;
  const table = defaultEmbedder();
  return table?.isCommonWord(word) !== true && table?.isCommonWord(word.replace(/s$/, '')) !== true;
}

function tombstonesOf(events: readonly LogEvent[]): Tombstones {
  const tombstones = new Tombstones();
  tombstones.addNames(
    events.flatMap((event) => tombstoneNames(event as Parameters<typeof tombstoneNames>[0])),
  );
  return tombstones;
}

/** What a copy of this event would hold too: the agent's ids, and the time of a text. */
function idsIn({ dedupeKey, body, occurredAt, type }: LogEvent): string[] {
  const { uuid, messageId, promptId }: Readonly<Record<string, unknown>> = { ...body };
  const own = [dedupeKey, uuid, messageId, type === 'prompt.submitted' ? promptId : null];
  if ('text' in body && occurredAt !== null) own.push(String(occurredAt));
  return own.filter((id): id is string => typeof id === 'string' && id.length >= ID_CHARS_MIN);
}
