// Names the origin of an imported memory. The name is a digest: it outlives the memory when that is forgotten, and an
// original id may be a file's path or a name that a person chose.
import { hash } from 'node:crypto';

export interface ImportOrigin {
  readonly tool: string;
  readonly installation: string | null;
  readonly kind: string;
  readonly originalId: string;
}

/** 32 hex digits. */
export function importOrigin({ tool, installation, kind, originalId }: ImportOrigin): string {
  return hash('sha256', JSON.stringify([tool, installation, kind, originalId])).slice(0, 32);
}

/** The dedupe key of a version, counted from 1. */
export function importKey(origin: string, version: number): string {
  return `${origin}:${version}`;
}

/** The origin in a dedupe key: the same for all versions. */
export function originInKey(dedupeKey: string): string {
  return dedupeKey.replace(/:\d+$/, '');
}
