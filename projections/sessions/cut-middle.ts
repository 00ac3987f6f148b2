// A long text keeps its beginning and its end: that is where reports, errors and inputs say what they are about.

export function cutMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const half = charsMax >> 1;
  return `${text.slice(0, half).toWellFormed()} … ${text.slice(-half).toWellFormed()}`;
}
