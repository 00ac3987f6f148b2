// Transcripts of Claude Code in the shape of real ones, as many as a bench asks for: sessions of some twenty turns
// and now and then a long one, in a dozen projects. Of a turn come about nine records: the prompt, three answers,
// three tool uses, what was observed and its summary. Words are those of the scale bench, each as often as in real
// text, so that a query meets both what is rare and what stands in half of all records.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from '../../tests/helpers/transcripts.ts';
import { record } from '../scale/records.ts';

/** Records that a turn comes to. */
export const RECORDS_PER_TURN = 9;
/** Texts of a turn: each is that of one record of the scale bench. */
const TEXTS_PER_TURN = 7;
const TURNS = 20;
const LONG_TURNS = 120;
const LONG_EVERY = 25;
const PROJECTS = 12;

export function cwdOf(session: number): string {
  return `/home/someone/projects/number-${session % PROJECTS}`;
}

/**
 * Writes sessions into a folder until they come to so many records.
 * @param first number of the first session; other numbers are other sessions with other texts
 * @returns how many sessions there are
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
    const said = () => record(text++, 1, 0).body;
    const promptId = `prompt-${session}-${turn}`;
    const extra = { promptId };
    script.prompt(said(), extra);
    script.reply(said(), extra);
    for (const [tool, name] of (['Bash', 'Read', 'Bash'] as const).entries()) {
      const toolUse = `toolu_${session}_${turn}_${tool}`;
      const words = said();
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
    script.reply(said(), extra);
    script.reply(said(), extra);
  }
  return script.bytes();
}
