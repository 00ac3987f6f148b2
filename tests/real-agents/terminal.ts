// A tmux terminal and a person who types into it. Typed text must be visible before it is sent, and a key is pressed
// again until it has an effect, because an agent that is still drawing its screen may drop early keys.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isReached, openGate } from './gates.ts';
import type { Condition, Key, Session } from './plan.ts';
import type { WasReported } from './reported.ts';
import { becomes } from './wait.ts';

const RETRY_MS = 10_000;
const TRIES = 6;

export interface Terminal {
  isRunning(): boolean;
  screen(): string;
  /** Does one step; returns what did not happen in time, or null. */
  act(key: Key): Promise<string | null>;
  close(): void;
}

export function openTerminal(
  session: Session,
  environment: Readonly<Record<string, string>>,
  folder: string,
  wasReported: WasReported,
): Terminal {
  const tmux = (...words: readonly string[]) =>
    spawnSync('tmux', ['-S', join(folder, 'tmux.sock'), '-f', '/dev/null', ...words], { encoding: 'utf8' });
  const pairs = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const size = ['-x', '160', '-y', '50'];
  tmux(
    'new-session',
    '-d',
    '-s',
    'one',
    ...size,
    '-c',
    session.project,
    'env',
    '-i',
    ...pairs,
    ...session.command,
  );

  const screen = () => tmux('capture-pane', '-p', '-t', 'one').stdout;
  const isRunning = () => tmux('has-session', '-t', 'one').status === 0;
  const press = (name: string) => tmux('send-keys', '-t', 'one', name);
  const holds = (condition: Condition): boolean => {
    if ('screen' in condition) return new RegExp(condition.screen).test(screen());
    if ('reached' in condition) return isReached(session.project, condition.reached);
    return wasReported(condition);
  };
  const holdsSoon = (condition: () => boolean) => becomes(() => condition() || !isRunning(), RETRY_MS);
  const type = async (text: string, enter: boolean): Promise<string | null> => {
    // An exclamation mark at the beginning becomes the prompt character of the input line.
    const wanted = squeezed(text.replace(/^!/, ''));
    const isTyped = () => inputOf(screen()) === wanted;
    for (let tries = 0; !isTyped(); tries++) {
      if (tries === TRIES) return `typed, but never shown: ${text}`;
      // Only text without effect is deleted: a single key may become a character of the text.
      if (tries > 0) press('C-u');
      await becomes(() => (inputOf(screen()) ?? '') === '', 1_000);
      tmux('send-keys', '-t', 'one', '-l', text);
      await holdsSoon(isTyped);
    }
    for (let tries = 0; enter && isTyped() && isRunning(); tries++) {
      if (tries === TRIES) return `could not be sent: ${text}`;
      press('Enter');
      await holdsSoon(() => !isTyped());
    }
    return null;
  };
  return {
    isRunning,
    screen,
    act: async (key) => {
      if ('type' in key) return type(key.type, key.enter);
      if ('press' in key) press(key.press);
      if ('open' in key) openGate(session.project, key.open);
      if (!('until' in key)) return null;
      const happened = await becomes(() => holds(key.until) || !isRunning());
      return happened && holds(key.until) ? null : `never happened: ${JSON.stringify(key.until)}`;
    },
    close: () => tmux('kill-server'),
  };
}

/**
 * The text in the input area, without white space: from the last line that begins with a prompt character (hints are
 * indented) to the rule below it.
 */
function inputOf(screen: string): string | null {
  const lines = screen.split('\n');
  const from = lines.findLastIndex((line) => /^[❯>!]/.test(line));
  if (from < 0) return null;
  const below = lines.slice(from).findIndex((line) => line.startsWith('──'));
  return squeezed(
    lines
      .slice(from, below < 0 ? undefined : from + below)
      .join('')
      .slice(1),
  );
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}
