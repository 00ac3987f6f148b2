// What is ours in a settings file that belongs to another program. One file may hold several parts: hooks, and the MCP
// server. Only the text of a part is edited; comments, order, indentation, line ends and everything else stay.
import { AnnalsError } from '../../log/index.ts';
import type { JsonObject } from '../agents/common/json-fields.ts';

/** Texts are without a byte order mark. All methods throw INPUT_INVALID if a text cannot be parsed. */
export interface SettingsPart {
  /** The text with ours in it once, or the same text: it has it already, or somebody else's is in its place. */
  added(text: string): string;
  /** The text without ours. What becomes empty goes too, unless `before`, an earlier text, has it. */
  removed(text: string, before: string): string;
  /** Ours as it is in the text, to be added to another one. Null when there is none. */
  found(text: string): SettingsPart | null;
}

/** How the server's entry is edited in a text. All methods throw AnnalsError INPUT_INVALID. */
export interface ServerText {
  read(text: string): JsonObject | null;
  add(text: string, server: JsonObject): string;
  /** Replaces an entry by one that differs in these keys. */
  change(text: string, server: JsonObject, keys: readonly string[]): string;
  /** The object of servers goes with its last one, unless `before` has it. */
  remove(text: string, before: string): string;
}

/** Of a settings file, for messages. */
export interface SettingsName {
  readonly path: string;
  /** Who reads the file. */
  readonly title: string;
}

/** @throws AnnalsError INPUT_INVALID */
export function withParts(text: string, parts: readonly SettingsPart[]): string {
  const { mark, plain } = unmarked(text);
  const edited = parts.reduce((edited, part) => part.added(edited), plain);
  return edited === plain ? text : mark + edited;
}

/**
 * The text without the parts, whichever home they name; null if an installation made the file and it holds nothing else, as
 * `isEmpty` says. `backups` are texts from before an installation, newest first. If the text equals one of them plus
 * ours, that one is returned byte for byte. Otherwise the newest one shows what is empty and the user's own.
 * @throws AnnalsError INPUT_INVALID
 */
export function withoutParts(
  text: string,
  parts: readonly SettingsPart[],
  { backups = [], isEmpty }: { backups?: readonly string[]; isEmpty(text: string): boolean },
): string | null {
  const { mark, plain } = unmarked(text);
  if (plain.trim() === '') return text;
  const installed = foundIn(plain, parts);
  if (installed.length === 0) return text;
  const same = backupBehind(text, parts, backups);
  if (same !== null) return same;
  const clean = backups.filter((backup) => isClean(backup, parts));
  const before = unmarked(clean[0] ?? '').plain;
  const rest = parts.reduce((rest, part) => part.removed(rest, before), plain);
  return clean.length === 0 && isEmpty(rest) ? null : mark + rest;
}

/** The first of `backups` that, with ours, is the text: of a text without ours the text itself. */
export function backupBehind(
  text: string,
  parts: readonly SettingsPart[],
  backups: readonly string[],
): string | null {
  const installed = foundIn(unmarked(text).plain, parts);
  return backups.find((backup) => isClean(backup, parts) && withParts(backup, installed) === text) ?? null;
}

export function unusable({ path, title }: SettingsName, reason: string): AnnalsError {
  return new AnnalsError('INPUT_INVALID', `The settings file ${path} cannot be used: ${reason}.`, {
    hint: `It was not changed. Fix it (${title} reads it too), then try again.`,
    facts: { path },
  });
}

function foundIn(text: string, parts: readonly SettingsPart[]): readonly SettingsPart[] {
  return parts.map((part) => part.found(text)).filter((part) => part !== null);
}

/** Whether a backup can be parsed and holds nothing of ours. */
export function isClean(backup: string, parts: readonly SettingsPart[]): boolean {
  try {
    return foundIn(unmarked(backup).plain, parts).length === 0;
  } catch {
    return false;
  }
}

const BYTE_ORDER_MARK = '\uFEFF';

export function unmarked(text: string): { readonly mark: string; readonly plain: string } {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return { mark, plain: text.slice(mark.length) };
}
