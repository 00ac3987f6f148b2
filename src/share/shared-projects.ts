// Which projects of a home are shared, and what sharing one would send. A project is named by its name, its key, or the
// absolute path of a folder of it, also before anything of it was captured.
import { isAbsolute } from 'node:path';
import { AnnalsError } from '../../log/index.ts';
import { foldedKey, workdirsAmong } from '../../projections/index.ts';
import type {
  ShareDigest,
  SharedForgetting,
  SharePreview,
  ShareProjectOptions,
} from '../api/share/sharing.ts';
import { projectAt } from '../home/folder-project.ts';
import type { Home } from '../home/home.ts';
import { knownProjects } from '../home/home-projects.ts';
import { recordWorkdirs } from '../home/record-workdirs.ts';
import type { Exchange } from './exchange.ts';
import { SealError } from './keys/sealer.ts';
import { previewOf } from './preview.ts';
import { syncKeys } from './rows/sync-rows.ts';
import { setDigests } from './set-digests.ts';
import { writeSharedProjects } from './share-settings.ts';
import type { ShareState } from './share-state.ts';
import { sharedForgettings } from './shared-forgettings.ts';
import type { SharedProject } from './sync/placement.ts';

type Named = Pick<SharedProject, 'key' | 'name'>;

export class SharedProjects {
  readonly #state: ShareState;
  readonly #exchange: Exchange;

  constructor(state: ShareState, exchange: Exchange) {
    this.#state = state;
    this.#exchange = exchange;
  }

  /** Begins or ends sharing a project. @throws AnnalsError SHARE_OFF, NOT_FOUND, SHARE_DENIED */
  change(name: string, { stop = false, withHistory = false }: ShareProjectOptions): Promise<SharedProject> {
    const state = this.#state;
    const { home } = state;
    return state.changes.run(async () => {
      const team = state.joined();
      const { key, name: own } = named(name, stop ? state.projects : []) ?? (await projectCalled(name, home));
      const isOther = (one: Named) => foldedKey(one.key) !== foldedKey(key);
      const isShared = !state.projects.every(isOther);
      if (stop && !isShared) throw new AnnalsError('NOT_FOUND', `The project ${own} is not shared.`);
      const refusal = stop ? null : team.cannotWrite(key);
      if (refusal !== null && refusal !== 'waiting')
        throw new AnnalsError('SHARE_DENIED', new SealError(refusal).message);
      const project = { key, name: own, since: withHistory ? 0 : home.log.head().position };
      const others = state.projects.filter(isOther);
      const projects = stop ? others : [...others, project];
      await writeSharedProjects(home.paths.share, projects);
      await state.rows.exclusive(async () => {
        state.rows.set(syncKeys.sent(key), null);
        await state.rows.write(home.log);
      });
      state.projects = projects;
      // What was recorded of its folders stays here, and the others would not know whose they are.
      try {
        if (!isShared && !withHistory)
          await recordWorkdirs(workdirsAmong(key, (await knownProjects(home.views)).rows), home, {
            again: true,
          });
      } finally {
        this.#exchange.restart();
      }
      return project;
    });
  }

  /** @param lines events to show as they would be sent @throws AnnalsError NOT_FOUND */
  async preview(name: string, lines: number): Promise<SharePreview> {
    const { home, lookAt } = this.#state;
    return previewOf({ ...(await projectCalled(name, home)), since: 0 }, home.log, lookAt, lines);
  }

  forgettings(): Promise<readonly SharedForgetting[]> {
    return sharedForgettings(this.#state);
  }

  digests(): Promise<readonly ShareDigest[]> {
    const { home, rows, projects, lookAt } = this.#state;
    return setDigests(home.log, rows, projects, lookAt);
  }
}

/** The keys of projects; null for all. @throws AnnalsError NOT_FOUND */
export async function projectKeys(
  names: readonly string[] | undefined,
  home: Home,
): Promise<readonly string[] | null> {
  if (names === undefined) return null;
  return Promise.all(names.map(async (name) => (await projectCalled(name, home)).key));
}

async function projectCalled(name: string, home: Home): Promise<Named> {
  const { runner, views } = home;
  await runner.catchUp();
  const known = await knownProjects(views);
  const found = named(name, known.rows) ?? (isAbsolute(name) ? await projectAt(name, known, views) : null);
  if (found !== null) return { key: found.key, name: found.name };
  throw new AnnalsError('NOT_FOUND', 'No project has this name.', {
    hint: '`annals status` lists projects. In a folder of it no name is needed.',
  });
}

function named<Project extends Named>(name: string, projects: readonly Project[]): Project | null {
  const wanted = name.toLowerCase();
  return (
    projects.find((one) => foldedKey(one.key) === foldedKey(name) || one.name.toLowerCase() === wanted) ??
    null
  );
}
