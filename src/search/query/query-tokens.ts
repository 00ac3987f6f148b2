// Splits one line of a query into operators, phrases and words. An operator or a phrase begins and ends at a word
// boundary: `a:"b"c`, `{type:string}`, `(“so”)` and a single quotation mark are ordinary words.
//
//   token    = [ "-" ] operator | [ "-" ] phrase | word
//   operator = name ":" ( value | phrase )      value: no space, no quote in front, not "//…" (a URL)
//   phrase   = '"' … '"' | '“' … '”'            on one line

export const OPERATORS = [
  'type',
  'kind',
  'project',
  'file',
  'concept',
  'outcome',
  'agent',
  'session',
  'since',
  'until',
] as const;
export type Operator = (typeof OPERATORS)[number];

export type Token =
  | {
      readonly is: 'operator';
      readonly name: Operator;
      readonly value: string;
      readonly not: boolean;
    }
  | { readonly is: 'phrase'; readonly text: string; readonly not: boolean }
  | { readonly is: 'word'; readonly text: string };

const NAMES = OPERATORS.join('|');
const PHRASE = '"([^"]*)"|“([^“”]*)”';
const TOKEN = new RegExp(
  `(-?)(${NAMES}):(?:${PHRASE}|((?!//)[^\\s"“]\\S*))(?!\\S)|(-?)(?:${PHRASE})(?!\\S)|\\S+`,
  'gu',
);

export function tokensOf(line: string): Token[] {
  return Array.from(line.matchAll(TOKEN), (match): Token => {
    const [whole, minus, name, plainQuoted, curlyQuoted, value, dash, plain, curly] = match;
    if (name !== undefined)
      return {
        is: 'operator',
        name: name as Operator,
        value: (plainQuoted ?? curlyQuoted ?? value ?? '').trim(),
        not: minus === '-',
      };
    const phrase = plain ?? curly;
    return phrase === undefined
      ? { is: 'word', text: whole }
      : { is: 'phrase', text: phrase.trim(), not: dash === '-' };
  });
}

const LEFT_OPEN = new RegExp(`^-?(${NAMES}):(["“].*)?$`, 'u');

/** The operator that a word seems to mean although it has no value: `type: decision`, `file:"a b`; null otherwise. */
export function leftOpen(word: string): Operator | null {
  return (LEFT_OPEN.exec(word)?.[1] ?? null) as Operator | null;
}
