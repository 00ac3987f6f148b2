// Takes Markdown's emphasis off a text and leaves alone what only looks like it: `strategy_options`, `__init__`,
// `a * b`, `src/*.ts`. Emphasis stands at the borders of words and closes as it opened. A piece of code keeps every
// sign it has; only the marks around it go.

/** A sign that no text means: private use. */
const WORKDIR = '\ue000';
/** A piece of code with its marks. */
const CODE = /(`{1,2}[^`]+`{1,2})/;
const STARS = /(?<![\p{L}\p{N}*/\\])(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\1(?![\p{L}\p{N}*/])/gu;
const LINES =
  /(?<![\p{L}\p{N}_/\\.])(_{1,3})(?=[^\s_])((?:[^_\n]|(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}]))*[^\s_])\1(?![\p{L}\p{N}_/(])/gu;
/** `__init__` is a name, `__not now__` is emphasis. */
const NAME = /^[a-z][a-z0-9_]*$/i;
/** What opens or closes emphasis that another line holds the other end of. */
const HALF =
  /(?<![^\s("'“‘])\*{2,3}(?=[\p{L}\p{N}\ue000"'“‘(])(?=[^*]*$)|(?<=[\p{L}\p{N}\ue000"'”’).,:;!?])\*{2,3}(?![^\s.,:;!?)"'”’])/gu;

export function withoutEmphasis(text: string): string {
  return /[*_`]/.test(text) ? outsideCode(text, unmarked) : text;
}

/**
 * Changes what stands outside of pieces of code, and takes the marks off these. Markup may stand around a piece of code,
 * so the rest is changed as a whole, with one sign in the place of each piece.
 */
export function outsideCode(text: string, change: (rest: string) => string): string {
  if (!text.includes('`')) return change(text);
  const pieces = text.replaceAll(WORKDIR, '').split(CODE);
  const rest = pieces.map((piece, index) => (index % 2 === 1 ? WORKDIR : piece)).join('');
  let code = -1;
  return change(rest).replaceAll(WORKDIR, () => {
    code += 2;
    return pieces[code]!.replace(/^`+ ?| ?`+$/g, '');
  });
}

/** Of a text without code. */
export function unmarked(text: string): string {
  const starred = text.includes('*')
    ? text.replace(STARS, '$2').replace(STARS, '$2').replace(HALF, '')
    : text;
  const lined = starred.includes('_')
    ? starred.replace(LINES, (whole, marks: string, words: string) =>
        marks.length > 1 && NAME.test(words) ? whole : words,
      )
    : starred;
  return lined.replaceAll('`', '');
}
