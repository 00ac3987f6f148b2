// The frame of every screen: where to go, whether the connection lives, which keys work.
import { Fragment } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Access, access, onToken } from './api/access.ts';
import { connection, on } from './api/live.ts';
import { BuildingNotice } from './frame/building-notice.tsx';
import { KeyHelp } from './frame/key-help.tsx';
import { LostNotice } from './frame/lost-notice.tsx';
import { isRecorded, RecordingNotice, RecordingState, useRecording } from './frame/recording-notice.tsx';
import { chooseTheme, chosenTheme, nextTheme } from './frame/theme.ts';
import { useScreen } from './screens.tsx';
import { AsOf, AsOfField, AsOfNotice } from './ui/as-of.tsx';
import { holdKeys, useKeys } from './ui/keyboard.ts';
import { useNarrow } from './ui/narrow.ts';
import { go, hasPast, href, type Route, useRoute } from './ui/route.ts';
import { Empty, Failed, Loading } from './ui/states.tsx';

/** In the order of the navigation. */
const PLACES: readonly {
  readonly screen: string;
  readonly name: string;
  readonly also?: readonly string[];
}[] = [
  { screen: 'now', name: 'Now' },
  { screen: 'search', name: 'Search', also: ['item'] },
  { screen: 'sessions', name: 'Sessions', also: ['session'] },
  { screen: 'project', name: 'Projects' },
  { screen: 'forget', name: 'Forget' },
  { screen: 'health', name: 'Health' },
  { screen: 'settings', name: 'Settings' },
];

export function App() {
  const route = useRoute();
  const found = useAccess();
  const recording = useRecording(route.screen);
  const forgotten = useForgotten();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useKeys([
    { key: '/', about: 'Search', act: openSearch },
    {
      key: 'f',
      about: 'Filter what is on the screen',
      act: () => document.querySelector<HTMLElement>('.filter')?.focus(),
    },
    { key: '?', about: 'Show what the keys do', act: () => setHelpOpen(true) },
    { key: 'Escape', about: 'Leave the field; then go back', inFields: true, act: leave },
  ]);
  useEffect(() => {
    const place = PLACES.find(({ screen, also }) => screen === route.screen || also?.includes(route.screen));
    document.title = `${place?.name ?? 'Annals'} · Annals`;
    main.current?.scrollTo(0, 0);
  }, [route.screen, route.id]);
  const screen = useScreen(route.screen);
  const asOf = hasPast(route.screen, route.id) ? (route.query.asOf ?? '') : '';
  const isNarrow = useNarrow();
  return (
    <RecordingState.Provider value={recording}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Navigation route={route} onHelp={() => setHelpOpen(true)} />
      <main id="main" ref={main} tabIndex={-1}>
        {found !== 'given' ? (
          found === 'none' && <NoAccess />
        ) : screen.state === 'unknown' ? (
          <NoScreen />
        ) : (
          <AsOf.Provider value={asOf}>
            <AsOfNotice />
            <LostNotice />
            {isNarrow && asOf === '' && <RecordingNotice />}
            <BuildingNotice />
            <Fragment key={route.screen === 'forget' ? 'forget' : `${forgotten} ${asOf}`}>
              {screen.state === 'loading' && <Loading />}
              {screen.state === 'failed' && <Failed error={screen.error} retry={screen.retry} />}
              {screen.state === 'ready' && screen.show(route)}
            </Fragment>
          </AsOf.Provider>
        )}
      </main>
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </RecordingState.Provider>
  );
}

function Navigation({ route, onHelp }: { readonly route: Route; onHelp(): void }) {
  const { screen } = route;
  const isPast = hasPast(screen, route.id) && Boolean(route.query.asOf);
  const isNarrow = useNarrow();
  return (
    <header class="rail">
      <a class="brand" href={href('now')}>
        Annals
      </a>
      <nav aria-label="Screens">
        {PLACES.map((place) => (
          <a
            key={place.screen}
            href={href(place.screen)}
            aria-current={place.screen === screen || place.also?.includes(screen) ? 'page' : undefined}
          >
            {place.name}
          </a>
        ))}
      </nav>
      <AsOfField route={route} />
      <div class="rail-end">
        {!isPast && !isNarrow && <RecordingNotice />}
        <ConnectionState isPast={isPast} />
        <ThemeButton />
        <button type="button" class="quiet" onClick={onHelp} aria-label="Keys">
          ?
        </button>
      </div>
    </header>
  );
}

const CONNECTION_TEXTS = {
  connecting: 'Connecting',
  live: 'Connected',
  past: 'Past',
  lost: 'Not connected',
  locked: 'No access',
} as const;

/** Of the page with the worker. A past day does not change; and the dot is green only when something may come. */
function ConnectionState({ isPast }: { readonly isPast: boolean }) {
  const recording = useContext(RecordingState);
  const [state, setState] = useState(connection);
  useLayoutEffect(() => on('connection', setState), []);
  const shown = state === 'live' && isPast ? 'past' : state;
  return (
    <span
      class={`connection ${shown}${recording !== null && isRecorded(recording) ? ' recorded' : ''}`}
      role="status"
      title="Whether this page is connected to the worker"
    >
      {CONNECTION_TEXTS[shown]}
    </span>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useState(chosenTheme);
  const change = () => {
    chooseTheme(nextTheme(theme));
    setTheme(nextTheme(theme));
  };
  const names = { system: 'Auto', light: 'Light', dark: 'Dark' } as const;
  return (
    <button type="button" class="quiet" onClick={change} aria-label={`Colours: ${names[theme]}. Change`}>
      {names[theme]}
    </button>
  );
}

function useAccess(): Access {
  const [state, setState] = useState(access);
  useLayoutEffect(() => {
    const look = () => setState(access());
    const undo = [onToken(look), on('connection', look)];
    return () => {
      for (const one of undo) one();
    };
  }, []);
  return state;
}

/** The position of the last forgetting. A screen is then built from nothing, so that none of it stays on the page. */
function useForgotten(): number {
  const [forgotten, setForgotten] = useState(0);
  useLayoutEffect(() => {
    let asked = 0;
    const undo = [
      on('captured', ({ type, position }) => {
        if (type === 'memory.forgotten') asked = position;
      }),
      on('projected', (position) => {
        if (position >= asked) setForgotten(asked);
      }),
    ];
    return () => {
      for (const one of undo) one();
    };
  }, []);
  return forgotten;
}

function NoAccess() {
  return (
    <Empty title="This page has no access to the memory" isPage>
      <p>
        Run <code>annals view</code> in a terminal. It opens the viewer with a fresh address, and this page
        goes on too.
      </p>
      <p>An address of the viewer works once, and only until the worker ends.</p>
    </Empty>
  );
}

function NoScreen() {
  return (
    <Empty title="There is no such screen" isPage>
      <p>
        <a href={href('now')}>Go to what happens now</a>
      </p>
    </Empty>
  );
}

function openSearch(): void {
  const field = document.querySelector<HTMLInputElement>('.search-field input');
  if (field !== null) field.focus();
  else {
    holdKeys();
    go(href('search'));
  }
}

function leave({ target }: KeyboardEvent): void {
  if (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    target.blur();
  else history.back();
}
