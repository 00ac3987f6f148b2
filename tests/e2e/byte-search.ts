// Searches every byte below a folder for a word, independent of the product's code: names and contents of all files,
// LevelDB's write-ahead files without the headers between records, and its decompressed tables, with its own reader.
//
//   table = block* footer      footer = 48 bytes: metaindex handle, index handle, padding, magic; handle = offset size
//   block = entry* restart* count, compressed with snappy if its type is 1      entry = shared own length key value
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Sight {
  readonly file: string;
  /** name: in the file's name. raw: in the bytes on disk. unpacked: in a decompressed block or a joined record. */
  readonly as: 'name' | 'raw' | 'unpacked';
  readonly form: 'plain' | 'UTF-16 LE' | 'UTF-16 BE' | 'base64, bit 0' | 'base64, bit 2' | 'base64, bit 4';
  /** The key of the entry, and up to 30 bytes before the word. */
  readonly key: string;
  readonly before: string;
}

export function searchBytes(folder: string, word: string): Sight[] {
  const forms = formsOf(word);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const sights: Sight[] = [];
    const look = (as: Sight['as'], bytes: Buffer, key = ''): void => {
      const folded = bytes.toString('latin1').toLowerCase();
      for (const [form, pattern] of forms)
        for (let at = folded.indexOf(pattern); at >= 0; at = folded.indexOf(pattern, at + 1))
          sights.push({ file, as, form, key, before: folded.slice(Math.max(0, at - 30), at) });
    };
    look('name', Buffer.from(file));
    if (!statSync(join(folder, file)).isFile()) return sights;
    const content = readFileSync(join(folder, file));
    look('raw', content);
    if (/\.(ldb|sst)$/.test(file))
      for (const [key, value] of entriesOf(content))
        look('unpacked', Buffer.concat([key, value]), key.toString('latin1'));
    if (/(^|\/)(\d+\.log|MANIFEST-\d+)$/.test(file)) look('unpacked', recordsOf(content));
    return sights;
  });
}

/** The needles in lower case, like the text that is searched. */
function formsOf(word: string): (readonly [Sight['form'], string])[] {
  const base64 = (before: number): string => {
    const text = Buffer.from('_'.repeat(before) + word).toString('base64');
    // Base64 characters that also encode bits of a neighbour or the end are left out.
    return text
      .slice(Math.ceil((before * 8) / 6), Math.floor(((before + word.length) * 8) / 6))
      .toLowerCase();
  };
  const wide = Buffer.from(word, 'utf16le');
  return [
    ['plain', word],
    ['UTF-16 LE', wide.toString('latin1')],
    ['UTF-16 BE', Buffer.from(wide).swap16().toString('latin1')],
    ['base64, bit 0', base64(0)],
    ['base64, bit 2', base64(1)],
    ['base64, bit 4', base64(2)],
  ];
}

/** Every entry of a table, also of an obsolete one. @throws Error if it is not a complete table */
function entriesOf(table: Buffer): [key: Buffer, value: Buffer][] {
  const footer = new Reader(table.subarray(-48));
  footer.handle();
  return [...blockEntries(table, footer.handle())].flatMap(([, handle]) => [
    ...blockEntries(table, new Reader(handle).handle()),
  ]);
}

function* blockEntries(table: Buffer, [offset, size]: [number, number]): Generator<[Buffer, Buffer]> {
  const packed = table.subarray(offset, offset + size);
  if (packed.length < size) throw new Error('A block ends behind its table.');
  const block = table[offset + size] === 1 ? unpack(packed) : packed;
  const end = block.length - 4 - 4 * block.readUInt32LE(block.length - 4);
  const reader = new Reader(block.subarray(0, end));
  for (let key = Buffer.alloc(0); !reader.isAtEnd(); ) {
    const [shared, own, length] = [reader.number(), reader.number(), reader.number()];
    key = Buffer.concat([key.subarray(0, shared), reader.bytes(own)]);
    yield [key, reader.bytes(length)];
  }
}

/** https://github.com/google/snappy/blob/main/format_description.txt */
function unpack(packed: Buffer): Buffer {
  const reader = new Reader(packed);
  const out = Buffer.alloc(reader.number());
  let end = 0;
  while (!reader.isAtEnd()) {
    const tag = reader.bytes(1)[0]!;
    if (tag % 4 === 0) {
      const small = tag >> 2;
      const length = 1 + (small < 60 ? small : reader.bytes(small - 59).readUIntLE(0, small - 59));
      end += reader.bytes(length).copy(out, end);
      continue;
    }
    const length = tag % 4 === 1 ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2);
    const back =
      tag % 4 === 1
        ? ((tag >> 5) << 8) + reader.bytes(1)[0]!
        : reader.bytes(tag % 4 === 2 ? 2 : 4).readUIntLE(0, tag % 4 === 2 ? 2 : 4);
    for (let left = length; left > 0; left--, end++) out[end] = out[end - back]!;
  }
  if (end !== out.length) throw new Error('A block is not what its length says.');
  return out;
}

/** Joins the records of a file of 32 KiB blocks: crc (4) length (2) type (1) data. */
function recordsOf(file: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 7 <= file.length; ) {
    const left = 32_768 - (at % 32_768);
    const length = left < 7 ? 0 : file.readUInt16LE(at + 4);
    if (left >= 7) parts.push(file.subarray(at + 7, at + 7 + length));
    at += left < 7 ? left : 7 + length;
  }
  return Buffer.concat(parts);
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  bytes(length: number): Buffer {
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new Error('A file ends too early.');
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** Reads a varint. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes(1)[0]!;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }

  handle(): [number, number] {
    return [this.number(), this.number()];
  }
}
