// What a model answered to a question about a corpus, read from its text or from the JSON that the provider enforced. Nothing is
// corrected, and whether it may be believed is decided elsewhere.
import { parseJson } from '../../../log/index.ts';
import { REPLY_CHARS_MAX } from './reply.ts';

export type CorpusReply =
  | {
      readonly valid: true;
      /** Null when the model says that the passages hold no answer. */
      readonly answer: string | null;
      /** As the model named them. */
      readonly citations: readonly string[];
    }
  | {
      readonly valid: false;
      /** One sentence, without any text of the reply. */
      readonly reason: string;
    };

/** JSON schema, as providers want it. */
export const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    answer: { type: ['string', 'null'] },
    citations: { type: 'array', items: { type: 'string' } },
  },
  required: ['answer', 'citations'],
  additionalProperties: false,
};

/** Never throws. */
export function parseAnswer(text: string, form: 'tags' | 'schema'): CorpusReply {
  if (text.length > REPLY_CHARS_MAX)
    return { valid: false, reason: `The answer has more than ${REPLY_CHARS_MAX} characters.` };
  return form === 'schema' ? ofJson(text) : ofTags(text);
}

function ofJson(text: string): CorpusReply {
  const parsed = parseJson(text);
  if (!('value' in parsed))
    return { valid: false, reason: 'The answer is no JSON: it may have been cut off.' };
  const { answer, citations } = (parsed.value ?? {}) as {
    readonly answer?: unknown;
    readonly citations?: unknown;
  };
  const isText = typeof answer === 'string' || answer === null;
  if (!isText || !Array.isArray(citations) || citations.some((one) => typeof one !== 'string'))
    return { valid: false, reason: 'The answer has another form than the schema.' };
  return validAnswer(answer, citations as string[]);
}

const NO_ANSWER = /<no_answer\s*\/>/i;

/** The answer ends at the last closing tag: it may hold code. */
function ofTags(text: string): CorpusReply {
  const begin = /<answer>/i.exec(text);
  const end = text.toLowerCase().lastIndexOf('</answer>');
  if (begin !== null && end > begin.index)
    return validAnswer(text.slice(begin.index + begin[0].length, end), []);
  if (begin === null && NO_ANSWER.test(text)) return validAnswer(null, []);
  return { valid: false, reason: 'The reply holds no whole answer.' };
}

function validAnswer(answer: string | null, citations: readonly string[]): CorpusReply {
  const trimmed = answer?.trim() ?? '';
  return { valid: true, answer: trimmed === '' ? null : trimmed, citations };
}
