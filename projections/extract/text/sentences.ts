// Splits text into sentences, and shortens and capitalizes them.

/** Ends with an abbreviation, or with a prefix of Git's autosquash. */
const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|vs|etc|cf|approx|no|incl|resp)|\b\p{Lu})\.$|\b(?:fixup|squash|amend)!$/iu;

/** Ends with a word and a full stop: the next piece is a new sentence, even if it begins with a command's name. */
const WORD_ENDS = /\p{L}{3}[.!?][)"'”’]?$/u;

/** "…, which we read twice (or do we?)": the sentence may go on after what is in parentheses. */
const PARENTHESIS_ENDS = /\([^()]*[.!?]\)$/;

export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  // Code of a sentence has marks of its own: "emits a . path", "never[] ?? []".
  for (const piece of text.split(
    /(?<=[^\s.!?][.!?]+[)"'”’]?)\s+|(?<=[。！？][」』”’）)]?)(?![」』”’）)])/u,
  )) {
    const last = sentences.at(-1);
    const goesOn =
      last !== undefined &&
      (ABBREVIATION.test(last) ||
        (/^\p{Ll}+(?:[\s,.-]|$)/u.test(piece) && (!WORD_ENDS.test(last) || PARENTHESIS_ENDS.test(last))));
    if (goesOn) sentences[sentences.length - 1] = `${last} ${piece}`;
    else if (piece.trim() !== '') sentences.push(piece.trim());
  }
  return sentences;
}

/** As many complete sentences as fit; a first sentence that is too long is cut. */
export function fittingSentences(sentences: readonly string[], charsMax: number): string {
  let text = '';
  for (const sentence of sentences) {
    const longer = text === '' ? sentence : `${text} ${sentence}`;
    if (longer.length > charsMax) break;
    text = longer;
  }
  return text === '' && sentences[0] !== undefined ? cutAtWord(sentences[0], charsMax) : text;
}

/** Cuts a text at a word, with an ellipsis. If what is cut off takes back or limits it, that is said: "… but…". */
export function cutAtWord(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const head = wordsWithin(text, charsMax - 1);
  const turn = turnAfter(text, head.length, TURN_SOON_CHARS)?.word ?? '';
  if (turn === '' || charsMax < TURN_CHARS_MIN) return `${head}…`;
  const shorter = wordsWithin(text, charsMax - turn.length - 3);
  return `${shorter}… ${turn}…`;
}

function wordsWithin(text: string, charsMax: number): string {
  const head = text.slice(0, charsMax).toWellFormed();
  const space = head.lastIndexOf(' ');
  return (space > charsMax / 2 ? head.slice(0, space) : head).replace(/[\s,;:(–—-]+$/, '');
}

const TURN_CHARS_MIN = 40;
/** What comes later need not be about what is shown. */
const TURN_SOON_CHARS = 40;
/** The rest of the sentence takes back or limits what is before it. */
const TURN =
  /;[^.!?;]*?(?:\b(?:not|never|no|cannot|nicht|kein\w*|nie|pas|jamais|nunca)\b|n['’]t\b)|；[^。！？；]*?[不没沒无無未]|(?<=^|[\s,;(—–-])(but(?! (?:also|rather)\b)|however|unless|except|(?:even )?though|although|only if|aber|jedoch|sondern|außer|sofern|obwohl|mais|sauf|cependant|toutefois|pero|sino|excepto|salvo|aunque)\b|(?<=[，、；\s])(但是?|不[过過]|然而|除非|只是|可是|ただし|しかし)/i;
const SENTENCE_END = /[.!?](?=\s+[\p{Lu}`"“]|\s*$)|[。！？]/u;

/** The clause of a sentence that takes back or limits what is before it. */
export interface Turn {
  /** In lower case; empty for a clause after a semicolon that denies something. */
  readonly word: string;
  /** From the word to the end of the sentence. */
  readonly clause: string;
}

/**
 * The first turn of the sentence after a place; null for none.
 * @param charsMax it begins within so many characters from the place
 */
export function turnAfter(text: string, at: number, charsMax = Number.POSITIVE_INFINITY): Turn | null {
  const rest = text.slice(at);
  const end = SENTENCE_END.exec(rest)?.index ?? rest.length;
  const found = TURN.exec(rest.slice(0, end));
  if (found === null || found.index >= charsMax) return null;
  const word = found[1] ?? found[2] ?? '';
  return { word: word.toLowerCase(), clause: rest.slice(found.index, end + 1) };
}

const COMMAND = /^(?:npm|npx|pnpm|yarn|git|cargo|pip|docker|kubectl|gofmt|eslint|tsc|rustc|gradle|mvn)\s/;

const FILE = /^[\w-]+\.\w{1,5}(?:\.\w{1,5})?(?=[\s:,]|$)/;

/** Capitalizes the first letter, except of an identifier or a command: `getName` is not `GetName`. */
export function capital(text: string): string {
  if (COMMAND.test(text) || FILE.test(text)) return text;
  return /^\p{Ll}+(?:[\s,;:.!?'’-](?!=|:=)|$)/u.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
}

/** Counts runs of non-space with a letter or a digit. Written without a regular expression, because every sentence needs it. */
export function wordCount(text: string): number {
  let words = 0;
  let inside = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit <= 32) inside = false;
    else if (
      !inside &&
      (unit > 127 || (unit >= 48 && unit <= 57) || ((unit | 32) >= 97 && (unit | 32) <= 122))
    ) {
      inside = true;
      words++;
    }
  }
  return words;
}

/** Chinese, Japanese, Thai …: words are not separated by spaces, so a word count does not measure length. */
export function isDense(text: string): boolean {
  return /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(text);
}
