// Finds the sentence that links a newer text to an older statement. The sentence assigns a value to an identifier of the
// same words, sets the same thing, says that something named there was replaced, or makes the same decision. It matches
// the forms in which people and agents report a change. A plain word does not count as a name, and neither does a file:
// files come and go for other reasons.
import { termsOf } from '../../projections/text/index.ts';

export type Terms = ReadonlySet<string>;

const VALUE = /^(?:-?\d|[`"'“]|true\b|false\b)/;
/** A value, or something written like a name. */
const VALUE_OR_NAME = /^(?:-?\d|[`"'“]|true\b|false\b|[A-Z]|\w*[/_]|[a-z]+[A-Z])/;
/** `SAMPLE_MS is 250`, `maxRetries = 5`. */
const ASSIGNED =
  /(?<![\w./-])([A-Za-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)`?\s*(?:=|:|→|->|is|was set to|set to|to|of)\s*(?:now |set to )?(\S+)/g;
/** `lower the minimum rate to 65`, `bumped Go from 1.25 to 1.26`. */
const SET =
  /\b(?:set|chang|lower|rais|increas|decreas|reduc|extend|shorten|bump|upgrad|updat|downgrad|switch|mov|migrat|renam)\w* ((?:[\w`./-]+ ){1,6}?)(?:from (?:[\w`./-]+ ){1,2})?(?:in)?to (\S+)/gi;
/** A quoted name, or one or two words. */
const NAME = '(`[^`\\n]{2,60}`|“[^”\\n]{2,60}”|[\\w./-]+(?: [\\w./-]+)?)';
/** `SQLite is gone`, `magic links were removed`, `Inter is no longer bundled`: the words after the name. */
const GONE =
  / (?:is|are|was|were|has been|have been) (?:now )?(?:gone|removed|dropped|deleted|replaced|renamed|retired|merged|moved|given up|no longer)\b/gi;
const NAME_CHARS_MAX = 62;
const BEFORE = new RegExp(`${NAME}$`);
/** `renamed people to contacts`, `instead of Redis`. */
const LEFT = new RegExp(
  `\\b(?:renam(?:e|ed|ing)|replac(?:e|es|ed|ing)|remov(?:e|ed|ing)|drop(?:ped|ping)?|merged|changed|(?:moved|switched|migrated) from|instead of|no longer) (?:the )?(?:\\w+ )?(?!(?:in)?to\\b|from\\b|with\\b|by\\b)${NAME}`,
  'gi',
);
const FILE = /\.[a-z]{1,4}\b/;
const DECIDES = /\b(?:decision|decided|agreed|settled)\b/i;

/** Words in identifiers for bounds and units, and the words that prose uses for them. */
const SPOKEN: ReadonlyMap<string, string> = new Map([
  ['max', 'maximum most limit'],
  ['min', 'minimum least'],
  ['limit', 'maximum most max'],
  ['s', 'second'],
  ['sec', 'second'],
  ['ms', 'millisecond second'],
]);

/**
 * The first sentence that is linked to one of the older statements; null if there is none.
 * @param asked the terms of the query: a link must be about one of them
 * @param mayDecide whether the document matches the query well enough to accept a decision of the same words
 */
export function linkedSentence(
  sentences: readonly string[],
  stated: readonly Terms[],
  asked: Terms,
  mayDecide: boolean,
): string | null {
  const isLinked = (sentence: string, index: number) => {
    const identifiers = assignedIn(sentence);
    const matters = setIn(sentence);
    const isDecision = mayDecide && DECIDES.test(sentence);
    const names = replacedIn(sentence);
    const beside = () => termsOf(sentences.slice(Math.max(0, index - 1), index + 2).join(' '));
    const replaced = names.length > 0 && beside().some((term) => asked.has(term)) ? names : [];
    return stated.some(
      (older) =>
        identifiers.some((words) => isAbout(words, older, asked)) ||
        matters.some((terms) => isMatter(terms, older, asked)) ||
        replaced.some((terms) => terms.every((term) => older.has(term))) ||
        (isDecision && isSameMatter(new Set(termsOf(sentence)), older, asked)),
    );
  };
  return sentences.find(isLinked) ?? null;
}

export function shared(one: Terms, other: Terms): string[] {
  return [...one].filter((term) => other.has(term));
}

/** The words of each identifier that is assigned a value. */
function assignedIn(sentence: string): string[][] {
  return Array.from(sentence.matchAll(ASSIGNED))
    .filter(([, , value = '']) => VALUE.test(value))
    .map(([, name = '']) => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[ _]+/));
}

/** The terms of each thing that is set: at least two terms, or a name. */
function setIn(sentence: string): string[][] {
  return Array.from(sentence.matchAll(SET))
    .filter(([, , value = '']) => VALUE_OR_NAME.test(value))
    .map(([, matter = '']) => ({ matter, terms: termsOf(matter) }))
    .filter(({ matter, terms }) => terms.length >= 2 || (terms.length === 1 && /[`_A-Z\d]/.test(matter)))
    .map(({ terms }) => terms);
}

/** The terms of each name that was replaced; for a name of two words, also the terms of the nearer word. */
function replacedIn(sentence: string): string[][] {
  const gone = Array.from(sentence.matchAll(GONE), ({ index }) => {
    const [name = ''] = BEFORE.exec(sentence.slice(Math.max(0, index - NAME_CHARS_MAX), index)) ?? [];
    return [name, name.split(' ').at(-1)!];
  });
  const left = Array.from(sentence.matchAll(LEFT), ([, name = '']) => [name, name.split(' ')[0]!]);
  return [...gone, ...left]
    .flatMap(([name, nearer]) => (/[`“]/.test(name!) ? [name!] : [name!, nearer!]))
    .filter((name) => !FILE.test(name))
    .map((name) => ({ name, terms: termsOf(name) }))
    .filter(({ name, terms }) => terms.length >= 2 || (terms.length === 1 && /[`“A-Z\d_/]/.test(name)))
    .map(({ terms }) => terms);
}

/** Every word is in the older statement or the query, and at least one is in the query. */
function isAbout(words: readonly string[], older: Terms, asked: Terms): boolean {
  const isKnown = (word: string) =>
    termsOf(`${word} ${SPOKEN.get(word.toLowerCase()) ?? ''}`).some(
      (term) => asked.has(term) || older.has(term),
    );
  // `M` or `A` alone is a unit or an article.
  return (
    words.filter((word) => termsOf(word).length > 0).every(isKnown) &&
    words.some((word) => termsOf(word).some((term) => asked.has(term)))
  );
}

/** Every term is in the older statement or the query, and they cover half of what the two have in common. */
function isMatter(terms: readonly string[], older: Terms, asked: Terms): boolean {
  const common = terms.filter((term) => asked.has(term)).length;
  return (
    common > 0 &&
    terms.every((term) => asked.has(term) || older.has(term)) &&
    2 * common >= shared(asked, older).length
  );
}

/** The sentence has every term that the older statement shares with the query. */
function isSameMatter(terms: Terms, older: Terms, asked: Terms): boolean {
  const matter = shared(asked, older);
  return matter.length >= 2 && matter.every((term) => terms.has(term));
}
