// Sharing of one open home: its team, its projects, and the exchange with the shared log.
import type { Home } from '../home/home.ts';
import { Exchange } from './exchange.ts';
import { ShareState } from './share-state.ts';
import { SharedProjects } from './shared-projects.ts';
import { TeamChanges } from './team-changes.ts';

export interface Sharing {
  readonly team: TeamChanges;
  readonly projects: SharedProjects;
  readonly exchange: Exchange;
}

/** @param live whether events are exchanged as they come, while the home is open. For the worker. */
export async function openSharing(home: Home, { live }: { readonly live: boolean }): Promise<Sharing> {
  const state = await ShareState.open(home);
  const exchange = new Exchange(state, live);
  exchange.restart();
  return { exchange, team: new TeamChanges(state, exchange), projects: new SharedProjects(state, exchange) };
}
