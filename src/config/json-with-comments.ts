// JSON as people write it into settings: comments and a comma behind the last item are welcome. What two parsers could
// read differently is refused: a key that stands there twice, or one that is no key in every language.
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { jsonProblem } from '../../log/index.ts';

/** @throws SyntaxError naming the line */
export function jsonOf(given: string): unknown {
  const text = given.replace(/^\uFEFF/, '');
  const problem = jsonProblem(text, { depthMax: 20, valuesMax: 20_000 }, { comments: true });
  if (problem !== null) throw new SyntaxError(`it is ${problem}`);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const [first] = errors;
  if (first !== undefined)
    throw new SyntaxError(`${printParseErrorCode(first.error)} in line ${lineOf(first.offset)}`);
  if (tree === undefined) return undefined;
  const twice = doubtfulKey(tree);
  if (twice !== null) throw new SyntaxError(`${twice.why} in line ${lineOf(twice.offset)}`);
  return getNodeValue(tree);
}

function doubtfulKey(node: Node): { readonly why: string; readonly offset: number } | null {
  const seen = new Set<string>();
  for (const child of node.children ?? []) {
    const key = child.type === 'property' ? (child.children![0]!.value as string) : null;
    if (key !== null && (seen.has(key) || key === '__proto__')) {
      const why = seen.has(key)
        ? `the key ${JSON.stringify(key)} for the second time`
        : 'the key "__proto__"';
      return { why, offset: child.offset };
    }
    if (key !== null) seen.add(key);
    const below = doubtfulKey(child);
    if (below !== null) return below;
  }
  return null;
}
