// Finds transcripts and imports them one after the other (import-file.ts). Unreadable files are noted, and the rest is
// imported.
import type { Agent } from '../agents/common/agent.ts';
import { sanitizerOf } from '../agents/common/sanitizer.ts';
import { type Launchers, SubagentFiles } from '../agents/common/subagent-files.ts';
import { AGENTS, isDocumentTranscript, mayBeTranscript } from '../agents/index.ts';
import type { ImportProgress } from '../api/import.ts';
import { loadPrivatePrompts } from '../capture/private/private-prompts.ts';
import { TRANSCRIPT_CLIP_BYTES } from '../capture/text/clip.ts';
import { discover, type FoundFile, type Unreadable } from '../capture/transcripts/discover.ts';
import { type FileImport, type FileRun, type ImportedFile, importFile } from './import-file.ts';

export interface TranscriptImport extends FileImport {
  /** All that are known; without the descriptions in a home, the built-in ones. */
  readonly agents?: readonly Agent[];
  /** Files and folders; folders are searched for transcripts at any depth. */
  readonly paths: readonly string[];
  /** Files that were already found, in the order to read them; replaces `paths`. */
  readonly files?: readonly FoundFile[];
  /** Of the sub-agents in earlier runs; this run adds its own. */
  readonly launchers?: Launchers;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface TranscriptImportReport {
  readonly files: readonly ImportedFile[];
  readonly unreadable: readonly Unreadable[];
  /** False when the signal stopped the run. */
  readonly complete: boolean;
}

/** @throws AnnalsError of the log (DISK_FULL, LOG_CLOSED); never because of what a file holds. */
export async function importTranscripts(request: TranscriptImport): Promise<TranscriptImportReport> {
  const { agents = AGENTS } = request;
  const found =
    request.files === undefined
      ? await discover(
          request.paths,
          (path) => mayBeTranscript(path, agents) || isDocumentTranscript(path, agents),
        )
      : null;
  const files = request.files ?? found?.files ?? [];
  const unreadable: Unreadable[] = [...(found?.unreadable ?? [])];
  const bytesTotal = files.reduce((sum, file) => sum + file.bytes, 0);
  const run: FileRun = {
    ...request,
    agents,
    sanitizer: sanitizerOf(TRANSCRIPT_CLIP_BYTES),
    privatePrompts: await loadPrivatePrompts(request.log),
    subagents: new SubagentFiles(request.launchers),
  };
  const imported: ImportedFile[] = [];
  let filesDone = 0;
  let bytesBefore = 0;
  /** Returns the files that come when the files of sessions have been read. */
  const importEach = async (part: readonly FoundFile[]) => {
    const postponed: FoundFile[] = [];
    for (const file of part) {
      if (request.signal?.aborted === true) break;
      const progress = (bytes: number) =>
        request.onProgress?.({
          filesDone,
          filesTotal: files.length,
          bytesDone: bytesBefore + Math.min(bytes, file.bytes),
          bytesTotal,
          file: file.path,
        });
      progress(0);
      const outcome = await importFile(run, file.path, progress);
      if (outcome === null) {
        postponed.push(file);
        continue;
      }
      filesDone += 1;
      bytesBefore += file.bytes;
      progress(0);
      if ('reason' in outcome) unreadable.push(outcome);
      else imported.push(outcome);
    }
    return postponed;
  };
  run.subagents.areDue = false;
  const postponed = await importEach(files);
  run.subagents.areDue = true;
  await importEach(postponed);
  return { files: imported, unreadable, complete: request.signal?.aborted !== true };
}
