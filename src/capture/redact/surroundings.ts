// The surroundings of a key and its value: a line of YAML, a connection string, a shell expansion. The same words are a
// secret in one and code in another.
import type { KeyBefore } from './key-before.ts';
import type { Source } from './text-source.ts';

export interface Surroundings {
  /** `${NAME:-…}` and similar. */
  readonly expansion: boolean;
  /** A field between semicolons. */
  readonly connection: boolean;
  /** Inside `arn:aws:secretsmanager:…:secret:name`, which is the location of a secret and not its value. */
  readonly resource: boolean;
  /** Whether the value that ends at `end` is alone with its key on a line, as in YAML and properties. */
  isOwnLine(end: number): boolean;
}

export function surroundingsOf(source: Source, at: number, { quoted, start }: KeyBefore): Surroundings {
  const { text } = source;
  const colon = text[at] === ':';
  return {
    expansion: colon && /[-=+?]/.test(text.charAt(at + 1)) && text.startsWith('${', start - 2),
    connection: !colon && !quoted && !/\s/.test(text.charAt(at + 1)) && isField(source, start),
    resource: colon && text[start - 1] === ':' && RESOURCE.test(source.piece(start - RESOURCE_CHARS, start)),
    isOwnLine: (end) => !quoted && (text[at + 1] === ' ') === colon && isAlone(source, start, at, end),
  };
}

const RESOURCE_CHARS = 100;
const RESOURCE = /arn:[\w-]{2,16}:[\w-]{2,32}:[\w&;-]{0,24}:[\w&;-]{0,32}:$/;

function isField({ text }: Source, start: number): boolean {
  let before = start - 1;
  while (before > start - 4 && text[before] === ' ') before--;
  return text[before] === ';';
}

const NEAR = 120;
/** Start of the key's line, or of a text in quotes, after a viewer's number, a diff's mark, a list's dash. */
const LINE_START = /(?:^|\n|\\n|["'`])[ \t]{0,60}(?:\d{1,6}(?:→|[|:\t]))?[+-]?[ \t]{0,60}(?:- )?$/;
/** A line before that ends like this is code that continues. */
const CODE_BEFORE = /[,{([<>=]\s*$/;
const LINE_END = /[ \t]{0,16}(?:#[^\n]{0,100})?(?=\r|\n|\\n|["'`]|$)/y;
const CODE_AFTER = /\s{0,60}[})\],]/y;

function isAlone(source: Source, start: number, at: number, end: number): boolean {
  const { text } = source;
  const before = source.piece(start - NEAR, start);
  const line = LINE_START.exec(before);
  if (line === null || CODE_BEFORE.test(before.slice(0, line.index))) return false;
  LINE_END.lastIndex = end;
  source.steps += NEAR;
  if (!LINE_END.test(text)) return false;
  CODE_AFTER.lastIndex = LINE_END.lastIndex;
  if (CODE_AFTER.test(text)) return false;
  // In quotes on one line, it is a message: 'password: rejected'.
  return (
    text[at] === '=' || !/["'`]/.test(line[0].charAt(0)) || !/["'`]/.test(text.charAt(LINE_END.lastIndex))
  );
}
