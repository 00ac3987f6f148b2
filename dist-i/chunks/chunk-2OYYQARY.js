import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// src/capture/spool/files.ts
import { lstat as lstat2, readdir as readdir2, readFile as readFile2, unlink } from "node:fs/promises";
import { join as join2 } from "node:path";

// src/platform/atomic-file.ts
import { randomBytes } from "node:crypto";
import { open as open2, readFile, rename, rm as rm2 } from "node:fs/promises";
import { dirname } from "node:path";

// src/platform/files.ts
import { createReadStream, readFileSync } from "node:fs";
import { lstat, mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
async function list(path) {
  return (await entries(path)).map(({ name }) => name).sort();
}
async function folderBytes(path) {
  let bytes = 0;
  for (const entry of await entries(path)) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) bytes += await folderBytes(inner);
    else if (entry.isFile()) bytes += (await stat(inner))?.size ?? 0;
  }
  return bytes;
}
async function stat(path) {
  try {
    const found = await lstat(path, { bigint: true });
    return {
      kind: found.isFile() ? "file" : found.isDirectory() ? "folder" : found.isSymbolicLink() ? "link" : "other",
      size: Number(found.size),
      inode: Number(found.ino),
      modifiedNs: found.mtimeNs
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
function readInPlace(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
async function makeFolder(path) {
  await mkdir(path, { recursive: true, mode: 448 });
}
async function remove(path) {
  await rm(path, { recursive: true, force: true });
}
async function entries(path) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
function isMissing(error) {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

// src/platform/atomic-file.ts
async function writeAtomically(path, content) {
  const folder = dirname(path);
  await makeFolder(folder);
  const aside = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = await open2(aside, "wx", 384);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm2(aside, { force: true });
    throw error;
  }
  await syncFolder(folder);
}
async function readText(path) {
  try {
    return await readFile(path, "utf8");
  } catch {
    return void 0;
  }
}
async function syncFolder(path) {
  let folder;
  try {
    folder = await open2(path, "r");
  } catch (error) {
    if (process.platform === "win32") return;
    throw error;
  }
  try {
    await folder.sync();
  } catch (error) {
    if (process.platform !== "win32") throw error;
  } finally {
    await folder.close();
  }
}

// src/capture/spool/files.ts
function spoolFolders(home) {
  const spool = join2(home, "spool");
  return { tmp: join2(spool, "tmp"), new: join2(spool, "new"), bad: join2(spool, "bad") };
}
function inOrder(one, other) {
  if (one.modifiedNs !== other.modifiedNs) return one.modifiedNs < other.modifiedNs ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}
async function listSpool(folder) {
  const nothing = { files: [], foreign: 0 };
  try {
    for (const path of [join2(folder, ".."), folder]) {
      const found2 = await lstat2(path);
      if (!found2.isDirectory() || !isOurs(found2.uid))
        return { ...nothing, problem: `${path} is a link, no folder, or another user's` };
    }
    const names = (await readdir2(folder)).sort();
    const found = await inGroups(names, (name) => look(folder, name));
    const files = found.filter((one) => one !== null && one !== "foreign").sort(inOrder);
    return { files, foreign: found.filter((one) => one === "foreign").length, problem: null };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { ...nothing, problem: null };
    return { ...nothing, problem: `${folder} cannot be read (${codeOf(error)})` };
  }
}
async function look(folder, name) {
  const path = join2(folder, name);
  try {
    const found = await lstat2(path, { bigint: true });
    if (!found.isFile() || !isOurs(Number(found.uid))) return "foreign";
    return { name, path, bytes: Number(found.size), modifiedNs: found.mtimeNs };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    return "foreign";
  }
}
var spoolFiles = {
  list: listSpool,
  read: (path) => readFile2(path),
  write: writeAtomically,
  remove: (path) => unlink(path)
};
var GROUP = 64;
async function inGroups(items, act) {
  const results = [];
  for (let at = 0; at < items.length; at += GROUP)
    results.push(...await Promise.all(items.slice(at, at + GROUP).map(act)));
  return results;
}
function codeOf(error) {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
function isOurs(owner) {
  const user = process.getuid?.();
  return user === void 0 || user === owner;
}

export {
  list,
  folderBytes,
  readInPlace,
  makeFolder,
  remove,
  writeAtomically,
  readText,
  syncFolder,
  spoolFolders,
  inOrder,
  spoolFiles,
  inGroups,
  codeOf
};
//# sourceMappingURL=chunk-2OYYQARY.js.map
