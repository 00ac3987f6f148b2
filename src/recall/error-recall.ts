// How an error was fixed before: an earlier run of the same kind of command failed with the same error, something was
// changed, and the same command passed. Nothing else is recalled, so the evidence is what is quoted.
import {
  type Failure,
  failedAlike,
  failureOf,
  type ItemRow,
  type MemoryDocument,
  type ProvenFix,
  provenFix,
  sessionKeys,
  TurnTranscript,
} from '../../projections/index.ts';
import type { RecallForError } from '../api/recall.ts';
import { mostInformative, pieceOf } from '../brief/lines/informative-text.ts';
import type { ReadHome } from '../home/home.ts';
import type { NamedProjectIndex } from '../home/home-projects.ts';
import { evidenceInHome } from '../search/search-home.ts';
import { sentencesOfAnswer } from './item-text.ts';
import type { Recalled } from './recalled.ts';

const FAILURES_READ = 12;
/** A turn is read whole to find what was changed. */
const TURNS_READ = 3;
const SHELL = 'Bash';
const SAID_CHARS_MAX = 240;
const BACKSLASH = /\\/g;

export async function recallForError(
  { command, error, session, without = [] }: RecallForError,
  projects: readonly NamedProjectIndex[],
  home: ReadHome,
): Promise<readonly Recalled[]> {
  const failure = failureOf(SHELL, command, error);
  if (failure === null) return [];
  const left = new Set(without);
  const passes = (document: MemoryDocument) =>
    document.kind === 'tool' &&
    document.outcome === 'failed' &&
    document.turn !== null &&
    (session === undefined || document.session !== session) &&
    !left.has(document.id);
  const asked = `${failure.kinds.join(' ')} ${failure.error}`;
  const found = await evidenceInHome(asked, projects, { limit: FAILURES_READ, passes, folds: false }, home);
  const turns = new Map<string, TurnTranscript>();
  // The newest first: an older fix may not hold any more.
  const newest = [...found].sort((a, b) => (b.document.at ?? 0) - (a.document.at ?? 0));
  for (const { document } of newest) {
    if (!mayBeAlike(document, failure)) continue;
    const key = `${document.session} ${document.turn}`;
    const turn = turns.get(key) ?? (turns.size < TURNS_READ ? await turnOf(document, home) : null);
    if (turn === null) break;
    turns.set(key, turn);
    const index = turn.toolUses.findIndex(({ id }) => id === document.id);
    if (index < 0 || !failedAlike(turn.toolUses[index]!, failure)) continue;
    const fix = provenFix(turn.toolUses, index, failure);
    if (fix !== null) return [quotedFix(document, fix, failure, turn)];
  }
  return [];
}

/** Without reading its turn: the error is in the document's body. */
function mayBeAlike({ body }: MemoryDocument, { error }: Failure): boolean {
  const [word = ''] = [...error.matchAll(/[\p{L}_]{4,}/gu)]
    .map(([one]) => one)
    .sort((a, b) => b.length - a.length);
  return body.toLowerCase().includes(word.toLowerCase());
}

async function turnOf(
  { agent, session, turn, workdir }: MemoryDocument,
  { views }: ReadHome,
): Promise<TurnTranscript> {
  const transcript = new TurnTranscript(workdir);
  const rows = await views.turns.range<ItemRow>(sessionKeys.itemsOfTurn(agent, session!, turn!));
  for (const [, row] of rows) transcript.change(row.id, row);
  transcript.settle();
  return transcript;
}

function quotedFix(
  document: MemoryDocument,
  { failed, passed, files, commands }: ProvenFix,
  { error }: Failure,
  { messages }: TurnTranscript,
): Recalled {
  const changed = [
    ...(files.length === 0
      ? []
      : [`edits to ${files.map((path) => path.replace(BACKSLASH, '/')).join(', ')}`]),
    ...commands.map((command) => `\`${command}\``),
  ].join(' and ');
  const fact = `\`${failed.command!.short}\` failed: ${error} → passed after ${changed}`;
  const said = messages.filter(({ order }) => order > failed.order).map(({ text }) => text);
  const names = [...files.map((path) => path.split(/[\\/]/).at(-1)!), ...error.split(/\s+/)];
  const pieces = said
    .flatMap(sentencesOfAnswer)
    .map((text) =>
      pieceOf(text, names.filter((name) => name.length > 3 && text.includes(name)).length - 0.5),
    );
  return {
    document: passed.at === null ? document : { ...document, at: passed.at },
    voice: 'record',
    within(charsMax) {
      const room = Math.min(SAID_CHARS_MAX, charsMax - fact.length - 12);
      const words =
        room < 40
          ? ''
          : mostInformative(
              '',
              pieces.filter(({ weight }) => weight > 0),
              room,
            );
      return words === '' ? fact : `${fact}. [agent] ${words}`;
    },
  };
}
