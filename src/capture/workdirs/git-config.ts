// Reads a repository's remotes from git's config. It reads sections, quoted subsections, continued lines, comments and
// quoted values. It does not follow includes and insteadOf, because they depend on the rest of the machine.
//
//   section = "[" name [ " " quoted ] "]"    line = key [ "=" value ]    comment = ("#" | ";") …
import type { BodyInput } from '../../../log/index.ts';
import { normalizeRemoteUrl } from './remote-url.ts';

/** `url` is normalized: without user and password. */
export type Remote = NonNullable<BodyInput<'workdir.seen'>['remotes']>[number];

const REMOTES_MAX = 50;

/** Remotes sorted by name, with the first URL of each. */
export function remotesOf(config: string): Remote[] {
  const urls = new Map<string, string>();
  let remote: string | null = null;
  for (const line of joinedLines(config)) {
    const section = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/.exec(line);
    if (section !== null) remote = remoteName(section[1]!, section[2]);
    const rest = section === null ? line : section[3]!;
    const setting = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)$/.exec(rest);
    if (remote === null || setting === null || setting[1]!.toLowerCase() !== 'url' || urls.has(remote))
      continue;
    const url = normalizeRemoteUrl(settingValue(setting[2]!));
    if (url !== null && urls.size < REMOTES_MAX) urls.set(remote, url);
  }
  return [...urls]
    .map(([name, url]) => ({ name, url }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** `[remote "origin"]`, or the old `[remote.origin]`. */
function remoteName(section: string, subsection: string | undefined): string | null {
  if (subsection !== undefined)
    return section.toLowerCase() === 'remote' ? subsection.replace(/\\(.)/g, '$1') : null;
  return /^remote\.(.+)$/i.exec(section)?.[1] ?? null;
}

/** Lines, joining those that end in a backslash with the next. */
function joinedLines(config: string): string[] {
  return config.replace(/\\\r?\n/g, '').split(/\r?\n/);
}

function settingValue(raw: string): string {
  let value = '';
  let quoted = false;
  for (let index = 0; index < raw.length; index++) {
    const char = raw[index]!;
    if (char === '"') quoted = !quoted;
    else if (char === '\\' && index + 1 < raw.length) value += raw[++index];
    else if (!quoted && (char === '#' || char === ';')) break;
    else value += char;
  }
  return value.trim();
}
