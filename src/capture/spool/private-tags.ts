// Whether a session's transcript may hold a private prompt. Not every version fires a hook for what is typed while the
// agent works, so hooks alone cannot show it. Reading the whole transcript at each drain would cost more the longer the
// session is. So its bytes are searched for the tag, each part once, and only a session that has one is read: whole, then
// what is new at each drain.
import { openRegularFile } from '../../platform/regular-file.ts';

export interface TagSearch {
  /** Searched up to this byte. */
  readonly to: number;
  readonly found: boolean;
}

export const NOT_SEARCHED: TagSearch = { to: 0, found: false };

/** A tag may contain white space and invisible characters (tags.ts); JSON may escape them. */
const TAG = /(?:<|\\u003c)[^"]{0,32}private/i;
const OVERLAP_BYTES = 64;
const CHUNK_BYTES = 1024 * 1024;

/** Continues where `before` ended. A file that cannot be read shows nothing. */
export async function searchForTags(path: string, before: TagSearch): Promise<TagSearch> {
  if (before.found) return before;
  const file = await openRegularFile(path).catch(() => null);
  if (file === null) return before;
  try {
    const { size } = await file.stat();
    let from = before.to > size ? 0 : before.to;
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size) + OVERLAP_BYTES);
    while (from < size) {
      const start = Math.max(0, from - OVERLAP_BYTES);
      const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, size - start), start);
      if (TAG.test(chunk.toString('latin1', 0, bytesRead))) return { to: size, found: true };
      if (start + bytesRead <= from) break;
      from = start + bytesRead;
    }
    return { to: from, found: false };
  } catch {
    return before;
  } finally {
    await file.close();
  }
}
