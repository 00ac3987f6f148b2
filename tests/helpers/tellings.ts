// Tellings for tests that care about the log and not about what is in it.
import type { Telling } from '../../log/index.ts';

/** A tool use whose id and text follow from its number. */
export function toolTelling(number: number, session = 'session-1', words = 20): Telling<'tool.used'> {
  return {
    type: 'tool.used',
    agent: 'claude-code',
    session,
    fact: `toolu_${number}`,
    witness: 'transcript',
    occurredAt: 1_767_225_600_000 + number,
    body: {
      toolUseId: `toolu_${number}`,
      name: 'Bash',
      input: { command: `make test-${number}` },
      outcome: 'ok',
      result: Array.from({ length: words }, (_, word) => `line ${number * 7 + word * 13}`).join('\n'),
    },
  };
}

export function toolTellings(
  count: number,
  from = 1,
  session = 'session-1',
  words = 20,
): Telling<'tool.used'>[] {
  return Array.from({ length: count }, (_, index) => toolTelling(from + index, session, words));
}

export function placeTelling(cwd: string): Telling<'place.seen'> {
  return {
    type: 'place.seen',
    agent: 'annals',
    session: null,
    fact: cwd,
    witness: 'cli',
    occurredAt: null,
    body: { cwd },
  };
}
