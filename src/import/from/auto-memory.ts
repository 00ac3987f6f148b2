// Reads Claude Code's auto memory: the Markdown notes in <config>/projects/<slug>/memory, which Claude writes for itself.
// The slug is the project's folder with all but letters and digits replaced, so the folder cannot be read from it. A
// transcript beside the notes names it; notes without one belong to no project.
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { reasonOf } from '../../capture/transcripts/discover.ts';
import { firstFolder } from '../../capture/transcripts/first-folder.ts';
import { openRegularFile } from '../../platform/regular-file.ts';
import type { Finding } from './found-memory.ts';
import { readNotes } from './markdown.ts';

const MEMORY = 'memory';
/** How many transcripts are asked for their folder. */
const TRANSCRIPTS_MAX = 50;

/** @param path a folder named `memory`, the folder of a project, or the one with all projects */
export async function* readAutoMemory(path: string, tool: string): AsyncGenerator<Finding> {
  try {
    const real = await realpath(path);
    if (basename(real) === MEMORY) return yield* notesOf(dirname(real), tool);
    const folders = await foldersIn(real);
    if (folders.includes(MEMORY)) return yield* notesOf(real, tool);
    for (const project of folders) yield* notesOfEach(join(real, project), tool);
  } catch (error) {
    yield { unreadable: { path, reason: reasonOf(error) } };
  }
}

/** A project that cannot be read must not keep the others out. */
async function* notesOfEach(project: string, tool: string): AsyncGenerator<Finding> {
  try {
    if ((await foldersIn(project)).includes(MEMORY)) yield* notesOf(project, tool);
  } catch (error) {
    yield { unreadable: { path: project, reason: reasonOf(error) } };
  }
}

async function* notesOf(project: string, tool: string): AsyncGenerator<Finding> {
  const cwd = await folderOfProject(project);
  yield* readNotes(join(project, MEMORY), { tool, author: 'agent', sessionAgent: 'claude-code', cwd });
}

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
}

/** Null when no transcript names a folder that has this slug. */
async function folderOfProject(project: string): Promise<string | null> {
  const transcripts = (await readdir(project)).filter((name) => name.endsWith('.jsonl')).sort();
  for (const name of transcripts.slice(0, TRANSCRIPTS_MAX)) {
    const folder = await folderIn(join(project, name));
    if (folder !== null && folder.replace(/[^A-Za-z0-9]/g, '-') === basename(project)) return folder;
  }
  return null;
}

async function folderIn(transcript: string): Promise<string | null> {
  try {
    const file = await openRegularFile(transcript);
    try {
      return await firstFolder(file);
    } finally {
      await file.close();
    }
  } catch {
    // It cannot be read; another transcript may name the folder.
    return null;
  }
}
