// Escapes that may hide a secret or a private block: those of JSON, as some programs write `<`, `=` and `"` (`password\u003dhunter2`),
// of a URL in a URL, and of HTML.

const ESCAPED = /\\+u00([2-7][0-9a-f])|%([2-7][0-9a-f])|&(quot|amp|lt|gt|apos);|&#(3[49]|x2[27]);|\\+(\/)/gi;
const NAMED: { readonly [name: string]: string } = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };

/** The text with these characters as they are meant. The same text when it has none. Linear. */
export function unescaped(text: string): string {
  if (!/[\\%&]/.test(text)) return text;
  return text.replace(
    ESCAPED,
    (_, json?: string, url?: string, named?: string, numbered?: string, slash?: string) => {
      const code = json ?? url;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      if (named !== undefined) return NAMED[named.toLowerCase()]!;
      return slash ?? (/^(?:34|x22)$/i.test(numbered!) ? '"' : "'");
    },
  );
}
