// `.annals.json` at a repository's root: a display name and sub-projects that the repository proposes for itself.
//   {"name": "Shop", "subprojects": [{"path": "packages/api", "name": "api"}, "packages/web"]}
// Anyone who sends a pull request can write this file, so it may only describe its own folders: paths stay inside the
// root, names are short plain text, and the projects view never merges projects because of them.
import { join } from 'node:path';
import { type BodyInput, parseJson } from '../../../log/index.ts';
import { redactText } from '../redact/index.ts';
import type { RepositoryFiles } from './repository-files.ts';

export type Proposal = NonNullable<BodyInput<'workdir.seen'>['proposal']>;

const FILE_BYTES_MAX = 64 * 1024;
const SUBPROJECTS_MAX = 200;
const NAME_CHARS_MAX = 80;

/** What the file at the root proposes. Null when there is none or it has nothing usable. */
export function proposalAt(root: string, files: RepositoryFiles): Proposal | null {
  const text = files.readText(join(root, '.annals.json'), FILE_BYTES_MAX);
  if (text === null) return null;
  const parsed = parseJson(text);
  if ('problem' in parsed) return null;
  const { value } = parsed;
  if (typeof value !== 'object' || value === null) return null;
  const { name, subprojects } = value as { name?: unknown; subprojects?: unknown };
  const proposal = {
    name: displayName(name),
    subprojects: (Array.isArray(subprojects) ? subprojects.slice(0, SUBPROJECTS_MAX) : []).flatMap(
      subproject,
    ),
  };
  return proposal.name === null && proposal.subprojects.length === 0 ? null : proposal;
}

function subproject(entry: unknown): { path: string; name: string | null }[] {
  const { path, name } = (typeof entry === 'string' ? { path: entry } : (entry ?? {})) as {
    path?: unknown;
    name?: unknown;
  };
  const inside = typeof path === 'string' ? pathInside(path) : null;
  return inside === null ? [] : [{ path: inside, name: displayName(name) }];
}

/** `./packages//api/` → `packages/api`. Null for the root itself and for anything outside it. */
function pathInside(path: string): string | null {
  if (path.length > 512 || /^(?:[A-Za-z]:|[\\/~])/.test(path) || /[\u0000-\u001f]/.test(path)) return null;
  // Redact before splitting too: a backslash that becomes a slash can hide a secret's format.
  const parts = redactText(path)
    .split(/[\\/]+/)
    .filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? null : redactText(parts.join('/'));
}

function displayName(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  const plain = name.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069<>]/g, '').trim();
  return plain === '' ? null : redactText(plain).slice(0, NAME_CHARS_MAX);
}
