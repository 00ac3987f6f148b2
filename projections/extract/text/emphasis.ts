// Removes Markdown emphasis from a text and keeps what only looks like it: `strategy_options`, `__init__`, `a * b`,
// `src/*.ts`. Emphasis begins and ends at word boundaries with the same marks. Inline code loses only its backticks.

/** Placeholder for inline code: a private use character. */
const PLACEHOLDER = '\ue000';
/** Inline code with its backticks. */
const CODE = /(`{1,2}[^`]+`{1,2})/;
const STARS = /(?<![\p{L}\p{N}*/\\])(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\1(?![\p{L}\p{N}*/])/gu;
/** A mark whose counterpart is on another line. */
const HALF =
  /(?<![^\s("'“‘])\*{2,3}(?=[\p{L}\p{N}\ue000"'“‘(])(?=[^*]*$)|(?<=[\p{L}\p{N}\ue000"'”’).,:;!?])\*{2,3}(?![^\s.,:;!?)"'”’])/gu;

export function withoutEmphasis(text: string): string {
  return /[*_`]/.test(text) ? outsideCode(text, unmarked) : text;
}

/**
 * Applies `change` to the text outside of inline code, and removes the backticks. Markup may surround inline code, so the
 * rest is changed as one text with a placeholder for each piece of code.
 */
export function outsideCode(text: string, change: (rest: string) => string): string {
  if (!text.includes('`')) return change(text);
  const pieces = text.replaceAll(PLACEHOLDER, '').split(CODE);
  const rest = pieces.map((piece, index) => (index % 2 === 1 ? PLACEHOLDER : piece)).join('');
  let code = -1;
  return change(rest).replaceAll(PLACEHOLDER, () => {
    code += 2;
    return pieces[code]!.replace(/^`+ ?| ?`+$/g, '');
  });
}

/** Removes emphasis from a text without inline code. */
export function unmarked(text: string): string {
  const rest = text.replaceAll('`', '');
  return rest.includes('*') ? rest.replace(STARS, '$2').replace(STARS, '$2').replace(HALF, '') : rest;
}
