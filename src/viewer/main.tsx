// The entry of the page: shows the frame, finds the token, then follows what happens.
import { render } from 'preact';
import { findToken } from './api/access.ts';
import { followStream } from './api/live.ts';
import { App } from './app.tsx';
import { applyTheme } from './frame/theme.ts';
import { loadScreens } from './screens.tsx';

/** When the other screens are loaded: what the first one shows is there by then. */
const OTHERS_MS = 3_000;

applyTheme();
// First, because it takes the ticket out of the address.
const finding = findToken();
render(<App />, document.getElementById('app')!);
await finding;
void followStream();
setTimeout(loadScreens, OTHERS_MS);
// Another address of the viewer was opened in this tab.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#ticket=')) location.reload();
});
