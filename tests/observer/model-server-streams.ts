// The same replies as server-sent events, for a request with `stream: true`.
import type { ModelBody } from './model-server-types.ts';

const PIECE_CHARS = 40;

/** @param reply the JSON of a whole reply */
export function messageEvents(reply: string): string[] {
  const { content, stop_reason, stop_sequence, usage, ...message } = JSON.parse(reply) as ModelBody;
  const begun = { ...message, content: [], stop_reason: null, stop_sequence: null };
  return [
    named('message_start', { message: { ...begun, usage: { ...usage, output_tokens: 1 } } }),
    ...content.flatMap(({ text }: ModelBody, index: number) => [
      named('content_block_start', { index, content_block: { type: 'text', text: '' } }),
      named('ping', {}),
      ...pieces(text).map((piece) =>
        named('content_block_delta', { index, delta: { type: 'text_delta', text: piece } }),
      ),
      named('content_block_stop', { index }),
    ]),
    named('message_delta', {
      delta: { stop_reason, stop_sequence },
      usage: { output_tokens: usage?.output_tokens ?? 0 },
    }),
    named('message_stop', {}),
  ];
}

export function chatEvents(reply: string): string[] {
  const { choices, usage, ...completion } = JSON.parse(reply) as ModelBody;
  const [{ message, finish_reason }] = choices;
  const chunk = (delta: object, end: string | null, more: object = {}) =>
    `data: ${JSON.stringify({
      ...{ ...completion, object: 'chat.completion.chunk', ...more },
      choices: [{ index: 0, delta, finish_reason: end }],
    })}\n\n`;
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...pieces(message.content).map((content) => chunk({ content }, null)),
    chunk({}, finish_reason, { usage }),
    'data: [DONE]\n\n',
  ];
}

function named(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function pieces(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${PIECE_CHARS}}`, 'gu')) ?? [];
}
