// Fits a request into little room: the sentences that ask, without those that only lead to them.
import { leans } from '../../../projections/index.ts';
import { longWordsOf, splitSentences } from '../../terminal-text/letters-and-words.ts';
import { clipSentence } from './brief.ts';

const DESCRIBES =
  /^(?:https?:|(?:I(?:['’](?:m|ve)| got| have| get| ran| see| checked| committed)|the|there(?:['’]s)?|this|these|those|it|my|our|when|since|currently)\b)/i;
const ASKS =
  /\b(?:can|could|would) (?:you|we|I)\b|\bplease\b|\bwe (?:need to|have to|must|should)\b|\blet['’]s\b|^(?:fix|add|make|remove|change|update|create|write|find|look|apply|drop|use|implement|check|explain)\b/i;
const WISHES = /\bI(?:['’]d| would) (?:like|want|prefer)\b|\bI want\b|\?$/i;
const WORDS_MIN = 2;
/** An address takes at most this part of the room: one of three. */
const ADDRESS_SHARE = 3;

export function askedPart(request: string, charsMax: number): string {
  if (request.length <= charsMax || !DESCRIBES.test(request)) return clipSentence(request, charsMax);
  const sentences = splitSentences(request);
  const asking = [ASKS, WISHES].map((kind) => sentences.findIndex((one) => kind.test(one)));
  const at = asking.find((index) => index >= 0) ?? 0;
  // One that is not understood without the sentences before it says less than they do.
  if (at === 0 || leans(sentences[at]!) || longWordsOf(sentences[at]!).length < WORDS_MIN)
    return clipSentence(request, charsMax);
  const about = addressOf(request, charsMax / ADDRESS_SHARE);
  return `${about}…${clipSentence(sentences.slice(at).join(' '), charsMax - about.length - 1)}`;
}

/** `issues/7718 ` of an address at the beginning, with its query if there is room; empty for none, and for a longer one. */
function addressOf(request: string, charsMax: number): string {
  const ends = [/^https?:\S+/, /^https?:[^\s?#]+/].map((one) =>
    one.exec(request)?.[0].split('/').slice(-2).join('/'),
  );
  const end = ends.find((one) => one !== undefined && one.length <= charsMax);
  return end === undefined ? '' : `${end} `;
}

/** `/exit` and similar commands, and `!pwd`, which runs in the shell. */
export function isCommand(text: string): boolean {
  return /^(?:\/[\w:-]+$|!)/.test(text.trim());
}
