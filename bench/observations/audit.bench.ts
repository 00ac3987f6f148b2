// Draws random statements and prints each with the events that decide it, so that a reader can find false ones:
//   npm run bench observations/audit -- --kind=test --seed=1 --count=60
// Without `--kind` it prints the number of statements of each kind. `--data=<folder>` reads other transcripts,
// `--home=<folder>` the log of a home.
import { chance } from '../../tests/helpers/chance.ts';
import { option } from '../harness/report.ts';
import { openCorpus } from './corpus.ts';
import { KINDS, type Statement, statementsOf } from './statements.ts';

const corpus = await openCorpus({ folder: option('data'), home: option('home') });
if (corpus === null) process.stdout.write('skipped: the real transcripts are not on this machine\n');
else {
  const all = await statementsOf(corpus);
  const counts = KINDS.map((kind) => `${kind} ${all.filter((one) => one.kind === kind).length}`);
  const kinds = option('kind')?.split(',') ?? [];
  for (const kind of kinds) print(drawn(all.filter((one) => one.kind === kind)));
  process.stdout.write(`\nstatements: ${counts.join(', ')}\n`);
  await corpus.runner.close();
}

/** Sorted by a hash before drawing, so that statements added by a change do not move the others. */
function drawn(statements: readonly Statement[]): Statement[] {
  const sorted = [...statements].sort((one, other) => (one.name < other.name ? -1 : 1));
  return chance(Number(option('seed') ?? 1))
    .shuffled(sorted)
    .slice(0, Number(option('count') ?? 60));
}

function print(statements: readonly Statement[]): void {
  statements.forEach(({ kind, text, evidence }, index) => {
    const lines = evidence().map((line) => `  ${line}\n`);
    process.stdout.write(`\n${kind} ${index + 1}. ${text}\n${lines.join('')}`);
  });
}
