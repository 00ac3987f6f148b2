// What the viewer makes of answers: groups, days, changes. No browser.
import { expect, test } from 'vitest';
import { oneByOne } from '../../src/viewer/api/one-by-one.ts';
import {
  type Group,
  groupsOf,
  isPlausible,
  partsIn,
  type TurnPart,
  usageOf,
} from '../../src/viewer/api/session-parts.ts';
import { changesOf, patchOf } from '../../src/viewer/api/tool-changes.ts';
import type { ListedMemory, ListedSession, ListedTurn } from '../../src/viewer/api/types.ts';
import { everyDay } from '../../src/viewer/health/every-day.ts';
import { isUnderWay, restOf, sessionGroups } from '../../src/viewer/now/turn-groups.ts';
import { hasWords } from '../../src/viewer/search/chosen.ts';
import { momentAt } from '../../src/viewer/session/replay.ts';
import { countedKind, dayText, durationText, timeText } from '../../src/viewer/ui/amounts.ts';
import { toolName } from '../../src/viewer/ui/tool-text.ts';

function part(text: string, agentId: string | null, launched: string | null = null): TurnPart {
  const none = { id: null, at: null, events: [], tool: null, isCompaction: false };
  return { ...none, kind: 'tool', text, agentId, launched };
}

type Shape = string | readonly Shape[];

function shapeOf(groups: readonly Group[]): readonly Shape[] {
  return groups.map((group) => (group.kind === 'part' ? group.part.text : shapeOf(group.groups)));
}

test('what a sub-agent did is below the tool use that started it, and so is what its own sub-agents did', () => {
  const parts = [
    part('start a', null, 'a'),
    part('start b', null, 'b'),
    part('b1', 'b'),
    part('a1', 'a', 'c'),
    part('c1', 'c'),
    part('a2', 'a'),
    part('end', null),
    part('nobody started it', 'd'),
  ];
  expect(shapeOf(groupsOf(parts))).toEqual([
    'start a',
    ['a1', ['c1'], 'a2'],
    'start b',
    ['b1'],
    'end',
    ['nobody started it'],
  ]);
});

test('no part is lost or shown twice when sub-agents report that they started each other', () => {
  const parts = [part('a1', 'a', 'b'), part('b1', 'b', 'a'), part('self', 'c', 'c'), part('end', null, 'a')];
  const shown = partsIn(groupsOf(parts)).map(({ text }) => text);
  expect(shown.toSorted()).toEqual(['a1', 'b1', 'end', 'self']);
  const alone = partsIn(groupsOf(parts.slice(0, 3))).map(({ text }) => text);
  expect(alone.toSorted()).toEqual(['a1', 'b1', 'self']);
});

test('the name of a tool that nobody knows reads as words; an agent’s own spelling stays', () => {
  const names = [
    'javascript_exec',
    'mcp__my-browser__tab_open',
    'TodoWrite',
    'shell',
    'apply-patch.v2',
    '_x',
    'A b',
  ];
  expect(names.map(toolName)).toEqual([
    'Javascript exec',
    'Tab open (my-browser)',
    'TodoWrite',
    'Shell',
    'Apply patch v2',
    '_x',
    'A b',
  ]);
});

test('a day has its year when it is not this year', () => {
  const now = new Date(2026, 10, 24, 12);
  const at = (...date: [number, number, number]) => new Date(...date, 9, 30).toISOString();
  expect(dayText(at(2026, 10, 24), now)).toBe('Today');
  expect([999.4, 999.7].map(durationText)).toEqual(['999 ms', '1 s']);
  expect(dayText(at(2026, 4, 1), now)).not.toMatch(/20/);
  for (const text of [dayText(at(2025, 11, 31), now), timeText(at(2025, 4, 1), now)])
    expect(text).toMatch(/2025/);
});

