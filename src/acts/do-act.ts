// Does what a person wants done to a remembered item: appends the act as an event. What an agent wants done is appended as a
// proposal, and changes nothing until a person confirms it.
import { type ActedItem, AnnalsError, type Json, type NewEvent } from '../../log/index.ts';
import {
  actKeys,
  type MemoryDocument,
  memoryKeys,
  type ProposalRow,
  savedId,
  textTitle,
  waitingProposals,
  withoutMarks,
} from '../../projections/index.ts';
import { ACTS, type ActInput, type ActReport } from '../api/act.ts';
import { sanitizeText, sanitizeValue } from '../capture/redact/index.ts';
import { stripTags } from '../capture/text/tags.ts';
import { projectWorkdirs } from '../forget/index.ts';
import type { Home } from '../home/home.ts';
import { namedSessionRow } from '../home/named-session.ts';
import { recordWorkdirs } from '../home/record-workdirs.ts';
import { resolveId } from '../read/resolve-id.ts';
import { type ActType, type ActWorld, actEvent, actingAlone, dedupeKeyOf } from './act-event.ts';
import { actedItemOf, documentNamed } from './acted-item.ts';
import { beginningOf, noteEvent, refuseFullNotes } from './notes.ts';

/** Of an edit. 64 KiB of UTF-8. */
const TEXT_BYTES_MAX = 64 * 1024;
const TITLE_CHARS_MAX = 500;
/** More are not taken: nobody would read them. */
const PROPOSALS_MAX = 200;

type Act = { readonly event: NewEvent; readonly report: Pick<ActReport, 'id' | 'title'> };

/** @throws AnnalsError USAGE, INPUT_INVALID, NOT_FOUND, AMBIGUOUS_ID, FORGOTTEN */
export async function act(input: ActInput, home: Home, world: ActWorld): Promise<ActReport> {
  check(input);
  return actingAlone(home, () => actNow(input, home, world));
}

async function actNow(input: ActInput, home: Home, world: ActWorld): Promise<ActReport> {
  await home.runner.catchUp();
  const wanted = await preparedAct(input, home, world);
  if (wanted === null) return { outcome: 'unchanged', ...(await namedIn(input, home)), proposal: null };
  if (input.author === 'agent') return propose(input, wanted, home, world);
  if (input.act === 'forget')
    throw new AnnalsError('USAGE', 'Forgetting is not an act: call `forget`.', {
      hint: '`annals forget` shows what goes, and asks.',
    });
  await home.log.append([wanted.event]);
  if (input.act === 'note' && input.cwd !== undefined) await recordWorkdirs([input.cwd], home);
  return { outcome: 'done', ...wanted.report, proposal: null };
}

function check({ act: kind, id, by, title, text, selection }: ActInput): void {
  if (!ACTS.includes(kind))
    throw new AnnalsError('USAGE', `There is no act “${kind}”.`, { hint: `One of: ${ACTS.join(', ')}.` });
  const needs = kind === 'note' ? 'text' : kind === 'forget' ? 'selection' : 'id';
  if ((needs === 'text' ? text?.trim() : needs === 'selection' ? selection : id) === undefined)
    throw new AnnalsError('INPUT_INVALID', `To ${kind}, ${needs} is needed.`);
  if (by !== undefined && kind !== 'supersede')
    throw new AnnalsError('INPUT_INVALID', 'Only what is superseded has something in its place.');
  if (kind === 'edit' && title === undefined && text === undefined)
    throw new AnnalsError('INPUT_INVALID', 'An edit needs a title or a text.');
  if ((title ?? '').length > TITLE_CHARS_MAX || Buffer.byteLength(text ?? '') > TEXT_BYTES_MAX)
    throw new AnnalsError(
      'INPUT_INVALID',
      `A title has at most ${TITLE_CHARS_MAX} characters, a text at most ${TEXT_BYTES_MAX} bytes.`,
    );
}

