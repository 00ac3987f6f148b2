// Normalizes a remote's address so that the same repository by ssh, https or git has one identity,
// `github.com/Owner/Name`. User, password and query are never part of it.

/**
 * `git@github.com:Owner/Name.git`, `https://user:token@GitHub.com/Owner/Name` → `github.com/Owner/Name`. Only the host
 * is lower-cased. An absolute path on this machine becomes `file:<path>`. Null when it is not an address, or is a
 * relative path, which names a different repository in every folder.
 */
export function normalizeRemoteUrl(url: string): string | null {
  const text = url.trim();
  if (text === '' || text.length > 2_048 || /[\u0000-\u001f]/.test(text)) return null;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text);
  if (address !== null) return fromUrl(address[0].toLowerCase(), text.slice(address[0].length));
  if (/^(?:[A-Za-z]:[\\/]|[/~]|\\\\)/.test(text)) return localPath(text);
  // scp form: [user@]host:path, where the host contains no slash.
  const scp = /^(?:[^/]*@)?(\[[^\]]+\]|[^/:@\s]+):(?!\/\/)(.+)$/.exec(text);
  return scp === null ? null : joined(scp[1]!, scp[2]!);
}

function fromUrl(scheme: string, rest: string): string | null {
  if (scheme === 'file://') return localPath(rest.replace(/^[^/]*/, ''));
  const slash = rest.search(/[/?#]/);
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const path = slash < 0 ? '' : rest.slice(slash).replace(/[?#].*$/s, '');
  // A password may contain @ and /, so text that looks like a host is not one if an @ follows it.
  const late = path.lastIndexOf('@');
  if (late >= 0 && !authority.includes('@') && !/^(?:[\w-]+\.)+[\w-]+(?::\d+)?$/.test(authority))
    return fromUrl(scheme, path.slice(late + 1));
  return joined(authority.slice(authority.lastIndexOf('@') + 1), path);
}

const DEFAULT_PORTS = /:(?:22|80|443|9418)$/;

function joined(host: string, path: string): string | null {
  const name = host
    .toLowerCase()
    .replace(DEFAULT_PORTS, '')
    .replace(/^(?:www|ssh)\.(?=github\.com$)/, '');
  const trimmed = path
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/i, '')
    .replace(/\/+/g, '/');
  if (name === '' || trimmed === '') return null;
  return `${name}/${trimmed}`;
}

function localPath(path: string): string {
  return `file:${path
    .replaceAll('\\', '/')
    .replace(/\/+$/, '')
    .replace(/\/\.git$/, '')}`;
}
