// Captured text as it can be shown: characters that control a terminal or turn the direction of a line are replaced, so
// that a title cannot look like another one. Markup needs nothing: texts become text nodes, never HTML.

const CONTROLS =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

export function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '�').toWellFormed();
}

/** In one line. */
export function plainLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim();
}

export function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).toWellFormed()}…`;
}
