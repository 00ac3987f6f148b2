// Fails when a retired word comes back into names, comments, messages or pages. The glossary (docs/glossary.md) has the
// words that replaced them.
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { read, trackedFiles } from './source-files.ts';

/** Words that no name may contain, in any camelCase segment. */
const RETIRED_IN_NAMES: ReadonlySet<string> = new Set(
  (
    'telling tellings told retold witness witnesses witnessed heard hears verdict anchor anchors shelf workshop gist ' +
    'cured mended aside unite united adopt adopted carried sweep bare lately anew story standing stands stood closing ' +
    'stretch partition overflown doubtful whoever somebody whom'
  ).split(' '),
);

/** Words and phrases that no comment, message or page may contain. */
const RETIRED_IN_PROSE: readonly string[] = [
  'witness',
  'witnesses',
  'telling',
  'tellings',
  'retold',
  'whoever',
  'anchor',
  'anchors',
  'shelf',
  'workshop',
  'gist',
  'leans on',
  'of which it is',
  'stands beside',
  'bears out',
  'is told of',
  'tells of',
  'told of',
  'told by',
  'hook tells',
  'hook told',
  'hooks told',
  'at home here',
  'anew',
  'lately',
  'whom',
];

interface Exception {
  readonly in: RegExp;
  /** Words, or whole names; `all` for a folder that is not checked yet. */
  readonly words: readonly string[] | 'all';
  readonly why: string;
}

const NAME_EXCEPTIONS: readonly Exception[] = [
  { in: /^src\/viewer\//, words: ['aside'], why: 'An element of HTML.' },
  {
    in: /^src\/capture\/redact\//,
    words: ['anchor', 'anchors', 'bare'],
    why: 'The prefix of a token; a value without quotes.',
  },
  {
    in: /./,
    words: ['closing', 'isFreeStanding'],
    why: 'Brackets, quotes and tags are closed; a token stands free.',
  },
];

const PROSE_EXCEPTIONS: readonly Exception[] = [
  { in: /^src\/capture\/redact\//, words: ['anchor', 'anchors'], why: 'The prefix of a token.' },
  { in: /test-commands\.ts$/, words: ['anchor'], why: 'A build tool.' },
  { in: /^projections\/text\/stop-words\.ts$/, words: ['whom'], why: 'A list of words.' },
  { in: /^tests\//, words: ['workshop'], why: 'An ordinary word in a transcript.' },
];

interface Found {
  readonly word: string;
  readonly text: string;
}

test('names of the product contain no retired word', () => {
  const found = sources('log', 'projections', 'src')
    .filter((path) => mayContain(path, RETIRED_IN_NAMES))
    .flatMap((path) => reported(path, NAME_EXCEPTIONS, retiredNames(parse(path, read(path)))));
  expect(found).toEqual([]);
});

test('comments, messages and pages contain no retired word', () => {
  const pages = trackedFiles().filter((path) => /^(docs\/.+|README|CONTRIBUTING)\.md$/.test(path));
  const found = [
    ...pages.flatMap((path) => reported(path, PROSE_EXCEPTIONS, retiredProse([read(path)]))),
    ...sources('log', 'projections', 'src', 'tests', 'bench', 'scripts', 'examples')
      .filter((path) => !path.startsWith('tests/repository/') && mayContain(path, RETIRED_IN_PROSE))
      .flatMap((path) => reported(path, PROSE_EXCEPTIONS, retiredProse(proseOf(parse(path, read(path)))))),
  ];
  expect(found).toEqual([]);
});

describe('the check', () => {
  const source = parse(
    'example.ts',
    `// Whoever reads this\nconst firstWitness = 'a telling of two words'; /* fine */ const short = 'gist';`,
  );

  test('finds a retired word in a segment of a name', () => {
    expect(retiredNames(source)).toEqual([{ word: 'witness', text: 'firstWitness' }]);
  });

  test('finds a retired word in a comment and in a message, but not in a word list', () => {
    expect(retiredProse(proseOf(source)).map(({ word }) => word)).toEqual(['whoever', 'telling']);
  });
});

function sources(...folders: readonly string[]): string[] {
  return trackedFiles().filter(
    (path) =>
      folders.includes(path.split('/')[0]!) && /\.(ts|tsx|mjs)$/.test(path) && !path.includes('/fixtures/'),
  );
}

/** Most files contain no retired word at all, and need not be parsed. */
function mayContain(path: string, words: Iterable<string>): boolean {
  return new RegExp([...words].join('|').replaceAll(' ', '\\s+(?:// |\\* )?'), 'i').test(read(path));
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

function reported(path: string, exceptions: readonly Exception[], found: readonly Found[]): string[] {
  const here = exceptions.filter((exception) => exception.in.test(path));
  return found
    .filter(
      ({ word, text }) =>
        !here.some(({ words }) => words === 'all' || words.includes(word) || words.includes(text)),
    )
    .map(({ word, text }) => `${path}: "${word}" in ${text}`);
}

/** Names that contain a retired word, each once. */
function retiredNames(source: ts.SourceFile): Found[] {
  const names = new Set<string>();
  for (const token of tokensOf(source))
    if (ts.isIdentifier(token) || ts.isPrivateIdentifier(token)) names.add(token.text);
  return [...names].flatMap((name) =>
    segmentsOf(name)
      .filter((segment) => RETIRED_IN_NAMES.has(segment))
      .map((word) => ({ word, text: name })),
  );
}

/** `firstWitness` and `FIRST_WITNESS` → first, witness. */
function segmentsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

function retiredProse(texts: readonly string[]): Found[] {
  return texts.flatMap((text) =>
    [...text.matchAll(PROSE)].map(({ 0: word, index }) => ({
      word: word.toLowerCase().replace(/\s+/g, ' '),
      text: text.slice(Math.max(0, index - 40), index + 40).replace(/\s+/g, ' '),
    })),
  );
}

const PROSE = new RegExp(`\\b(?:${RETIRED_IN_PROSE.join('|').replaceAll(' ', '\\s+')})\\b`, 'gi');

/** Comments, and strings of at least three words. Shorter strings are keys and entries of word lists. */
function proseOf(source: ts.SourceFile): string[] {
  const texts: string[] = [];
  for (const token of tokensOf(source)) {
    const before = source.text.slice(token.getFullStart(), token.getStart(source)).trim();
    if (before !== '') texts.push(before);
    if (ts.isStringLiteralLike(token) || ts.isTemplateHead(token) || ts.isTemplateMiddleOrTemplateTail(token))
      if (token.text.trim().split(/\s+/).length > 2) texts.push(token.text);
  }
  return texts;
}

function* tokensOf(node: ts.Node): Generator<ts.Node> {
  const children = node.getChildren();
  if (children.length === 0) yield node;
  for (const child of children) yield* tokensOf(child);
}
