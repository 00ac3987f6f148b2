// The entry of the page: finds the token, then shows the viewer.
import { render } from 'preact';
import { findToken } from './api/access.ts';
import { followStream } from './api/live.ts';
import { App } from './app.tsx';
import { applyTheme } from './ui/theme.ts';

applyTheme();
await findToken();
render(<App />, document.getElementById('app')!);
void followStream();
// Another address of the viewer was opened in this tab.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#ticket=')) location.reload();
});
