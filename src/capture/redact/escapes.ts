// Escapes that may hide a secret or a private block: those of JSON, as some programs write `<`, `=` and `"` (`password\u003dhunter2`),
// of a URL in a URL, and of HTML.

const ESCAPED = /\\+u00([2-7][0-9a-f])|%([2-7][0-9a-f])|&(quot|amp|lt|gt|apos);|&#(3[49]|x2[27]);|\\+(\/)/gi;
const NAMED: { readonly [name: string]: string } = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };

const BASE64 = /(?<![\w+/=-])[A-Za-z0-9+/]{24,8192}={0,2}(?![\w+/=-])/g;
const PRINTABLE = /^[\t\n\r -~]+$/;
/** Rules out nearly all hashes and paths, whole groups of four. */
const FIRST_CHARS = 16;

/** The text without what is base64 of a text with a secret, such as a URL with a password in a secret of Kubernetes. */
export function withoutEncoded(text: string, hasSecret: (decoded: string) => boolean): string {
  return text.replace(BASE64, (encoded) => {
    if (!PRINTABLE.test(decodedFrom(encoded.slice(0, FIRST_CHARS)))) return encoded;
    const decoded = decodedFrom(encoded);
    return PRINTABLE.test(decoded) && hasSecret(decoded) ? '[redacted:base64]' : encoded;
  });
}

function decodedFrom(encoded: string): string {
  return Buffer.from(encoded, 'base64').toString('latin1');
}

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
