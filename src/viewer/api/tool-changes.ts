// What a tool use changes in files, from its input: each agent has its own names for the same fields.
import { BEFORE_AND_AFTER } from '../../../projections/tools/changed-lines.ts';
import { PATH_FIELDS } from '../../../projections/tools/known-tools.ts';
import { detail, type ShownItem, textDetail } from './types.ts';

type Json = ShownItem['details'];

export interface Change {
  /** Empty if it is not known. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Fields of tools that write a whole file. In a folder, they are looked for. */
const CONTENT_FIELDS = ['content', 'file_text'];
const FILE_FIELDS = PATH_FIELDS.filter((field) => field !== 'dir_path' && field !== 'directory');

/** A patch in the form of `apply_patch`; null if it is none. */
export function patchOf(input: Json): string | null {
  const patch = firstText(input, ['patch', 'patchText', 'input']);
  return patch?.includes('*** Begin Patch') === true ? patch : null;
}

/** Empty if it writes no file. */
export function changesOf(input: Json): readonly Change[] {
  const path = firstText(input, FILE_FIELDS) ?? '';
  const edits = detail(input, 'edits');
  const changes = (Array.isArray(edits) ? edits : [input]).flatMap((edit) => changeOf(edit, path) ?? []);
  const content = firstText(input, CONTENT_FIELDS);
  return changes.length > 0 || content === null || path === ''
    ? changes
    : [{ path, before: '', after: content }];
}

function changeOf(edit: Json, path: string): Change | null {
  for (const [before, after] of BEFORE_AND_AFTER) {
    const [old, text] = [textDetail(edit, before), textDetail(edit, after)];
    if (old !== null || text !== null) return { path, before: old ?? '', after: text ?? '' };
  }
  return null;
}

function firstText(input: Json, names: readonly string[]): string | null {
  for (const name of names) {
    const value = textDetail(input, name);
    if (value !== null) return value;
  }
  return null;
}
