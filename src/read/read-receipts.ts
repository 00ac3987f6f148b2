// Adds up what sessions were given and used, by project. Reads one row for each item that was ever shown.
import {
  keyParts,
  type MemoryDocument,
  memoryKeys,
  receiptKeys,
  resolveProjects,
  type TotalRow,
  type UseCounts,
} from '../../projections/index.ts';
import type {
  ProjectReceipts,
  ReceiptFigures,
  ReceiptItem,
  ReceiptsAnswer,
  ReceiptsOptions,
} from '../api.ts';
import { projectByName } from '../home/folder-project.ts';
import type { ReadHome } from '../home/home.ts';

const LIMIT = 10;

interface Total {
  readonly workdir: string;
  readonly occasion: string;
  readonly row: TotalRow;
}

/** @throws AnnalsError NOT_FOUND: no project has this name */
export async function receiptsOf(
  { project, limit = LIMIT, item }: ReceiptsOptions,
  home: ReadHome,
): Promise<ReceiptsAnswer> {
  const { receipts } = home.views;
  if (item !== undefined) return receiptsOfItem(item, home);
  const only = project === undefined ? null : new Set((await projectByName(project, home)).workdirs);
  const totals = (await receipts.range<TotalRow>(receiptKeys.totals()))
    .map(([rowKey, row]): Total => {
      const [, workdir = '', occasion = ''] = keyParts(rowKey);
      return { workdir, occasion, row };
    })
    .filter(({ workdir }) => only === null || only.has(workdir));
  const resolved = await resolveProjects(
    totals.map(({ workdir }) => workdir),
    home.views.projects,
  );
  const byProject = new Map<string, { readonly name: string; readonly totals: Total[] }>();
  for (const [index, total] of totals.entries()) {
    const { key, name } = resolved[index]!;
    const known = byProject.get(key) ?? { name, totals: [] };
    byProject.set(key, known);
    known.totals.push(total);
  }
  const projects: ProjectReceipts[] = [];
  for (const { name, totals: own } of byProject.values())
    projects.push({ project: name, ...(await projectReceipts(own, limit, home)) });
  projects.sort((a, b) => b.injections - a.injections || (a.project < b.project ? -1 : 1));
  return { projects, degraded: home.state().problems };
}

async function receiptsOfItem(id: string, { views, state }: ReadHome): Promise<ReceiptsAnswer> {
  const counts = await views.receipts.get<UseCounts>(receiptKeys.everywhere(id));
  const items = counts === undefined ? [] : await titled([{ id, ...counts }], views.memory);
  return { projects: [], item: items[0] ?? null, degraded: state().problems };
}

async function projectReceipts(
  totals: readonly Total[],
  limit: number,
  { views }: ReadHome,
): Promise<Omit<ProjectReceipts, 'project'>> {
  const items = await itemsOf(new Set(totals.map(({ workdir }) => workdir)), views.receipts);
  const occasions = [...new Set(totals.map(({ occasion }) => occasion))].map((occasion) => ({
    occasion,
    ...figures(totals.filter((total) => total.occasion === occasion)),
  }));
  const used = items.filter((item) => item.used > 0);
  const unused = items.filter((item) => item.used === 0);
  return {
    ...figures(totals),
    occasions: occasions.sort((a, b) => b.injections - a.injections || (a.occasion < b.occasion ? -1 : 1)),
    items: { shown: items.length, used: used.length, neverUsed: unused.length },
    mostUsed: await titled(top(used, limit, 'used'), views.memory),
    neverUsed: await titled(top(unused, limit, 'shown'), views.memory),
  };
}

function figures(totals: readonly Total[]): ReceiptFigures {
  const sum = (field: keyof TotalRow) => totals.reduce((all, { row }) => all + row[field], 0);
  const timed = sum('timed');
  return {
    injections: sum('injections'),
    unknown: sum('unknown'),
    tokens: sum('tokens'),
    ms: timed === 0 ? null : Math.round(sum('durationMs') / timed),
    shown: sum('shown'),
    used: sum('used'),
  };
}

type Counted = UseCounts & { readonly id: string };

async function itemsOf(
  workdirs: ReadonlySet<string>,
  receipts: ReadHome['views']['receipts'],
): Promise<Counted[]> {
  const items = new Map<string, Counted>();
  for (const workdir of workdirs)
    for (const [rowKey, row] of await receipts.range<UseCounts>(receiptKeys.itemsOf(workdir))) {
      const id = keyParts(rowKey).at(-1)!;
      const known = items.get(id);
      items.set(id, known === undefined ? { id, ...row } : added(known, row));
    }
  return [...items.values()];
}

function added(one: Counted, other: UseCounts): Counted {
  return {
    id: one.id,
    shown: one.shown + other.shown,
    used: one.used + other.used,
    cited: one.cited + other.cited,
    fixed: one.fixed + other.fixed,
    opened: one.opened + other.opened,
  };
}

function top(items: readonly Counted[], limit: number, by: 'used' | 'shown'): Counted[] {
  return [...items].sort((a, b) => b[by] - a[by] || (a.id < b.id ? -1 : 1)).slice(0, limit);
}

async function titled(
  items: readonly Counted[],
  memory: ReadHome['views']['memory'],
): Promise<readonly ReceiptItem[]> {
  const documents = await memory.getMany<MemoryDocument>(items.map(({ id }) => memoryKeys.document(id)));
  return items.map((item, index) => ({ title: documents[index]?.title ?? null, ...item }));
}
