// Formats the verdicts as a table by region, and lists those that must not occur.
import type { Judged } from './run.ts';

const COLUMNS = ['noticed', 'rebuilt', 'aborted', 'replayed', 'harmless', 'silent'] as const;

/** Rows in order of first appearance; the last is the sum. `rebuilt`: only `verify --rebuilt` reports it. */
export function tableOf(judged: readonly Judged[]): string {
  const rows = new Map<string, Judged[]>();
  for (const one of judged) {
    const { act, owner, region } = one.damage;
    const name =
      act === 'flip' ? 'flipped' : act === 'cut' ? 'cut short' : act === 'remove' ? 'removed' : 'older copy';
    const row = `${name} | ${owner} | ${act === 'flip' || act === 'cut' ? region : 'any'}`;
    rows.set(row, [...(rows.get(row) ?? []), one]);
  }
  const line = (name: string, those: readonly Judged[]): string =>
    `| ${name} | ${[those.length, ...COLUMNS.map((column) => those.filter(({ verdict }) => verdict === column).length)].join(' | ')} |`;
  return [
    `| damage | of | in | tried | ${COLUMNS.join(' | ')} |`,
    `|---|---|---|${'--:|'.repeat(COLUMNS.length + 1)}`,
    ...[...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, those]) => line(name, those)),
    line('all | | ', judged),
  ].join('\n');
}

/** Silent damage, and errors in a wrong form; one line each. */
export function wrongOf(judged: readonly Judged[]): string[] {
  return judged.flatMap(({ damage, verdict, bugs, differs }) => [
    ...(verdict === 'silent' ? [`silent: ${differs.join(', ')} differ: ${JSON.stringify(damage)}`] : []),
    ...bugs.map((bug) => `${bug} ${JSON.stringify(damage)}`),
  ]);
}
