// How a file in spool/new shows that it is complete: its last bytes are a mark. The mark is written after the payload was
// written without an error, so it is missing from a file that is being written, was broken off, met a full disk or lost its
// end in a power cut. A payload cannot end with the mark by chance: JSON escapes its RS character.
//
//   file = payload LF RS "end" LF        (RS: U+001E)

export const END_MARK = '\n\u001eend\n';

const MARK = Buffer.from(END_MARK);

/** The payload, or null while the mark is missing. */
export function wholePayload(bytes: Buffer): Buffer | null {
  const end = bytes.length - MARK.length;
  return end >= 0 && bytes.subarray(end).equals(MARK) ? bytes.subarray(0, end) : null;
}
