// Parses JSON as people write it in settings: comments and a comma after the last item are allowed. What two parsers
// could read differently is refused: a duplicate key, or the key "__proto__".
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
  const ambiguous = ambiguousKey(tree);
  if (ambiguous !== null) throw new SyntaxError(`${ambiguous.why} in line ${lineOf(ambiguous.offset)}`);
  return getNodeValue(tree);
}

function ambiguousKey(node: Node): { readonly why: string; readonly offset: number } | null {
  const seen = new Set<string>();
  for (const child of node.children ?? []) {
    const key = child.type === 'property' ? (child.children![0]!.value as string) : null;
    if (key !== null && (seen.has(key) || key === '__proto__')) {
      const why = seen.has(key) ? `duplicate key ${JSON.stringify(key)}` : 'the key "__proto__"';
      return { why, offset: child.offset };
    }
    if (key !== null) seen.add(key);
    const nested = ambiguousKey(child);
    if (nested !== null) return nested;
  }
  return null;
}
