// How a file in spool/new that was never renamed shows that it is complete: its name says that a mark must follow, and
// the mark is its last bytes. The capture script writes the mark after the payload was written without an error, so the
// mark is missing from a file that is being written, was broken off, met a full disk or lost its end in a power cut. A
// payload cannot end with the mark by chance: JSON escapes its RS character.
//
//   file = payload LF RS "end" LF        (RS: U+001E)

/** In the name of every file that ends with the mark once it is complete. */
export const MARKED_SUFFIX = '.marked';
export const END_MARK = '\n\u001eend\n';

const MARK = Buffer.from(END_MARK);

/** The payload, or null while the mark is missing. Files with other names were renamed in, so they are complete. */
export function wholePayload(name: string, bytes: Buffer): Buffer | null {
  if (!name.endsWith(MARKED_SUFFIX)) return bytes;
  const end = bytes.length - MARK.length;
  return end >= 0 && bytes.subarray(end).equals(MARK) ? bytes.subarray(0, end) : null;
}