test('kinds are counted with their plural', () => {
  expect(countedKind(1, 'tool use')).toBe('1 tool use');
  expect(countedKind(25, 'tool use')).toBe('25 tool uses');
  expect(countedKind(2, 'memory')).toBe('2 memories');
  expect(countedKind(3, 'reply of a model')).toBe('3 replies of a model');
});

test('tokens that cannot be are not shown: a few for each of many tool uses', () => {
  const details = (output: number) => ({
    counts: { toolUses: 10 },
    usage: { input: 5, output, cacheRead: 7, cacheCreation: 9 },
  });
  expect(usageOf(details(40))).toBeNull();
  expect(usageOf(details(400))).toEqual({ input: 5, output: 400, cacheRead: 7, cacheCreation: 9 });
  expect(usageOf({ usage: { output: 0 } })).toBeNull();
  expect([isPlausible(150, 10), isPlausible(151, 10), isPlausible(16, 0)]).toEqual([false, true, true]);
});

const counts = { prompts: 1, commands: 0, toolUses: 0, failed: 0, replies: 1 };

function turnOf(agent: string, session: string, id: string): ListedTurn {
  const at = '2026-05-01T08:00:00.000Z';
  const turn = {
    id,
    session,
    agent,
    counts,
    startedAt: at,
    endedAt: at,
    prompt: { id, title: `Asked ${id}` },
  };
  return { ...turn, sessionTitle: `Session of ${agent}`, project: 'feeder' } as ListedTurn;
}

function sessionOf(agent: string, id: string, turns: number): ListedSession {
  return {
    id,
    agent,
    turns,
    title: `Session of ${agent}`,
    project: 'feeder',
    endedAt: null,
  } as ListedSession;
}

function memoryOf(session: string, id: string, at = '2026-05-02T08:00:00.000Z'): ListedMemory {
  return { id, session, agent: 'annals', at, title: id } as ListedMemory;
}

test('sessions of two agents with one id are two, and what was saved under it is in neither', () => {
  const groups = sessionGroups(
    {
      turns: [turnOf('aa', 'run-1', 't-1'), turnOf('bb', 'run-1', 't-2'), turnOf('aa', 'run-2', 't-3')],
      sessions: [sessionOf('aa', 'run-1', 1), sessionOf('bb', 'run-1', 1), sessionOf('aa', 'run-2', 1)],
      summaries: [],
      memories: [memoryOf('run-1', 'm-1'), memoryOf('run-2', 'm-2')],
    },
    () => false,
  );
  const shown = groups.map(({ id, head, entries }) => [id, head?.agent, entries.map((entry) => entry.id)]);
  const expected = [
    ['run-1', 'aa', ['t-1']],
    ['run-1', 'bb', ['t-2']],
    ['run-1', undefined, ['m-1']],
    ['run-2', 'aa', ['m-2', 't-3']],
  ];
  expect(shown).toHaveLength(4);
  expect(shown).toEqual(expect.arrayContaining(expected));
  expect(new Set(groups.map(({ key }) => key)).size).toBe(4);
});

test('memories that are shown do not hide that there are turns', () => {
  const turns = ['t-1', 't-2', 't-3'].map((id) => turnOf('aa', 'run-1', id));
  const memories = ['m-1', 'm-2', 'm-3', 'm-4'].map((id) => memoryOf('run-1', id));
  const rest = (session: ListedSession | null) => {
    const sessions = session === null ? [] : [session];
    const [group] = sessionGroups({ turns, sessions, summaries: [], memories }, () => false);
    return restOf(group!, group!.entries.slice(0, 3));
  };
  // The list of turns holds only the last ones.
  expect(rest(sessionOf('aa', 'run-1', 5))).toEqual({ turns: 5, hasMemories: true });
  expect(rest(null)).toEqual({ turns: 3, hasMemories: true });
});

test('a session is under way when it reported something a moment ago, not when its dates are of another time', () => {
  const now = Date.UTC(2026, 4, 1);
  const minutes = [-14, -16, 14, 16, 60_000];
  const under = minutes.map((after) => {
    const endedAt = new Date(now + after * 60_000).toISOString();
    return isUnderWay({ endedAt, endReason: null } as ListedSession, now);
  });
  expect(under).toEqual([true, false, true, false, false]);
});

