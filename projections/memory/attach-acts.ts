// Attaches a person's acts to the documents that exist now. An act names the events that its item was made from, and belongs
// to the document of the same kind that is made from most of these events, whatever id that has: other rules, or another
// recipe, may divide a turn in another way. If nothing of that kind is made from them any more, a pinned or edited text
// is kept as a document of its own.
//
//   acted/<act>   the id of the document that the act belongs to
import { type ActedItem, pushTo } from '../../log/index.ts';
import { type ActRow, actKeys } from '../acts/act-rows.ts';
import type { DocumentKind, MemoryDocument } from '../documents/document.ts';
import { type Act, byTime, withMarks, withoutMarks } from '../documents/marks.ts';
import type { Change, ViewReader, ViewWriter } from '../engine/contract/projector.ts';
import { below, key, keyParts } from '../engine/store/row-keys.ts';
import type { ObservationRow, SummaryRow } from '../extract/transcript/observation.ts';
import { itemId } from '../ids/item-id.ts';
import type { Touched } from './attached-vectors.ts';

export interface ActsOfPage {
  readonly changes: readonly Change[];
  readonly touched: Map<string, Touched>;
  /** Rows of observations and summaries that were written. They can change without their documents. */
  readonly rows: Iterable<ObservationRow | SummaryRow>;
  readonly view: ViewWriter;
  readonly upstream: ViewReader;
  /** Stores a document that no turn makes, or removes it. */
  keep(document: MemoryDocument, isGone: boolean): Promise<void>;
}

type MadeFrom = Pick<MemoryDocument, 'kind' | 'events'>;

/** First letters of the ids of each kind. */
const LETTERS: Readonly<Record<DocumentKind, readonly string[]>> = {
  prompt: ['p'],
  answer: ['a', 's'],
  tool: ['u'],
  memory: ['m'],
  observation: ['o'],
  summary: ['y'],
  imported: ['i'],
};
const DOCUMENTS_PER_READ = 500;

export async function attachActs(page: ActsOfPage): Promise<void> {
  const changed = changedActs(page.changes);
  const documents = new Map<string, MadeFrom[]>();
  const add = (session: string | null, made: MadeFrom) => pushTo(documents, session ?? '', made);
  for (const { before, after } of page.touched.values())
    for (const document of [before, after]) if (document !== null) add(document.session, document);
  for (const row of page.rows)
    if ('evidence' in row) add(row.session, { kind: 'observation', events: row.evidence.events });
    else add(row.session, { kind: 'summary', events: row.events });
  for (const session of new Set([...changed.keys(), ...documents.keys()])) {
    const acts = await readActs(session, page.upstream);
    const ids = changed.get(session) ?? new Set();
    if (acts.size + ids.size === 0) continue;
    await new SessionActs(acts, page).update(ids, documents.get(session) ?? []);
  }
}

/** Ids of the acts whose rows changed, by session. */
function changedActs(changes: readonly Change[]): Map<string, Set<string>> {
  const changed = new Map<string, Set<string>>();
  for (const { key: rowKey } of changes) {
    if (!rowKey.startsWith('act/') && !rowKey.startsWith('withdrawal/')) continue;
    const [, session, act] = keyParts(rowKey) as [string, string, string];
    changed.set(session, (changed.get(session) ?? new Set()).add(act));
  }
  return changed;
}

async function readActs(session: string, upstream: ViewReader): Promise<Map<string, Act>> {
  const rows = await upstream.range<ActRow>(actKeys.actsIn(session));
  if (rows.length === 0) return new Map();
  const taken = await upstream.range(actKeys.withdrawalsIn(session));
  const withdrawn = new Set(taken.map(([rowKey]) => keyParts(rowKey)[2]));
  return new Map(rows.map(([, row]) => [row.event, { ...row, isWithdrawn: withdrawn.has(row.event) }]));
}

/** The acts of one session, for one page. */
class SessionActs {
  readonly #acts: ReadonlyMap<string, Act>;
  readonly #page: ActsOfPage;
  readonly #byEvent = new Map<string, Act[]>();
  /** The document of each act that was looked up. */
  readonly #owners = new Map<Act, string | null>();

