import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  redactText
} from "./chunk-JGLDXPJ5.js";

// src/places/see-place.ts
import { isAbsolute, join as join2, parse, resolve } from "node:path";

// src/places/remote-url.ts
function normalizeRemoteUrl(url) {
  const text = url.trim();
  if (text === "" || text.length > 2048 || /[\u0000-\u001f]/.test(text)) return null;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text);
  if (address !== null) return fromUrl(address[0].toLowerCase(), text.slice(address[0].length));
  if (/^(?:[A-Za-z]:[\\/]|[/~]|\\\\)/.test(text)) return localPath(text);
  const scp = /^(?:[^/]*@)?(\[[^\]]+\]|[^/:@\s]+):(?!\/\/)(.+)$/.exec(text);
  return scp === null ? null : joined(scp[1], scp[2]);
}
function fromUrl(scheme, rest) {
  if (scheme === "file://") return localPath(rest.replace(/^[^/]*/, ""));
  const slash = rest.search(/[/?#]/);
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const path = slash < 0 ? "" : rest.slice(slash).replace(/[?#].*$/s, "");
  const late = path.lastIndexOf("@");
  if (late >= 0 && !authority.includes("@") && !/^(?:[\w-]+\.)+[\w-]+(?::\d+)?$/.test(authority))
    return fromUrl(scheme, path.slice(late + 1));
  return joined(authority.slice(authority.lastIndexOf("@") + 1), path);
}
var DEFAULT_PORTS = /:(?:22|80|443|9418)$/;
function joined(host, path) {
  const name = host.toLowerCase().replace(DEFAULT_PORTS, "").replace(/^(?:www|ssh)\.(?=github\.com$)/, "");
  const trimmed = path.replace(/^\/+|\/+$/g, "").replace(/\.git$/i, "").replace(/\/+/g, "/");
  if (name === "" || trimmed === "") return null;
  return `${name}/${trimmed}`;
}
function localPath(path) {
  return `file:${path.replaceAll("\\", "/").replace(/\/+$/, "").replace(/\/\.git$/, "")}`;
}

// src/places/git-config.ts
var REMOTES_MAX = 50;
function remotesOf(config) {
  const urls = /* @__PURE__ */ new Map();
  let remote = null;
  for (const line of joinedLines(config)) {
    const section = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/.exec(line);
    if (section !== null) remote = remoteName(section[1], section[2]);
    const rest = section === null ? line : section[3];
    const setting = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)$/.exec(rest);
    if (remote === null || setting === null || setting[1].toLowerCase() !== "url" || urls.has(remote))
      continue;
    const url = normalizeRemoteUrl(settingValue(setting[2]));
    if (url !== null && urls.size < REMOTES_MAX) urls.set(remote, url);
  }
  return [...urls].map(([name, url]) => ({ name, url })).sort((one, other) => one.name < other.name ? -1 : 1);
}
function remoteName(section, subsection) {
  if (subsection !== void 0)
    return section.toLowerCase() === "remote" ? subsection.replace(/\\(.)/g, "$1") : null;
  return /^remote\.(.+)$/i.exec(section)?.[1] ?? null;
}
function joinedLines(config) {
  return config.replace(/\\\r?\n/g, "").split(/\r?\n/);
}
function settingValue(raw) {
  let value = "";
  let quoted = false;
  for (let index = 0; index < raw.length; index++) {
    const char = raw[index];
    if (char === '"') quoted = !quoted;
    else if (char === "\\" && index + 1 < raw.length) value += raw[++index];
    else if (!quoted && (char === "#" || char === ";")) break;
    else value += char;
  }
  return value.trim();
}

// src/places/proposal.ts
import { join } from "node:path";
var FILE_BYTES_MAX = 64 * 1024;
var SUBPROJECTS_MAX = 200;
var NAME_CHARS_MAX = 80;
function proposalAt(root, files) {
  const text = files.readText(join(root, ".annals.json"), FILE_BYTES_MAX);
  if (text === null) return null;
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { name, subprojects } = value;
  const proposal = {
    name: displayName(name),
    subprojects: (Array.isArray(subprojects) ? subprojects.slice(0, SUBPROJECTS_MAX) : []).flatMap(
      subproject
    )
  };
  return proposal.name === null && proposal.subprojects.length === 0 ? null : proposal;
}
function subproject(entry) {
  const { path, name } = typeof entry === "string" ? { path: entry } : entry ?? {};
  const inside = typeof path === "string" ? pathInside(path) : null;
  return inside === null ? [] : [{ path: inside, name: displayName(name) }];
}
function pathInside(path) {
  if (path.length > 512 || /^(?:[A-Za-z]:|[\\/~])/.test(path) || /[\u0000-\u001f]/.test(path)) return null;
  const parts = redactText(path).split(/[\\/]+/).filter((part) => part !== "" && part !== ".");
  return parts.length === 0 || parts.includes("..") ? null : redactText(parts.join("/"));
}
function displayName(name) {
  if (typeof name !== "string") return null;
  const plain = name.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069<>]/g, "").trim();
  return plain === "" ? null : redactText(plain).slice(0, NAME_CHARS_MAX);
}

// src/places/see-place.ts
var CONFIG_BYTES_MAX = 1024 * 1024;
var POINTER_BYTES_MAX = 8 * 1024;
var LEVELS_MAX = 100;
function seePlace(cwd, files) {
  if (!isAbsolute(cwd) || files.kind(cwd) !== "folder") return null;
  const repository = repositoryAround(cwd, files);
  if (repository === null) return { cwd: redactText(cwd) };
  const { root, gitDir } = repository;
  const commonDir = commonDirOf(gitDir, files);
  const superproject = superprojectOf(root, commonDir, files);
  return {
    cwd: redactText(cwd),
    root: redactText(root),
    commonDir: redactText(files.realPath(commonDir)),
    worktree: commonDir !== gitDir,
    superproject: superproject === null ? null : redactText(superproject),
    remotes: remotesIn(commonDir, files),
    proposal: proposalAt(root, files)
  };
}
function repositoryAround(from, files) {
  let folder = resolve(from);
  for (let level = 0; level < LEVELS_MAX; level++) {
    const gitDir = gitDirAt(folder, files);
    if (gitDir !== null) return { root: folder, gitDir };
    const above = parse(folder).dir;
    if (above === folder || above === "") return null;
    folder = above;
  }
  return null;
}
function gitDirAt(folder, files) {
  const entry = join2(folder, ".git");
  const kind = files.kind(entry);
  if (kind === null) return null;
  if (kind === "folder") return isGitDir(entry, files) ? entry : null;
  const pointed = /^gitdir:\s*(.+?)\s*$/m.exec(files.readText(entry, POINTER_BYTES_MAX) ?? "")?.[1];
  if (pointed === void 0) return null;
  const gitDir = resolve(folder, pointed);
  return isGitDir(gitDir, files) ? gitDir : null;
}
function isGitDir(path, files) {
  return files.kind(join2(path, "HEAD")) === "file";
}
function commonDirOf(gitDir, files) {
  const pointed = files.readText(join2(gitDir, "commondir"), POINTER_BYTES_MAX)?.trim();
  return pointed === void 0 || pointed === "" ? gitDir : resolve(gitDir, pointed);
}
function superprojectOf(root, commonDir, files) {
  if (!/[\\/]modules[\\/]/.test(commonDir)) return null;
  const above = parse(root).dir;
  const holder = above === root ? null : repositoryAround(above, files);
  if (holder === null) return null;
  const modules = join2(commonDirOf(holder.gitDir, files), "modules");
  return files.realPath(commonDir).startsWith(files.realPath(modules)) ? holder.root : null;
}
function remotesIn(commonDir, files) {
  const remotes = remotesOf(files.readText(join2(commonDir, "config"), CONFIG_BYTES_MAX) ?? "");
  return remotes.map(({ name, url }) => ({ name: redactText(name), url: redactText(url) }));
}

// src/platform/place-files.ts
import { readFileSync, realpathSync, statSync } from "node:fs";
var placeFiles = {
  /** What stands at a path, links followed; null when nothing does. */
  kind(path) {
    try {
      const found = statSync(path);
      return found.isDirectory() ? "folder" : found.isFile() ? "file" : null;
    } catch {
      return null;
    }
  },
  /** null for what is larger than `bytesMax` or cannot be read. */
  readText(path, bytesMax) {
    try {
      return statSync(path).size > bytesMax ? null : readFileSync(path, "utf8");
    } catch {
      return null;
    }
  },
  /** The path with links resolved; the path itself when that fails. */
  realPath(path) {
    try {
      return realpathSync(path);
    } catch {
      return path;
    }
  }
};

export {
  seePlace,
  placeFiles
};
//# sourceMappingURL=chunk-OPKWVCNO.js.map