test('a chart has every day of two years up to the last one that is not in the future', () => {
  const now = Date.UTC(2026, 4, 3);
  const shown = (days: readonly (readonly [string, number])[]) => {
    const all = everyDay(
      days.map(([day, value]) => ({ day, value })),
      (before) => before,
      now,
    );
    return [all.length, all[0], all.at(-1)];
  };
  const last = { day: '2026-05-03', value: 9 };
  expect(
    shown([
      ['2026-05-01', 2],
      ['2026-05-03', 9],
    ]),
  ).toEqual([3, { day: '2026-05-01', value: 2 }, last]);
  const long = [
    ['1970-01-01', 1],
    ['2020-01-01', 2],
    ['2026-05-03', 9],
    ['9999-12-31', 10],
  ] as const;
  expect(shown([...long, ['+275760-09-13', 11]])).toEqual([730, { day: '2024-05-04', value: 2 }, last]);
  expect(shown([['9999-12-31', 10]])).toEqual([0, undefined, undefined]);
});

test('the last step of the slider is the end, though it may be before it', () => {
  expect([10_000, 11_000, 11_456, 12_000].map((to) => momentAt(to, 11_456))).toEqual([
    10_000,
    null,
    null,
    null,
  ]);
});

test('an edit is a change with the field names of each agent', () => {
  const change = { path: 'a.ts', before: '5', after: '9' };
  expect([
    changesOf({ file_path: 'a.ts', old_string: '5', new_string: '9' }),
    changesOf({ filePath: 'a.ts', oldString: '5', newString: '9' }),
    changesOf({ path: 'a.ts', command: 'str_replace', old_str: '5', new_str: '9' }),
    changesOf({ target_file: 'a.ts', edits: [{ oldString: '5', newString: '9' }] }),
  ]).toEqual([[change], [change], [change], [change]]);
  expect(changesOf({ filePath: 'a.ts', content: '9' })).toEqual([{ ...change, before: '' }]);
  expect(changesOf({ path: 'a.ts', file_text: '9' })).toEqual([{ ...change, before: '' }]);
  expect(changesOf({ pattern: 'x', path: 'src' })).toEqual([]);
  expect(changesOf({ directory: 'src', content: 'x' })).toEqual([]);
  const patch = '*** Begin Patch\n*** Add File: a.ts\n+9\n*** End Patch';
  expect([patchOf({ input: patch }), patchOf({ patchText: patch }), patchOf({ input: 'x' })]).toEqual([
    patch,
    patch,
    null,
  ]);
});

test('a query of operators alone has no words', () => {
  const without = [
    '',
    'kind:summary since:today',
    '-type:change',
    'file:"/a b/x.ts"',
    'file:“a b” kind:tool',
  ];
  expect(without.filter(hasWords)).toEqual([]);
  const withWords = [
    'frost',
    'file:"a b" frost',
    '"a phrase"',
    'a:"b"c',
    'https://a.b/c',
    'error:ENOENT',
    'file:',
  ];
  expect(withWords.filter((text) => !hasWords(text))).toEqual([]);
});

test('what is asked for while something is read is read afterwards, once each, and the first one first', async () => {
  const read: (string | null)[] = [];
  const ends: (() => void)[] = [];
  const ask = oneByOne((page: string | null) => {
    read.push(page);
    return new Promise<void>((resolve) => void ends.push(resolve));
  });
  for (const page of [null, null, 'second', null]) ask(page);
  expect(read).toEqual([null]);
  // Something is recorded during each reading of the newest page.
  for (const end of ends) {
    end();
    await new Promise((resolve) => setImmediate(resolve));
    if (read.length < 5 && read.at(-1) === null) ask(null);
  }
  expect(read).toEqual([null, null, 'second', null, null]);
});