  constructor(acts: ReadonlyMap<string, Act>, page: ActsOfPage) {
    this.#acts = acts;
    this.#page = page;
    for (const act of acts.values()) for (const event of act.item.events) pushTo(this.#byEvent, event, act);
  }

  async update(changed: ReadonlySet<string>, documents: readonly MadeFrom[]): Promise<void> {
    const { view } = this.#page;
    const affected = new Set<Act>(documents.flatMap((document) => this.#actsOn(document)));
    const again = new Set<string>();
    for (const id of changed) {
      const act = this.#acts.get(id);
      if (act !== undefined) affected.add(act);
      else {
        // Forgotten.
        const was = await view.get<string>(actedKey(id));
        if (was === undefined) continue;
        view.del(actedKey(id));
        again.add(was);
      }
    }
    const settled = this.#withOthersOnTheirItems(affected, again);
    for (const act of settled) {
      const was = await view.get<string>(actedKey(act.event));
      const owner = await this.#ownerOf(act);
      if (was !== undefined) again.add(was);
      if (owner !== null) again.add(owner);
      if (owner !== null && owner !== was) view.put(actedKey(act.event), owner);
    }
    for (const id of again) await this.#mark(id);
    await this.#keepAlone(settled, again);
  }

  #actsOn({ kind, events }: MadeFrom): readonly Act[] {
    const acts = events.flatMap((event) => this.#byEvent.get(event) ?? []);
    return [...new Set(acts)].filter(({ item }) => item.kind === kind);
  }

  /** A text kept without its item is made from all acts on it. */
  #withOthersOnTheirItems(affected: ReadonlySet<Act>, again: ReadonlySet<string>): readonly Act[] {
    const items = new Set([...affected].map(({ item }) => aloneId(item)));
    return [...this.#acts.values()].filter(
      (act) => affected.has(act) || items.has(aloneId(act.item)) || again.has(aloneId(act.item)),
    );
  }

  /** The document that exists; null if none does. */
  async #ownerOf(act: Act): Promise<string | null> {
    const known = this.#owners.get(act);
    if (known !== undefined) return known;
    const owner = await documentOf(act.item, this.#page.view);
    this.#owners.set(act, owner);
    return owner;
  }

  async #mark(id: string): Promise<void> {
    const { view, touched } = this.#page;
    const document = await view.get<MemoryDocument>(key('document', id));
    if (document === undefined) return;
    const acts: Act[] = [];
    for (const act of this.#actsOn(document)) if ((await this.#ownerOf(act)) === id) acts.push(act);
    const marked = withMarks(withoutMarks(document), acts);
    view.put(key('document', id), marked);
    // Its text may be another one than that of the turn, so its vectors are chosen again.
    touched.set(id, { before: null, after: marked });
    const rowKey = key(document.kind, id);
    const row = document.kind === 'observation' || document.kind === 'summary';
    const found = row ? await view.get<{ marks?: unknown }>(rowKey) : undefined;
    if (found === undefined) return;
    const { marks: _, ...own } = found;
    view.put(rowKey, marked.marks === undefined ? own : { ...own, marks: marked.marks });
  }

  /** Keeps the texts of items that nothing is made of any more. */
  async #keepAlone(settled: readonly Act[], again: ReadonlySet<string>): Promise<void> {
    const { view, keep } = this.#page;
    const alone = new Map<string, Act[]>();
    for (const act of settled) {
      const id = aloneId(act.item);
      const acts = alone.get(id) ?? [];
      alone.set(id, (await this.#ownerOf(act)) === null ? [...acts, act] : acts);
    }
    for (const id of again) if (isAlone(id) && !alone.has(id)) alone.set(id, []);
    for (const [id, acts] of alone) {
      const stored = await view.get<MemoryDocument>(key('document', id));
      const isKept = acts.some(({ act, isWithdrawn }) => !isWithdrawn && act !== 'supersede');
      if (isKept) await keep(withMarks(aloneDocument(id, acts), acts), false);
      else if (stored !== undefined) await keep(stored, true);
      for (const { event } of acts)
        if (isKept) view.put(actedKey(event), id);
        else view.del(actedKey(event));
    }
  }
}

/** The document of the item's kind with most of its events; of several, the one with the most similar words. */
async function documentOf(item: ActedItem, view: ViewReader): Promise<string | null> {
  const { kind, agent, session, turn } = item;
  const isDerived = kind === 'observation' || kind === 'summary';
  // An event is in one prompt, answer or tool use only.
  const same = isDerived ? undefined : await view.get<MemoryDocument>(key('document', item.id));
  if (same !== undefined && same.kind === kind && shared(item, same) > 0) return same.id;
  const ofTurn = (letter: string) => `${below('group', agent, session ?? '', turn ?? '')}${letter}-`;
  const beside = turn === null ? [] : await documentsIn(LETTERS[kind].map(ofTurn), kind, view);
  const found = best(item, beside);
  if (found !== null && 2 * shared(item, found) >= item.events.length) return found.id;
  const all = best(item, await documentsIn([below('group', agent, session ?? '')], kind, view));
  return all?.id ?? null;
}

/** Documents of one kind, by the beginnings of their keys in groups; never one that is kept by itself. */
async function documentsIn(
  prefixes: readonly string[],
  kind: DocumentKind,
  view: ViewReader,
): Promise<MemoryDocument[]> {
  const ids: string[] = [];
  for (const prefix of prefixes)
    for (const [rowKey] of await view.range(prefix)) {
      const id = rowKey.slice(rowKey.lastIndexOf('/') + 1);
      if (LETTERS[kind].includes(id[0]!)) ids.push(id);
    }
  const documents: MemoryDocument[] = [];
  for (let from = 0; from < ids.length; from += DOCUMENTS_PER_READ) {
    const keys = ids.slice(from, from + DOCUMENTS_PER_READ).map((id) => key('document', id));
    for (const document of await view.getMany<MemoryDocument>(keys))
      if (document?.kind === kind) documents.push(document);
  }
  return documents;
}

function best(item: ActedItem, documents: readonly MemoryDocument[]): MemoryDocument | null {
  const named = documents
    .map((document) => ({ document, events: shared(item, document) }))
    .filter(({ events }) => events > 0);
  const most = Math.max(...named.map(({ events }) => events));
  const nearest = named.filter(({ events }) => events === most).map(({ document }) => document);
  if (nearest.length < 2) return nearest[0] ?? null;
  const words = wordsIn(`${item.title} ${item.text}`);
  const alike = (document: MemoryDocument) => {
    const { title, body } = withoutMarks(document);
    return [...wordsIn(`${title} ${body}`)].filter((word) => words.has(word)).length;
  };
  const ranked = nearest.map((document) => ({ document, alike: alike(document) }));
  ranked.sort((a, b) => b.alike - a.alike || compare(a.document, b.document));
  return ranked[0]!.document;
}

function shared({ events }: ActedItem, document: MemoryDocument): number {
  const known = new Set(document.events);
  return events.filter((event) => known.has(event)).length;
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu));
}

function compare(one: MemoryDocument, other: MemoryDocument): number {
  return one.order < other.order || (one.order === other.order && one.id < other.id) ? -1 : 1;
}

const ALONE = 'k';

/** The id of the document that keeps an item's text when no turn makes it. */
function aloneId({ agent, session, id }: ActedItem): string {
  return itemId(ALONE, agent, session, id);
}

function isAlone(id: string): boolean {
  return id.startsWith(`${ALONE}-`);
}

/** A memory with the text that was acted on last. Its words are a person's only if the item's were. */
function aloneDocument(id: string, acts: readonly Act[]): MemoryDocument {
  const { item } = [...acts].sort(byTime).at(-1)!;
  const { title, text, workdir, agent, session, at, author } = item;
  return {
    ...{ id, kind: 'memory', type: item.kind, title, body: text, files: [], concepts: [], neighbours: [] },
    ...{ workdir, agent, session, turn: null, agentId: null, at },
    order: `${String(at ?? 0).padStart(14, '0')} ${id}`,
    tokens: Math.ceil((title.length + text.length) / 4),
    outcome: null,
    events: acts.map(({ event }) => event).sort(),
    ...(author === 'user' ? {} : { author: 'agent' }),
  };
}

function actedKey(act: string): string {
  return key('acted', act);
}
