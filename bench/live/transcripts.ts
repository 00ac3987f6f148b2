// Writes synthetic Claude Code transcripts: sessions of about twenty turns, with a long one now and then, in a dozen
// projects. A turn makes about nine records: the prompt, three answers, three tool uses, the observation and its summary.
// Words come from the scale bench with natural frequencies, so that a query has both rare terms and terms that occur in
// half of all records.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from '../../tests/helpers/transcripts.ts';
import { record } from '../scale/records.ts';

/** How many records a turn makes. */
export const RECORDS_PER_TURN = 9;
/** Texts of a turn: each is the body of one record of the scale bench. */
const TEXTS_PER_TURN = 7;
const TURNS = 20;
const LONG_TURNS = 120;
const LONG_EVERY = 25;
const PROJECTS = 12;

export function cwdOf(session: number): string {
  return `/home/someone/projects/number-${session % PROJECTS}`;
}

/**
 * Writes sessions into a folder until they make this many records.
 * @param first number of the first session; other numbers give other sessions with other texts
 * @returns the number of sessions
 */
export function writeTranscripts(folder: string, records: number, first: number): number {
  let turns = Math.ceil(records / RECORDS_PER_TURN);
  let session = first;
  for (; turns > 0; session++) {
    const length = Math.min(turns, session % LONG_EVERY === LONG_EVERY - 1 ? LONG_TURNS : TURNS);
    turns -= length;
    const id = `5f0c7d1e-0000-4000-8000-${String(session).padStart(12, '0')}`;
    const below = join(folder, cwdOf(session).replaceAll('/', '-'));
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `${id}.jsonl`), transcript(id, session, length));
  }
  return session - first;
}

function transcript(id: string, session: number, turns: number): Buffer {
  const cwd = cwdOf(session);
  const script = new Script({
    session: id,
    cwd,
    firstUuid: session * 10_000 + 1,
    start: Date.UTC(2026, 0, 1) + session * 3_600_000,
  });
  for (let turn = 0; turn < turns; turn++) {
    let text = (session * LONG_TURNS + turn) * TEXTS_PER_TURN;
    const nextText = () => record(text++, 1, 0).body;
    const promptId = `prompt-${session}-${turn}`;
    const extra = { promptId };
    script.prompt(nextText(), extra);
    script.reply(nextText(), extra);
    for (const [tool, name] of (['Bash', 'Read', 'Bash'] as const).entries()) {
      const toolUse = `toolu_${session}_${turn}_${tool}`;
      const words = nextText();
      const input =
        name === 'Read'
          ? { file_path: `${cwd}/src/${words.split(' ')[0]}.ts` }
          : {
              command: `npm test -- ${words.split(' ').slice(0, 4).join(' ')}`,
              description: words.slice(0, 60),
            };
      script.use(toolUse, name, input, extra);
      const failed = (turn + tool) % 9 === 0;
      script.result(toolUse, failed ? `Error: ${words}` : words, extra, failed ? { is_error: true } : {});
    }
    script.reply(nextText(), extra);
    script.reply(nextText(), extra);
  }
  return script.bytes();
}
