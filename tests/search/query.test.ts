import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAnnalsError } from '../../log/index.ts';
import { parseQuery } from '../../src/search/index.ts';

/** A query as text, for tables: `words | "phrase" | -"excluded" | -field:value`. */
function shown(input: string): string {
  const { text, phrases, without, conditions } = parseQuery(input);
  return [
    text,
    ...phrases.map((phrase) => `"${phrase}"`),
    ...without.map((words) => `-"${words}"`),
    ...conditions.map(({ field, value, not }) => `${not ? '-' : ''}${field}:${value}`),
  ].join(' | ');
}

describe('A query', () => {
  it.each([
    // Phrases
    ['"import cycle"', 'import cycle | "import cycle"'],
    ['fix "import cycle" now', 'fix import cycle now | "import cycle"'],
    ['“import cycle” fix', 'import cycle fix | "import cycle"'],
    ['"one" "two"', 'one two | "one" | "two"'],
    // Conditions
    ['type:decision', ' | type:decision'],
    ['clock type:decision feed', 'clock feed | type:decision'],
    ['kind:tools', ' | kind:tool'],
    ['kind:Memories x', 'x | kind:memory'],
    ['file:src/a.ts', ' | file:src/a.ts'],
    ['file:"a b.ts" x', 'x | file:a b.ts'],
    ['file:“a b.ts”', ' | file:a b.ts'],
    ['file:C:\\repo\\a.ts', ' | file:C:\\repo\\a.ts'],
    ['concept:gotcha project:birdfeeder', ' | concept:gotcha | project:birdfeeder'],
    ['agent:codex session:6f1d', ' | agent:codex | session:6f1d'],
    ['since:7d until:yesterday x', 'x | since:7d | until:yesterday'],
    ['since:last-tuesday', ' | since:last-tuesday'],
    ['since:"last tuesday" x', 'x | since:last tuesday'],
    ['type:a type:b', ' | type:a | type:b'],
    // Exclusions
    ['deploy -jest', 'deploy | -"jest"'],
    ['-jest deploy', 'deploy | -"jest"'],
    ['-jest', ' | -"jest"'],
    ['deploy -jest type:bugfix -mocha', 'deploy | -"jest" | -"mocha" | type:bugfix'],
    ['deploy -"import cycle" now', 'deploy now | -"import cycle"'],
    ['x -type:Bash -kind:tool -file:a.ts', 'x | -type:Bash | -kind:tool | -file:a.ts'],
    ['x -project:old', 'x | -project:old'],
  ])('%s', (input, meaning) => {
    expect(shown(input)).toBe(meaning);
    expect(parseQuery(input).degraded).toEqual([]);
  });

  it.each([
    'TypeError: x is not a function',
    'Error: type mismatch in kind',
    'C:\\x\\type:a',
    'https://example.com/a?type:b',
    'file:///home/u/a.ts',
    'http://type:decision@host',
    '{"type":"decision"}',
    '{type:string}',
    'before:2026 after:2026 author:me',
    'Type:decision',
    'user-agent: curl',
    'rm -rf node_modules',
    'find src -name x',
    'ls -la',
    'tar -xf a.tgz',
    'git push --force',
    'exit code -11',
    'git commit -m "wip',
    'expected ("foo") but got ("bar")',
    'say "hello',
    "it's a \"half'",
    'a"b"c',
    'const x = "a";',
    'std::vector<int>::type',
    'a - b',
    '--- +++',
    '日本語 の クエリ',
  ])('%s is text and nothing else', (input) => {
    expect(shown(input)).toBe(input);
    expect(parseQuery(input).degraded).toEqual([]);
  });

  it.each([
    ['type: decision', 'type: decision', 'has no value'],
    ['x since:', 'x since:', 'has no value'],
    ['file:"a b', 'file:"a b', 'is not closed'],
    ['"to be" walrus', 'to be walrus', 'too common'],
    ['"🔥" walrus', '🔥 walrus', 'holds no words'],
  ])('%s is searched for as text, with a note', (input, text, sentence) => {
    expect(parseQuery(input)).toMatchObject({ text, phrases: [], conditions: [] });
    expect(parseQuery(input).degraded.join()).toContain(sentence);
  });

  it.each([
    ['kind:toool', 'Did you mean tool?'],
    ['kind:obs', 'Did you mean'],
    ['kind:blah', 'Kinds are prompt,'],
    ['type:""', 'type:decision'],
    ['file:" "', 'file:src/clock.ts'],
    ['-since:7d', 'until:7d'],
  ])('%s is a usage error with a hint', (input, hint) => {
    let error: unknown;
    try {
      parseQuery(input);
    } catch (thrown) {
      error = thrown;
    }
    if (!isAnnalsError(error)) throw new Error(`${input} was understood`);
    expect(error.code).toBe('USAGE');
    expect(error.hint).toContain(hint);
  });

  it('never fails on any text except with a usage error', () => {
    const pieces = fc.constantFrom(
      ...[
        'type:',
        'kind:tool',
        'kind:',
        'since:',
        '"',
        '“',
        '”',
        '-',
        ' ',
        '\n',
        ':',
        'x',
        '\ud800',
        '//',
        '0x12345f',
      ],
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (input) => {
        try {
          const { text, degraded } = parseQuery(input);
          expect(text.length).toBeLessThanOrEqual(4_000);
          expect(degraded.every((sentence) => sentence.endsWith('.'))).toBe(true);
        } catch (error) {
          if (!isAnnalsError(error) || error.code !== 'USAGE') throw error;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is searched for unchanged if it has no operators', () => {
    const word = fc.stringMatching(/^[\p{L}\p{N}_.,/\\()[\]{}<>=+*#@!?'’:;&%$|~^-]{1,12}$/u).filter((one) => {
      const isOperator = /^-?(type|kind|project|file|concept|agent|session|since|until):/.test(one);
      return !isOperator && !/^-\p{L}/u.test(one) && !/^0x/i.test(one) && one.trim() !== '';
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        const text = words.join(' ').normalize('NFC').trim();
        expect(parseQuery(text)).toEqual({ text, phrases: [], without: [], conditions: [], degraded: [] });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('A pasted message', () => {
  it('keeps its message and the user’s own frames, without addresses, positions and libraries', () => {
    const { text, degraded, conditions } =
      parseQuery(`TypeError: Cannot read properties of undefined (reading 'feed')
    at openFeeder (/home/u/birdfeeder/src/feeder.ts:120:17)
    at Module._compile (node:internal/modules/cjs/loader:1256:14)
    at run (/home/u/birdfeeder/node_modules/vitest/dist/index.js:3:1)
type:decision`);
    expect(text).toBe(
      "TypeError: Cannot read properties of undefined (reading 'feed') at openFeeder (/home/u/birdfeeder/src/feeder.ts ) type:decision",
    );
    expect(conditions).toEqual([]);
    expect(degraded).toEqual(['Stack frames, addresses and positions in the pasted text were left out.']);
  });

  it.each([
    [
      'Traceback (most recent call last):\n  File "/usr/lib/python3.11/runpy.py", line 198, in _run\n  File "app/clock.py", line 7, in tick\nValueError: seed must be positive',
      ['clock.py', 'tick', 'ValueError: seed must be positive'],
      ['runpy', '198'],
    ],
    [
      "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds\n   0: std::panicking::begin_panic\n   1: feeder::open\n",
      ['src/main.rs', 'index out of bounds', 'feeder::open'],
      ['begin_panic', ':4:5'],
    ],
    [
      'Segmentation fault\n#0 0x00007ffd1234abcd in feed_all (f=0x5581aa77) at feed.c:12\n#1 0x00007f0000001111 in __libc_start_main () from /usr/lib/libc.so.6\n',
      ['Segmentation fault', 'feed_all', 'feed.c'],
      ['0x00007ffd', 'libc'],
    ],
    [
      'panic: runtime error\n\ngoroutine 1 [running]:\nmain.open(0xc000012345)\n\t/home/u/feeder/main.go:12 +0x1d\n',
      ['panic: runtime error', 'main.open', '/home/u/feeder/main.go'],
      ['0xc000012345', ':12'],
    ],
    [
      '2026-03-25T12:00:01.123Z error pid=4711 connect ECONNREFUSED 127.0.0.1:5432\nretrying',
      ['connect ECONNREFUSED 127.0.0.1', 'retrying'],
      ['2026-03-25', '4711'],
    ],
  ])('%j', (pasted, kept, left) => {
    const { text } = parseQuery(pasted);
    for (const part of kept) expect(text).toContain(part);
    for (const part of left) expect(text).not.toContain(part);
  });

  it('is searched for unchanged if it has only frames, or is only a paragraph', () => {
    expect(parseQuery('at node:internal/a:1:2\nat node:internal/b:3:4').text).toContain('node:internal/a');
    expect(parseQuery('first line\nsecond line')).toMatchObject({
      text: 'first line second line',
      degraded: [],
    });
  });

  it('of one line loses its addresses, but a single address is searched for', () => {
    expect(parseQuery('segfault at 0x7fff5fbff8c0 in feed').text).toBe('segfault at in feed');
    expect(parseQuery('0x7fff5fbff8c0').text).toBe('0x7fff5fbff8c0');
  });
});
