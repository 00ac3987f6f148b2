// Exports forged by someone who knows the format: chain and manifest are valid, the content of the events is not.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sealExported } from '../../log/format/exported-event.ts';
import { genesis, type Header, hexOf } from '../../log/format/record.ts';
import { type ExportedEvent, eventId, exportedLine, parseExportedLine, StoredBody } from '../../log/index.ts';

export type Forged = Pick<ExportedEvent, 'header' | 'body'>;

/** Rewrites an export with other events, in one segment. */
export function forgeExport(
  from: string,
  to: string,
  change: (events: readonly ExportedEvent[]) => readonly Forged[],
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const manifest = JSON.parse(readFileSync(join(from, 'manifest.json'), 'utf8'));
  const lines = readdirSync(from)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(from, name), 'utf8').trimEnd().split('\n'));
  const events = lines.map(parseExportedLine).filter((event) => typeof event !== 'string');
  let chain = genesis(manifest.logId);
  const forged = change(events).map(({ header, body }, index) => {
    const named: Header = { ...header, id: eventId(header as unknown as Parameters<typeof eventId>[0]) };
    chain = sealExported({ header: named, body }, chain).chain;
    return exportedLine({ position: index + 1, header: named, chain, body });
  });
  const text = `${forged.join('\n')}\n`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  const name = `events-000000000001-${sha256.slice(0, 8)}.jsonl`;
  const head = { position: forged.length, chain: hexOf(chain) };
  const segment = {
    name,
    first: 1,
    last: forged.length,
    events: forged.length,
    bytes: Buffer.byteLength(text),
  };
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, name), text);
  writeFileSync(
    join(to, 'manifest.json'),
    JSON.stringify({
      ...manifest,
      head,
      events: forged.length,
      segments: [{ ...segment, sha256, chain: head.chain }],
      ...fields,
    }),
  );
}

/** The event with other header fields, and optionally another body. */
export function forged(event: Forged, header: Partial<Header>, json?: string): Forged {
  const body = json === undefined ? event.body : StoredBody.of(Buffer.alloc(16, 7), json);
  return { header: { ...event.header, ...header }, body };
}
