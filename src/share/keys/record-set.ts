// The records that this machine knows, in memory and in records.jsonl. The set only grows.

import { decodeRecord, type EncodedRecord, type SignedRecord } from './record.ts';
import type { AcceptedRecords, TeamRecord } from './sealer.ts';
import { SealError } from './sealer.ts';
import type { TeamStore } from './team-store.ts';

interface Known {
  readonly record: SignedRecord;
  readonly bytes: Uint8Array;
}

export class RecordSet {
  readonly #team: { readonly team: string; readonly teamKey: Uint8Array };
  readonly #store: TeamStore;
  readonly #known = new Map<string, Known>();
  readonly #unsent = new Set<string>();
  /** A crash cut off the last line. */
  #isTorn: boolean;

  constructor(team: { readonly team: string; readonly teamKey: Uint8Array }, store: TeamStore) {
    this.#team = team;
    this.#store = store;
    const text = store.read('records.jsonl') ?? '';
    for (const line of text.split('\n')) this.#readLine(line);
    this.#isTorn = text !== '' && !text.endsWith('\n');
  }

  records(): readonly SignedRecord[] {
    return [...this.#known.values()].map(({ record }) => record);
  }

  all(): readonly TeamRecord[] {
    return [...this.#known].map(([id, { bytes }]) => ({ id, bytes }));
  }

  unsent(): readonly TeamRecord[] {
    return [...this.#unsent].map((id) => ({ id, bytes: this.#known.get(id)!.bytes }));
  }

  /** Adds records made here. Returns them. */
  async make(made: readonly EncodedRecord[]): Promise<readonly SignedRecord[]> {
    const added = made.filter(({ record }) => !this.#known.has(record.id));
    await this.#append(added.map(({ bytes }) => ({ made: Buffer.from(bytes).toString('base64') })));
    for (const { record, bytes } of added) {
      this.#known.set(record.id, { record, bytes });
      this.#unsent.add(record.id);
    }
    return added.map(({ record }) => record);
  }

  /** Adds records of the shared log. */
  async accept(
    given: readonly Uint8Array[],
  ): Promise<AcceptedRecords & { readonly records: readonly SignedRecord[] }> {
    const added = new Map<string, Known>();
    const refused: { index: number; error: SealError }[] = [];
    for (const [index, bytes] of given.entries())
      try {
        // A copy: the caller's bytes may be part of a larger buffer.
        const record = decodeRecord(bytes, this.#team)!;
        if (!this.#known.has(record.id)) added.set(record.id, { record, bytes: Buffer.from(bytes) });
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        refused.push({ index, error });
      }
    await this.#append(
      [...added.values()].map(({ bytes }) => ({ taken: Buffer.from(bytes).toString('base64') })),
    );
    for (const [id, known] of added) this.#known.set(id, known);
    return { added: added.size, refused, records: [...added.values()].map(({ record }) => record) };
  }

  async acknowledged(ids: readonly string[]): Promise<void> {
    const sent = ids.filter((id) => this.#unsent.has(id));
    await this.#append(sent.length === 0 ? [] : [{ sent }]);
    for (const id of sent) this.#unsent.delete(id);
  }

  async #append(lines: readonly Line[]): Promise<void> {
    if (lines.length === 0) return;
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const whole = this.#isTorn ? `\n${text}` : text;
    // A full disk may take a part of it.
    this.#isTorn = true;
    await this.#store.append('records.jsonl', whole);
    this.#isTorn = false;
  }

  /** A last line that a crash cut off was never acknowledged. Any other damage loses a record, which comes again. */
  #readLine(text: string): void {
    const line = parsedLine(text);
    for (const id of line?.sent ?? []) this.#unsent.delete(id);
    const encoded = line?.made ?? line?.taken;
    if (encoded === undefined) return;
    const bytes = Buffer.from(encoded, 'base64');
    try {
      const record = decodeRecord(bytes, this.#team)!;
      this.#known.set(record.id, { record, bytes });
      if (line?.made !== undefined) this.#unsent.add(record.id);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
    }
  }
}

interface Line {
  /** A record as base64, made here or taken from the shared log. */
  readonly made?: string;
  readonly taken?: string;
  /** Ids of records that the shared log has acknowledged. */
  readonly sent?: readonly string[];
}

function parsedLine(text: string): Line | null {
  try {
    return JSON.parse(text) as Line | null;
  } catch {
    return null;
  }
}
