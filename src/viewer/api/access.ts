// The token of this page. The address holds a ticket, which is exchanged for the token once and then removed. The token
// is kept for this tab only; a page in another tab gives it to one that has none.

const STORED_AS = 'annals.token';
/** How long other tabs have to answer, ms. */
const TABS_ANSWER_MS = 150;

type Message = { readonly wants: true } | { readonly token: string };

export type Access = 'looking' | 'given' | 'none';

let token: string | null = null;
let isLooking = true;
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel('annals.token');

tabs.onmessage = ({ data }: MessageEvent<Message>) => {
  if ('wants' in data) {
    if (token !== null) tabs.postMessage({ token } satisfies Message);
  } else if (data.token !== token) keep(data.token);
};

export function currentToken(): string | null {
  return token;
}

export function access(): Access {
  if (token !== null) return 'given';
  return isLooking ? 'looking' : 'none';
}

/** Calls `listener` when there is a token or another one, or none was found. Returns a function that unsubscribes. */
export function onToken(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The worker refused the token: it has ended, and another one runs. */
export function dropToken(refused: string): void {
  if (token !== refused) return;
  token = null;
  sessionStorage.removeItem(STORED_AS);
}

/** Afterwards `access` is `none` if the ticket was used before, and no other tab has a token. */
export async function findToken(): Promise<void> {
  await look();
  isLooking = false;
  if (token === null) tell();
}

async function look(): Promise<void> {
  const ticket = /^#ticket=([0-9a-f]+)$/.exec(location.hash)?.[1];
  if (ticket !== undefined) {
    history.replaceState(null, '', '#/now');
    const exchanged = await exchange(ticket);
    if (exchanged !== null) {
      keep(exchanged);
      tabs.postMessage({ token: exchanged } satisfies Message);
      return;
    }
  }
  const stored = sessionStorage.getItem(STORED_AS);
  if (stored !== null) keep(stored);
  if (token !== null) return;
  tabs.postMessage({ wants: true } satisfies Message);
  await new Promise((resolve) => setTimeout(resolve, TABS_ANSWER_MS));
}

async function exchange(ticket: string): Promise<string | null> {
  try {
    const answer = await fetch('/api/view/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ticket }),
    });
    return answer.ok ? ((await answer.json()) as { token: string }).token : null;
  } catch {
    return null;
  }
}

function keep(found: string): void {
  token = found;
  sessionStorage.setItem(STORED_AS, found);
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}
