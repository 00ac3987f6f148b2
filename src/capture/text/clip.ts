// Clips long strings to head, tail and length. Clip only after redaction: a cut through a secret leaves half of it,
// which no format recognises.
import { grouped } from '../../terminal-text/grouped-number.ts';

/** 8 KiB per string: a hook writes to disk before the agent continues, and the transcript has the rest. */
export const HOOK_CLIP_BYTES = 8 * 1024;
/** The transcript has more than the hooks. 32 KiB keeps everything except whole files and runaway output. */
export const TRANSCRIPT_CLIP_BYTES = 32 * 1024;

/** Room for the marker with any count below a trillion. */
const MARKER_BYTES = 64;

/**
 * Returns `text` if it has at most `bytesMax` bytes of UTF-8. Otherwise returns as much of its head and tail as fit
 * with a marker that gives the number of omitted characters (UTF-16 units). Never more than `bytesMax` bytes, never
 * half a surrogate pair.
 */
export function clip(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text, 'utf8') <= bytesMax) return text;
  const room = Math.max(0, bytesMax - MARKER_BYTES);
  const head = headEnd(text, Math.ceil(room / 2));
  const tail = tailStart(text, Math.floor(room / 2));
  return `${text.slice(0, head)}…[annals: ${grouped(tail - head)} characters left out]…${text.slice(tail)}`;
}

/** End of the longest head of at most `bytesMax` bytes. */
function headEnd(text: string, bytesMax: number): number {
  let bytes = 0;
  let end = 0;
  while (end < text.length) {
    const size = bytesOf(text.codePointAt(end)!);
    if (bytes + size > bytesMax) break;
    bytes += size;
    end += size === 4 ? 2 : 1;
  }
  return end;
}

/** Start of the longest tail of at most `bytesMax` bytes. */
function tailStart(text: string, bytesMax: number): number {
  let bytes = 0;
  let start = text.length;
  while (start > 0) {
    const pair = start >= 2 && text.codePointAt(start - 2)! > 0xffff;
    const size = pair ? 4 : bytesOf(text.charCodeAt(start - 1));
    if (bytes + size > bytesMax) break;
    bytes += size;
    start -= pair ? 2 : 1;
  }
  return start;
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint > 0xffff ? 4 : 3;
}
