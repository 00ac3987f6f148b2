// A text that is searched for secrets. It finds where a run of characters of one alphabet ends, and remembers the last
// runs: a million prefixes before one long run read that run once, not a million times. This keeps redaction linear, so
// no rule reads an unbounded run by itself.

/** Which characters belong to a run. `others` is for everything beyond ASCII. */
export interface Alphabet {
  readonly index: number;
  readonly has: Uint8Array;
  readonly others: boolean;
}

const ALPHABETS: Alphabet[] = [];
const ALPHABETS_MAX = 64;

/** The characters of a class in regular expression syntax: `A-Za-z0-9_`. A leading `^` means all except these. */
export function alphabet(spelled: string): Alphabet {
  const pattern = new RegExp(`[${spelled}]`);
  const has = new Uint8Array(128);
  for (let code = 0; code < 128; code++) has[code] = pattern.test(String.fromCharCode(code)) ? 1 : 0;
  const made = { index: ALPHABETS.length, has, others: spelled.startsWith('^') };
  if (ALPHABETS.push(made) > ALPHABETS_MAX) throw new Error('more alphabets than the run cache has room for');
  return made;
}

/** Runs remembered per alphabet. One rule reads at most three in a row, and the next rule reads the same ones. */
const REMEMBERED = 4;
/** Shorter runs are faster to read again than to look up. */
const WORTH_REMEMBERING = 16;
// One cache for all texts, because they are searched one after another and most are short: clearing it costs less.
const ROOM = ALPHABETS_MAX * REMEMBERED;
const starts = new Int32Array(ROOM);
const ends = new Int32Array(ROOM);
const oldest = new Uint8Array(ALPHABETS_MAX);
let remembers: Source | null = null;

export class Source {
  readonly text: string;
  /** Characters read so far: a measure of work for tests that must not depend on a clock. */
  steps = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** End of the run of `alphabet` that begins at `at`; `at` itself when the run is empty. */
  runEnd({ index, has, others }: Alphabet, at: number): number {
    const { text } = this;
    const first = index * REMEMBERED;
    if (remembers === this)
      for (let one = first; one < first + REMEMBERED; one++)
        if (at >= starts[one]! && at < ends[one]!) return ends[one]!;
    let end = at;
    while (end < text.length) {
      const code = text.charCodeAt(end);
      if (code < 128 ? has[code] === 0 : !others) break;
      end++;
    }
    this.steps += end - at + 1;
    if (end - at >= WORTH_REMEMBERING) this.#remember(index, at, end);
    return end;
  }

  #remember(index: number, start: number, end: number): void {
    if (remembers !== this) {
      remembers = this;
      ends.fill(0);
    }
    const slot = index * REMEMBERED + oldest[index]!;
    starts[slot] = start;
    ends[slot] = end;
    oldest[index] = (oldest[index]! + 1) % REMEMBERED;
  }

  /** A bounded part of the text, counted as read. */
  piece(from: number, to: number): string {
    const start = from < 0 ? 0 : from;
    this.steps += to - start;
    return this.text.slice(start, to);
  }
}
