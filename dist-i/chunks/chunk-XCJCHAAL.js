import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  randomBytes
} from "./chunk-MP3YNJYS.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";

// src/platform/home.ts
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
var OPEN_TO_OTHERS = 63;
async function openHome(path, userId = currentUser()) {
  await create(path);
  await check(path, userId);
  await tryWrite(path);
  return path;
}
async function create(path) {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 448 });
    await mkdir(path, { mode: 448 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw failure(path, "could not be made", error);
  }
}
async function check(path, userId) {
  const found = await lstat(path).catch((error) => {
    throw failure(path, "could not be looked at", error);
  });
  if (found.isSymbolicLink())
    throw invalid(path, "is a link", "Set ANNALS_HOME to the folder itself, or remove the link.");
  if (!found.isDirectory())
    throw invalid(path, "is no folder", "Move the file away, or set ANNALS_HOME to another folder.");
  if (userId === null) return;
  if (found.uid !== userId)
    throw invalid(path, "belongs to another user", "Set ANNALS_HOME to a folder of your own.");
  if ((found.mode & OPEN_TO_OTHERS) !== 0)
    throw invalid(path, "is open to others", `Close it: chmod 700 ${JSON.stringify(path)}`);
}
async function tryWrite(path) {
  const probe = join(path, `.probe-${Buffer.from(randomBytes(6)).toString("hex")}`);
  try {
    await writeFile(probe, "annals", { flag: "wx", mode: 384 });
  } catch (error) {
    throw failure(path, "cannot be written", error);
  } finally {
    await rm(probe, { force: true }).catch(() => void 0);
  }
}
function currentUser() {
  return process.getuid?.() ?? null;
}
function invalid(path, what, hint) {
  return new AnnalsError("HOME_INVALID", `The home ${path} ${what}.`, { hint, facts: { home: path } });
}
function failure(path, what, error) {
  const found = codeOf(error);
  const [code, why, hint] = reasons[found] ?? [
    "HOME_UNWRITABLE",
    found,
    "Set ANNALS_HOME to another folder."
  ];
  return new AnnalsError(code, `The home ${path} ${what}: ${why}.`, {
    hint,
    facts: { home: path, system: found },
    cause: error
  });
}
var reasons = {
  ENOSPC: [
    "DISK_FULL",
    "the disk is full",
    "Free some space, or set ANNALS_HOME to a folder on another disk."
  ],
  EDQUOT: ["DISK_FULL", "the quota is used up", "Free some space, or set ANNALS_HOME to another disk."],
  EACCES: ["HOME_UNWRITABLE", "permission denied", "Set ANNALS_HOME to a folder that you may write."],
  EPERM: ["HOME_UNWRITABLE", "not permitted", "Set ANNALS_HOME to a folder that you may write."],
  EROFS: ["HOME_UNWRITABLE", "the disk is read-only", "Set ANNALS_HOME to a folder on another disk."],
  ENOTDIR: ["HOME_INVALID", "something above it is no folder", "Set ANNALS_HOME to another folder."]
};
function codeOf(error) {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

export {
  openHome
};
//# sourceMappingURL=chunk-XCJCHAAL.js.map