/** The event of the act; null when it would change nothing. */
export async function preparedAct(input: ActInput, home: Home, world: ActWorld): Promise<Act | null> {
  if (input.act === 'forget') {
    await refuseUnknown(input.selection, home);
    return { event: FORGETTING, report: { id: null, title: '' } };
  }
  if (input.act === 'note') {
    await refuseFullNotes(input, home);
    const event = noteEvent(input, home.now(), world);
    return { event, report: { id: savedId(event), title: event.body.title } };
  }
  const document = await documentNamed(input.id!, home);
  const event = await itemEvent(input, document, home, world);
  return event === null ? null : { event, report: { id: document.id, title: titleAfter(input, document) } };
}

/** Nobody could confirm it. @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, FORGOTTEN, USAGE */
async function refuseUnknown(
  { ids = [], session, project }: NonNullable<ActInput['selection']> = {},
  home: Home,
): Promise<void> {
  const { log, views } = home;
  const sources = { log, turns: views.turns, memory: views.memory };
  for (const id of ids) await resolveId(id, sources);
  if (session !== undefined) await namedSessionRow(session, views.turns);
  if (project !== undefined) await projectWorkdirs(project, home);
}

function titleAfter(input: ActInput, document: MemoryDocument): string {
  if (input.act === 'unedit') return withoutMarks(document).title;
  return input.act === 'edit' ? editedTitle(input, document) : document.title;
}

/** A title that was made of the text is made of the new one. */
function editedTitle({ title, text }: ActInput, document: MemoryDocument): string {
  if (title !== undefined) return clean(title);
  if (text === undefined) return document.title;
  const made = [beginningOf, textTitle].find((make) => make(document.body) === document.title);
  return made?.(clean(text)) || document.title;
}

/** Never appended: only a person forgets. */
const FORGETTING: NewEvent = actEvent('memory.withdrawn', null, { acts: [] }, 0, 'none');

async function itemEvent(
  input: ActInput,
  document: MemoryDocument,
  home: Home,
  world: ActWorld,
): Promise<NewEvent | null> {
  const { marks } = document;
  const event = <T extends ActType>(type: T, body: NewEvent<T>['body']) =>
    actEvent(type, document.session, body, home.now(), dedupeKeyOf(world));
  const item = () => actedItemOf(document, home.log);
  switch (input.act) {
    case 'pin':
      if (marks?.superseded !== undefined)
        throw new AnnalsError('USAGE', `“${document.id}” is superseded, so no session would be shown it.`, {
          hint: `Take that back first: annals supersede ${document.id} --undo`,
        });
      return marks?.pinned === undefined ? event('memory.pinned', { item: await item() }) : null;
    case 'edit': {
      const title = editedTitle(input, document);
      const text = input.text === undefined ? document.body : clean(input.text);
      if (stripTags(input.text ?? '', { author: 'person' }).empty)
        throw new AnnalsError(
          'INPUT_INVALID',
          'Nothing is left of the text without private and inserted parts.',
        );
      if (title === '')
        throw new AnnalsError('INPUT_INVALID', 'The title is empty, or all of it is private.');
      if (title === document.title && text === document.body) return null;
      return event('memory.edited', { item: await item(), title, text });
    }
    case 'supersede': {
      const by = input.by === undefined ? null : await documentNamed(input.by, home);
      if (by?.id === document.id) throw new AnnalsError('USAGE', 'Something cannot be superseded by itself.');
      await refuseCircle(document, by, home);
      if (marks?.superseded !== undefined && (marks.superseded.by?.id ?? null) === (by?.id ?? null))
        return null;
      const instead = by === null ? null : await actedItemOf(by, home.log);
      return event('memory.superseded', { item: await item(), by: instead });
    }
    default: {
      const acts = await heldActs(document, TAKEN_BACK[input.act as keyof typeof TAKEN_BACK], home);
      return acts.length === 0 ? null : event('memory.withdrawn', { acts });
    }
  }
}

