// The loop over every character of a text: finds where something in the tables may begin. Reading a string character by
// character is slow, so it reads a copy in bytes, one window at a time. The copy holds only the low byte of characters
// beyond Latin-1, so each candidate is checked in the text itself.

const WINDOW = 32_768;
const bytes = Buffer.allocUnsafeSlow(WINDOW);
/** Whether anything may begin with three bytes, six bits of each. */
const MAY_BEGIN = new Uint8Array(1 << 18);

/** Registers a beginning to search for: one, two or three characters. */
export function mayBegin(start: string): void {
  const low = [0, 1, 2].map((at) => start.charCodeAt(at) & 63);
  const given = Math.min(start.length, 3);
  const room = 1 << (6 * (3 - given));
  let first = 0;
  for (let at = 0; at < given; at++) first = (first << 6) | low[at]!;
  MAY_BEGIN.fill(1, first * room, (first + 1) * room);
}

/** Scans one text from left to right. There is only one window, so only one text at a time. */
export class Scan {
  readonly #text: string;
  readonly #begins: (text: string, at: number) => boolean;
  /** The part of the text that is in the window. */
  #from = 0;
  #to = 0;

  constructor(text: string, begins: (text: string, at: number) => boolean) {
    this.#text = text;
    this.#begins = begins;
  }

  /** The next place from `from` on where something may begin, or the text's length. */
  next(from: number): number {
    const { length } = this.#text;
    let at = from;
    while (at < length - 2) {
      if (at < this.#from || at + 2 >= this.#to) this.#load(at);
      at = this.#nextInWindow(at);
      if (at < this.#to - 2) return at;
    }
    return length;
  }

  #load(from: number): void {
    this.#from = from;
    const text = this.#text.length <= WINDOW ? this.#text : this.#text.slice(from, from + WINDOW);
    if (text === this.#text) this.#from = 0;
    this.#to = this.#from + text.length;
    bytes.write(text, 'latin1');
  }

  /** The next place within the window, or the window's end. */
  #nextInWindow(from: number): number {
    const text = this.#text;
    const begins = this.#begins;
    const shift = this.#from;
    const last = this.#to - shift - 2;
    let at = from - shift;
    let three = ((bytes[at]! & 63) << 6) | (bytes[at + 1]! & 63);
    for (; at < last; at++) {
      three = ((three << 6) | (bytes[at + 2]! & 63)) & 0x3ffff;
      if (MAY_BEGIN[three] !== 0 && begins(text, at + shift)) break;
    }
    return at + shift;
  }
}
