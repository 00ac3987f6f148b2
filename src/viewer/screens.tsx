// The screens. The first one is part of the page's script; the others are loaded when they are shown, and all of them soon
// after the first, so that they can be shown without the worker.
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from './api/client.ts';
import { NowScreen } from './now/now-screen.tsx';
import type { Route } from './ui/route.ts';

type Show = (route: Route) => preact.JSX.Element;

type ScreenState =
  | { readonly state: 'ready'; readonly show: Show }
  | { readonly state: 'loading' | 'unknown' }
  | { readonly state: 'failed'; readonly error: ApiError; retry(): void };

const ready = new Map<string, Show>([['now', () => <NowScreen />]]);

const LOADERS: Readonly<Record<string, () => Promise<Show>>> = {
  search: async () => {
    const { SearchScreen } = await import('./search/search-screen.tsx');
    return ({ query }) => <SearchScreen query={query} />;
  },
  sessions: async () => {
    const { SessionsScreen } = await import('./sessions/sessions-screen.tsx');
    return () => <SessionsScreen />;
  },
  session: async () => {
    const { SessionScreen } = await import('./session/session-screen.tsx');
    return ({ id, query }) => <SessionScreen key={id} id={id} query={query} />;
  },
  item: async () => {
    const { ItemScreen } = await import('./item/item-screen.tsx');
    return ({ id }) => <ItemScreen key={id} id={id} />;
  },
  project: async () => {
    const { ProjectScreen } = await import('./project/project-screen.tsx');
    return ({ id }) => <ProjectScreen key={id} name={id} />;
  },
  settings: async () => {
    const { SettingsScreen } = await import('./settings/settings-screen.tsx');
    return ({ query }) => <SettingsScreen query={query} />;
  },
  forget: async () => {
    const { ForgetScreen } = await import('./forget/forget-screen.tsx');
    return ({ query }) => <ForgetScreen query={query} />;
  },
  health: async () => {
    const { HealthScreen } = await import('./health/health-screen.tsx');
    return () => <HealthScreen />;
  },
};

export function useScreen(name: string): ScreenState {
  const [, setLoaded] = useState('');
  const [failed, setFailed] = useState('');
  const isMissing = !ready.has(name) && Object.hasOwn(LOADERS, name) && failed !== name;
  useEffect(() => {
    if (!isMissing) return;
    let isLeft = false;
    load(name).then(
      () => !isLeft && setLoaded(name),
      () => !isLeft && setFailed(name),
    );
    return () => {
      isLeft = true;
    };
  }, [name, isMissing]);
  const show = ready.get(name);
  if (show !== undefined) return { state: 'ready', show };
  if (failed === name) return { state: 'failed', error: notLoaded(), retry: () => setFailed('') };
  return { state: isMissing ? 'loading' : 'unknown' };
}

/** The worker has ended, or another version of it has other files. */
function notLoaded(): ApiError {
  const hint = 'Reload the page. While no worker runs, run `annals view`: it starts one.';
  return new ApiError(0, 'UNREACHABLE', 'This screen could not be loaded.', hint);
}

/** One that fails is tried again when it is shown. */
export async function loadScreens(): Promise<void> {
  await Promise.allSettled(Object.keys(LOADERS).map(load));
}

async function load(name: string): Promise<void> {
  if (!ready.has(name)) ready.set(name, await LOADERS[name]!());
}