/** @param by what shall hold instead. @throws AnnalsError USAGE: what holds instead of it, or of that, is the document */
async function refuseCircle(
  document: MemoryDocument,
  by: MemoryDocument | null,
  { views }: Home,
): Promise<void> {
  const seen = new Set<string>();
  let next = by;
  while (next !== null && !seen.has(next.id)) {
    seen.add(next.id);
    const instead = next.marks?.superseded?.by?.id;
    if (instead === document.id)
      throw new AnnalsError('USAGE', `“${next.id}” is itself superseded by “${document.id}”.`, {
        hint: `Take that back first: annals supersede ${next.id} --undo`,
      });
    next =
      instead === undefined
        ? null
        : ((await views.memory.get<MemoryDocument>(memoryKeys.document(instead))) ?? null);
  }
}

const TAKEN_BACK = {
  unpin: 'memory.pinned',
  unedit: 'memory.edited',
  unsupersede: 'memory.superseded',
} as const;

/** The acts of one type on a document that nobody took back. */
async function heldActs(
  { marks }: MemoryDocument,
  type: string,
  { log, views }: Home,
): Promise<{ id: string; session: string | null }[]> {
  const events = await log.getMany(marks?.acts ?? []);
  const held: { id: string; session: string | null }[] = [];
  for (const event of events) {
    if (event?.type !== type) continue;
    const { id, session } = event;
    const taken = await views.turns.range(actKeys.withdrawalsOf(session, id), { limit: 1 });
    if (taken.length === 0) held.push({ id, session });
  }
  return held;
}

async function namedIn({ id }: ActInput, home: Home): Promise<Pick<ActReport, 'id' | 'title'>> {
  const { id: found, title } = await documentNamed(id!, home);
  return { id: found, title };
}

/** The same proposal waits once. */
async function propose(
  input: ActInput,
  { event, report }: Act,
  home: Home,
  world: ActWorld,
): Promise<ActReport> {
  const { item = null, by = null } = event.body as { item?: ActedItem; by?: ActedItem | null };
  const target =
    item ??
    (input.id === undefined ? null : await actedItemOf(await documentNamed(input.id, home), home.log));
  const waiting = await waitingProposals(home.views.turns);
  const body = {
    act: input.act,
    ...{ item: target, by },
    title: input.title === undefined ? null : clean(input.title),
    text: input.text === undefined ? null : clean(input.text),
    selection: selectionIn(input),
    project: input.project === undefined ? null : clean(input.project),
    cwd: input.cwd ?? null,
    client: input.client ?? null,
  };
  const same = waiting.find((one) => isSame(one, body));
  if (same !== undefined) return { outcome: 'proposed', ...report, proposal: same.event };
  if (waiting.length >= PROPOSALS_MAX)
    throw new AnnalsError('USAGE', `${waiting.length} proposals wait already; nothing was stored.`, {
      hint: 'A person answers them with `annals proposals`.',
    });
  const proposed = actEvent('memory.proposed', target?.session ?? null, body, home.now(), dedupeKeyOf(world));
  const [outcome] = await home.log.append([proposed]);
  return { outcome: 'proposed', ...report, proposal: outcome!.id };
}

/** @throws AnnalsError INPUT_INVALID: it would be stored without the secret that it names */
function selectionIn({ selection }: ActInput): Json {
  if (selection === undefined) return null;
  const given = JSON.parse(JSON.stringify(selection)) as Json;
  const cleaned = sanitizeValue(given, { author: 'agent', clipBytes: TEXT_BYTES_MAX });
  if (JSON.stringify(cleaned) !== JSON.stringify(given))
    throw new AnnalsError('INPUT_INVALID', 'The selection names a secret, which a proposal must not keep.', {
      hint: 'A person runs `annals forget` with it.',
    });
  return cleaned;
}

function isSame({ body }: ProposalRow, proposed: ProposalRow['body']): boolean {
  const key = ({ act: kind, item, by, title, text, selection, project, cwd }: ProposalRow['body']) => {
    const folder = kind === 'note' && project === null ? cwd : null;
    return JSON.stringify([kind, item?.id, by?.id, title, text, selection, project, folder]);
  };
  return key(body) === key(proposed);
}

function clean(text: string): string {
  return sanitizeText(text, { author: 'person', clipBytes: TEXT_BYTES_MAX }).trim();
}
