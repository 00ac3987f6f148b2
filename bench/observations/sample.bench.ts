// Prints the observations of real transcripts for reading: `npm run bench observations/sample -- --all` prints every turn,
// without it every fifth. Turns without observations are printed with their request, so that a reader can judge both
// missing and unnecessary observations. Ends with counts and the time per turn.
import {
  type ItemRow,
  isItemRow,
  memoryGenerations,
  memoryKeys,
  memoryProjector,
  type ObservationRow,
  openRunner,
  projectsProjector,
  readPrompt,
  type SummaryRow,
  sessionKeys,
  stepText,
  type TurnRow,
  turnsProjector,
  type ViewReader,
} from '../../projections/index.ts';
import { now } from '../../src/platform/clock.ts';
import { randomBytes } from '../../src/platform/random-bytes.ts';
import { openMemoryLog } from '../../tests/helpers/logs.ts';
import { readWhole, realTranscripts } from '../../tests/helpers/transcripts.ts';

const EVERY = process.argv.includes('--all') ? 1 : 5;

const files = realTranscripts();
if (files.length === 0) process.stdout.write('skipped: the real transcripts are not on this machine\n');
else await sample();

async function sample(): Promise<void> {
  const log = await openMemoryLog();
  for (const { bytes, name } of files) await log.append(readWhole(bytes(), { name }).newEvents);
  const projectors = [turnsProjector, projectsProjector, memoryProjector];
  const runner = await openRunner({ log, generations: memoryGenerations(), projectors, now, randomBytes });
  await runner.catchUp();
  const turns = await turnsOf(runner.view('turns'));
  const memory = runner.view('memory');
  const observations = await byTurn<ObservationRow>(memory, memoryKeys.observations());
  const summaries = await byTurn<SummaryRow>(memory, memoryKeys.summaries());
  turns.forEach(({ row, asked }, index) => {
    if (index % EVERY !== 0) return;
    const head = `\n#${index} ${row.id} ${row.counts.toolUses} tool uses — ${asked.replace(/\s+/g, ' ').slice(0, 160)}`;
    const said = [
      ...(observations.get(row.id) ?? []).map(observed),
      ...(summaries.get(row.id) ?? []).map(summed),
    ];
    process.stdout.write(`${head}\n${said.length === 0 ? '  (nothing)\n' : said.join('')}`);
  });
  const left = turns.filter(({ row }) => observations.has(row.id)).length;
  const types = new Map<string, number>();
  for (const { type } of [...observations.values()].flat()) types.set(type, (types.get(type) ?? 0) + 1);
  process.stdout.write(
    `\n${turns.length} turns, ${left} left an observation: ${JSON.stringify([...types])}\n`,
  );
  const [{ ms } = { ms: 0 }] = await runner.rebuild(['memory']);
  process.stdout.write(`the memory view was rebuilt in ${Math.round(ms)} ms\n`);
  await runner.close();
}

async function turnsOf(view: ViewReader): Promise<{ row: TurnRow; asked: string }[]> {
  const found = (await view.range<TurnRow | ItemRow>('turn/')).map(([, row]) => row);
  const prompts = new Map(
    found.flatMap((row) => (isItemRow(row) && row.kind === 'prompt' ? [[row.id, row] as const] : [])),
  );
  const rows = found.filter((row): row is TurnRow => !isItemRow(row));
  rows.sort((a, b) =>
    sessionKeys.turn(a.agent, a.session, a.order) < sessionKeys.turn(b.agent, b.session, b.order) ? -1 : 1,
  );
  return rows.map((row) => {
    const prompt = prompts.get(row.prompt ?? '');
    return { row, asked: (prompt && readPrompt(prompt).text) ?? '' };
  });
}

async function byTurn<R extends { turn: string; order: string }>(
  view: ViewReader,
  prefix: string,
): Promise<Map<string, R[]>> {
  const turns = new Map<string, R[]>();
  const rows = (await view.range<R>(prefix))
    .map(([, row]) => row)
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  for (const row of rows) turns.set(row.turn, [...(turns.get(row.turn) ?? []), row]);
  return turns;
}

function observed({
  part,
  type,
  title,
  subtitle,
  narrative,
  facts,
  concepts,
  ...row
}: ObservationRow): string {
  const lines = [
    `[${part}] ${type}: ${title}  (${concepts.join(', ')})`,
    subtitle,
    narrative,
    ...facts.map((dedupeKey) => `- ${dedupeKey}`),
    `modified ${row.filesModified.join(', ') || 'nothing'}; read ${row.filesRead.length} files; ${row.evidence.events.length} events`,
  ];
  return lines
    .filter((line) => line !== '')
    .map((line) => `  ${line}\n`)
    .join('');
}

function summed({ request, investigated, learned, completed, nextSteps, notes }: SummaryRow): string {
  const fields = {
    request,
    investigated,
    learned,
    completed,
    next: nextSteps.map(stepText).join(' | '),
    notes,
  };
  return Object.entries(fields)
    .filter(([, text]) => text)
    .map(([name, text]) => `    ${name}: ${text}\n`)
    .join('');
}
