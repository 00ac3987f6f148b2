// JSON as people write it into settings: comments and a comma behind the last item are welcome.
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** @throws SyntaxError naming the line */
export function jsonOf(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return value;
  const line = text.slice(0, first.offset).split('\n').length;
  throw new SyntaxError(`${printParseErrorCode(first.error)} in line ${line}`);
}
