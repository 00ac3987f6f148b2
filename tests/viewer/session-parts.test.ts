// How the viewer groups the parts of a turn and counts kinds. No browser.
import { expect, test } from 'vitest';
import {
  type Group,
  groupsOf,
  isPlausible,
  partsIn,
  type TurnPart,
  usageOf,
} from '../../src/viewer/api/session-parts.ts';
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
