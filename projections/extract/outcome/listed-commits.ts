// The commits that git listed. What was committed elsewhere is known from there only.
import { gitCalls } from '../shell/known-commands.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';

const SUBJECTS_MAX = 20;
/** `1a2b3c4 (HEAD -> main) Subject`; rtk adds an age. A number without a letter is a date. */
const LISTED = /^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,40} (?:\([^)\n]*\) )?(\S.*?)(?: \(\d+ \w+ ago\).*)?$/gm;
/** What leaves `git log` a list of the newest commits that are checked out. */
const KEEPS_NEWEST = /^(?:-\d+|-n\d*|\d+|--max-count(?:=\d+)?|--oneline|--stat|--(?:no-)?decorate(?:=\w+)?)$/;

/** The subjects of the last list, the newest first. */
export function listedCommits(toolUses: readonly ToolUse[]): readonly string[] {
  const tail = toolUses.findLast(listsNewest)?.tail ?? '';
  return [...tail.matchAll(LISTED)].map(([, subject]) => subject!).slice(0, SUBJECTS_MAX);
}

function listsNewest({ command, outcome }: ToolUse): boolean {
  const calls = command === null || outcome !== 'ok' ? [] : gitCalls(command.whole);
  const lists = calls.filter(({ name }) => name === 'log' || name === 'show');
  const [log] = lists;
  return lists.length === 1 && log!.name === 'log' && log!.words.every((word) => KEEPS_NEWEST.test(word));
}
