// English stemming by Porter2, the Snowball project's "English" algorithm as published
// (snowballstem.org/algorithms/english/stemmer.html, with the exceptions of Snowball 3). Input is lower case without
// accents; a word with any other character is returned unchanged. A changed rule changes every index, so it is part of
// the recipe's version (text-recipe.ts).

/** `connections` → `connect`. Words of one or two letters are returned unchanged. */
export function porter2(word: string): string {
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  if (word.length <= 2 || !/^['a-z]+$/.test(word)) return word;
  const marked = markConsonantY(word.startsWith("'") ? word.slice(1) : word);
  const regions = findRegions(marked);
  const steps = [plural, participle, finalY, derivation, longDerivation, latinEnding, silentEnding];
  return steps.reduce((stem, step) => step(stem, regions), marked).replaceAll('Y', 'y');
}

/** Where R1 and R2 begin: after the first non-vowel that follows a vowel, and the same again from there. */
interface Regions {
  readonly first: number;
  readonly second: number;
}

const EXCEPTIONS: ReadonlyMap<string, string> = new Map(
  (
    'andes atlas bias cosmos howe news sky skis:ski skies:sky idly:idl gently:gentl ugly:ugli early:earli ' +
    'only:onli singly:singl'
  )
    .split(' ')
    .map((entry) => entry.split(':'))
    .map(([word, stem]) => [word!, stem ?? word!]),
);

/** Writes `y` as `Y` where it is a consonant: at the beginning and after a vowel. */
function markConsonantY(word: string): string {
  return word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y');
}

function findRegions(word: string): Regions {
  const fixed = /^(?:arsen|commun|emerg|gener|inter|later|organ|past|univers)/.exec(word);
  const first = fixed ? fixed[0].length : afterVowelAndConsonant(word, 0);
  return { first, second: afterVowelAndConsonant(word, first) };
}

function afterVowelAndConsonant(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return found ? from + found.index + 2 : word.length;
}

/** Step 1a: possessives and plurals. */
function plural(word: string): string {
  const stem = word.replace(/(?:'s'|'s|')$/, '');
  if (stem.endsWith('sses')) return stem.slice(0, -2);
  if (/ie[ds]$/.test(stem)) return stem.length > 4 ? stem.slice(0, -2) : stem.slice(0, -1);
  if (/[us]s$/.test(stem)) return stem;
  if (/[aeiouy].+s$/.test(stem)) return stem.slice(0, -1);
  return stem;
}

/** Step 1b: -ed, -ing and their adverbs. */
function participle(word: string, { first }: Regions): string {
  const found = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(word);
  if (!found) return word;
  const ending = found[0];
  const stem = word.slice(0, found.index);
  if (ending.startsWith('eed'))
    return found.index >= first && !/^(?:succ|proc|exc)$/.test(stem) ? `${stem}ee` : word;
  if (ending === 'ing') {
    if (/^[^aeiouy]y$/.test(stem)) return `${stem.slice(0, -1)}ie`;
    if (/^(?:even|cann|inn|earr|herr|out)$/.test(stem)) return word;
  }
  if (!/[aeiouy]/.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return /^[aeo]..$/.test(stem) ? stem : stem.slice(0, -1);
  return first >= stem.length && endsInShortSyllable(stem) ? `${stem}e` : stem;
}

/** Step 1c: `cry` → `cri`, but not `by` or `say`. */
function finalY(word: string): string {
  return /.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

/** An ending and its replacement. */
type Ending = readonly [string, string];

const DERIVATIONS = byLastLetter([
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ogist', 'og'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
]);

/** Step 2: the longest ending of the table, when it lies in R1. */
function derivation(word: string, { first }: Regions): string {
  const found = endingOf(word, DERIVATIONS);
  if (!found) return word;
  const [ending, replacement] = found;
  const stem = word.slice(0, -ending.length);
  if (stem.length < first) return word;
  if (ending === 'li' && !/[cdeghkmnrt]$/.test(stem)) return word;
  if (ending === 'ogi' && !stem.endsWith('l')) return word;
  return stem + replacement;
}

const LONG_DERIVATIONS = byLastLetter([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]);

/** Step 3: the same for a second layer of endings; `ative` is removed only in R2. */
function longDerivation(word: string, { first, second }: Regions): string {
  const found = endingOf(word, LONG_DERIVATIONS);
  if (!found) return word;
  const [ending, replacement] = found;
  const stem = word.slice(0, -ending.length);
  return stem.length < (ending === 'ative' ? second : first) ? word : stem + replacement;
}

/** Groups endings by last letter. Most words end in a letter that no ending has, and every indexed word is looked up. */
function byLastLetter(endings: readonly Ending[]): ReadonlyMap<string, readonly Ending[]> {
  const letters = new Set(endings.map(([ending]) => ending.at(-1)!));
  return new Map([...letters].map((last) => [last, endings.filter(([ending]) => ending.endsWith(last))]));
}

function endingOf(word: string, endings: ReadonlyMap<string, readonly Ending[]>): Ending | undefined {
  return endings.get(word.at(-1) ?? '')?.find(([ending]) => word.endsWith(ending));
}

/** Step 4: endings removed in R2; `ion` only after s or t. */
function latinEnding(word: string, { second }: Regions): string {
  const found = /(?:ement|ment|able|ance|ence|ible|ant|ate|ent|ion|ism|iti|ive|ize|ous|al|er|ic)$/.exec(word);
  if (!found || found.index < second) return word;
  const stem = word.slice(0, found.index);
  return found[0] === 'ion' && !/[st]$/.test(stem) ? word : stem;
}

/** Step 5: a final `e`, and one `l` of two. */
function silentEnding(word: string, { first, second }: Regions): string {
  const stem = word.slice(0, -1);
  if (word.endsWith('e') && (stem.length >= second || (stem.length >= first && !endsInShortSyllable(stem))))
    return stem;
  if (word.endsWith('ll') && stem.length >= second) return stem;
  return word;
}

function endsInShortSyllable(stem: string): boolean {
  return (
    /[^aeiouy][aeiouy][^aeiouywxY]$/.test(stem) || /^[aeiouy][^aeiouy]$/.test(stem) || stem.endsWith('past')
  );
}
