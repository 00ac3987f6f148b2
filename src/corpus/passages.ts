// The members of a corpus as a model reads them. The text depends on nothing but the members, so that a provider can cache it.
import { isoTime } from '../../log/index.ts';
import {
  documentWithRewritten,
  type MemoryDocument,
  memoryKeys,
  resolveProjects,
} from '../../projections/index.ts';
import type { CorpusPassage } from '../api/observer/corpus.ts';
import { clip } from '../capture/text/clip.ts';
import type { ReadHome } from '../home/home.ts';
import { inTag } from '../observer/request/turn-content.ts';

/**
 * Of the whole text. Even at a token for each byte it is below the 100,000 tokens above which a request costs five times as
 * much, and one question is within the default budget of a call.
 */
export const TEXT_BYTES_MAX = 80_000;
const PASSAGE_CHARS_MAX = 4_000;

export interface Passage {
  readonly document: MemoryDocument;
  readonly project: string;
  readonly text: string;
}

/** Of the ids that there are, in their order. */
export async function passagesOf(
  ids: readonly string[],
  { memory, projects }: ReadHome['views'],
): Promise<readonly Passage[]> {
  const rows = await memory.getMany<MemoryDocument>(ids.map(memoryKeys.document));
  const found = rows.filter((row) => row !== undefined);
  const documents = await Promise.all(found.map((row) => documentWithRewritten(row, memory)));
  const resolved = await resolveProjects(
    documents.map(({ workdir }) => workdir),
    projects,
  );
  return documents.map((document, index) => {
    const project = resolved[index]!.name;
    return { document, project, text: passageText(document, project) };
  });
}

/** As many of the first ones as fit. */
export function fitting(passages: readonly Passage[]): readonly Passage[] {
  let bytes = 0;
  const end = passages.findIndex(({ text }) => {
    bytes += Buffer.byteLength(text) + 1;
    return bytes > TEXT_BYTES_MAX;
  });
  return end < 0 ? passages : passages.slice(0, end);
}

export function corpusText(passages: readonly Passage[]): string {
  return ['<corpus>', ...passages.map(({ text }) => text), '</corpus>'].join('\n');
}

export function itemOf({ document, project }: Passage): Omit<CorpusPassage, 'text'> {
  const { id, kind, type, title, at } = document;
  return { id, kind, type, title, project, at: isoTime(at) };
}

function passageText(document: MemoryDocument, project: string): string {
  const { id, kind, type, title, body, at, marks } = document;
  const date = at === null ? [] : [`date="${new Date(at).toISOString().slice(0, 10)}"`];
  const replaced = marks?.superseded;
  const by =
    replaced?.by === null || replaced === undefined ? '' : `; what holds instead: ${replaced.by.title}`;
  return [
    `<passage ${[`id="${id}"`, `kind="${inTag(type ?? kind)}"`, ...date, `project="${inTag(project)}"`].join(' ')}>`,
    ...(replaced === undefined ? [] : [safe(`(A person said that this no longer holds${by}.)`)]),
    safe(title),
    ...(body.trim() === '' ? [] : [safe(clip(body.trim(), PASSAGE_CHARS_MAX))]),
    '</passage>',
  ].join('\n');
}

/** Without tags of ours. */
export function safe(text: string): string {
  return text.replace(/<(\/?)(corpus|passage|question|answer|no_answer)\b/gi, '‹$1$2');
}
