// The head beside the log: a small file outside LevelDB that says how far the log had come. LevelDB drops
// the end of a damaged write-ahead file without a word (measured: one flipped byte, the last batch gone);
// only something written elsewhere can tell. A head that the log no longer holds is evidence, so it stays
// until someone says that the loss is accepted.
import type { Anchor } from './event.ts';
import type { LogFiles, VerifyProblem } from './log.ts';

export async function readHeadFile(files: LogFiles, path: string): Promise<Anchor | 'unreadable' | null> {
  const text = await files.readText(path);
  if (text === undefined) return null;
  try {
    const head: unknown = JSON.parse(text);
    return isAnchor(head) ? head : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

export async function writeHeadFile(files: LogFiles, path: string, head: Anchor): Promise<void> {
  await files.writeAtomically(path, `${JSON.stringify(head)}\n`);
}

/** What the head beside the log says about the log; null when they agree or there is none. */
export function headProblem(
  written: Anchor | 'unreadable' | null,
  standing: 'held' | 'ahead' | 'foreign',
  found: number,
): VerifyProblem | null {
  if (written === null) return null;
  if (written === 'unreadable')
    return { kind: 'head', position: null, message: 'the head beside the log cannot be read' };
  if (standing === 'held') return null;
  const message =
    standing === 'ahead'
      ? `log lost its tail: ${count(found)} of ${count(written.position)}`
      : `the head beside the log was written by another log or the log changed below position ${count(written.position)}`;
  return { kind: 'head', position: written.position, message };
}

function isAnchor(value: unknown): value is Anchor {
  if (typeof value !== 'object' || value === null) return false;
  const anchor = value as Record<string, unknown>;
  return (
    typeof anchor.logId === 'string' &&
    typeof anchor.chain === 'string' &&
    typeof anchor.position === 'number' &&
    Number.isSafeInteger(anchor.position)
  );
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
