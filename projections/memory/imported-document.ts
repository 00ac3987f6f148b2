// Makes the document of an imported memory from all its versions.
import type { MemoryDocument } from '../documents/document.ts';
import { newestVersion } from '../sessions/saved-row.ts';
import type { ImportedRow } from '../sessions/session-rows.ts';
import { oneLine } from './turn-documents.ts';

const FILES_MAX = 50;

/** Null when no version is left. */
export function importedDocument(versions: readonly ImportedRow[]): MemoryDocument | null {
  const newest = newestVersion(versions);
  if (newest === undefined) return null;
  const { id, agent, session, at, workdir, body } = newest;
  const { kind, type, files, concepts } = body;
  const text = textOf(body);
  const title = oneLine(body.title ?? text);
  return {
    id,
    kind: 'imported',
    type: type ?? kind,
    title,
    body: text,
    files: files.slice(0, FILES_MAX),
    concepts,
    neighbours: [],
    workdir,
    agent,
    session,
    turn: null,
    agentId: null,
    at,
    order: `${String(at ?? 0).padStart(14, '0')} ${id}`,
    tokens: Math.ceil((title.length + text.length) / 4),
    outcome: null,
    events: versions.map(({ event }) => event).sort(),
  };
}

/** The text, then each part after its name: `Next steps: …`. */
function textOf({ text, parts, concepts }: ImportedRow['body']): string {
  const named = parts.map(
    (part) => `${part.name.charAt(0).toUpperCase()}${part.name.slice(1)}: ${part.text}`,
  );
  return [text ?? '', ...named, concepts.join(', ')].filter((part) => part !== '').join('\n');
}
