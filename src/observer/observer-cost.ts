// Counts what this machine asked models, from the events.
import { pushTo } from '../../log/index.ts';
import { resolveProjects, type SessionRow, sessionKeys } from '../../projections/index.ts';
import type { ObserverCost } from '../api/observe.ts';
import { settingsAt } from '../config/read-settings.ts';
import type { Home } from '../home/home.ts';
import { ofLastDay, type Spending, usdOf } from './policy/budget.ts';
import { ownRequests } from './run/own-requests.ts';
import { allRequests, type Request } from './run/spending.ts';

export async function observerCost(home: Home): Promise<ObserverCost> {
  const all = await ownRequests(await allRequests(home.views.turns), home.log);
  const lastDay = ofLastDay(all, home.now());
  const { settings } = await settingsAt(home.paths.config, process.env);
  const { 'observer.usdPerDay': usdPerDay } = settings;
  const left = usdPerDay === null ? null : Math.max(0, usdPerDay - usdOf(lastDay));
  const projects = await projectsOf(all, home);
  return {
    lastDay: sumOf(lastDay),
    budget: { usdPerDay, left },
    days: grouped(all, ({ at }) => new Date(at).toISOString().slice(0, 10)).map(([day, sum]) => ({
      day,
      ...sum,
    })),
    models: grouped(all, ({ asked }) => asked.body.model).map(([model, sum]) => ({ model, ...sum })),
    projects: grouped(all, (one) => projects.get(one)!).map(([project, sum]) => ({ project, ...sum })),
  };
}

async function projectsOf(
  all: readonly Request[],
  { views }: Pick<Home, 'views'>,
): Promise<ReadonlyMap<Request, string>> {
  const sessions = await views.turns.getMany<SessionRow>(
    all.map(({ asked }) => sessionKeys.session(asked.agent, asked.session)),
  );
  const resolved = await resolveProjects(
    sessions.map((row) => row?.workdir ?? ''),
    views.projects,
  );
  const nameOf = ({ corpus, covers }: Request['asked']['body'], index: number) => {
    if (covers.length === 0) return 'forgotten';
    return corpus ? `corpus ${corpus.name}` : resolved[index]!.name;
  };
  return new Map(all.map((one, index) => [one, nameOf(one.asked.body, index)]));
}

/** In the order in which the groups appear. */
function grouped(all: readonly Request[], nameOf: (one: Request) => string) {
  const groups = new Map<string, Request[]>();
  for (const one of all) pushTo(groups, nameOf(one), one);
  return [...groups].map(([name, some]) => [name, sumOf(some)] as const);
}

function sumOf(some: readonly Spending[]) {
  const tokens = some.reduce((sum, one) => sum + one.tokens, 0);
  return { usd: usdOf(some), tokens, calls: some.length };
}
