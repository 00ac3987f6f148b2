// The parts of the Messages API that an agent uses: what a request asks, and an answer complete or as a stream of
// events. A protocol is one object of this form; another agent's gets its own file.
import type { Step } from './plan.ts';

export interface Asked {
  readonly stream: boolean;
  readonly hasTools: boolean;
  /** JSON schema that the answer must follow. */
  readonly schema: Schema | null;
  readonly firstText: string;
  readonly lastText: string;
}

export interface Protocol {
  isQuestion(path: string): boolean;
  read(body: Body): Asked;
  complete(step: Step, body: Body): object;
  /** Server-sent events, in order. */
  events(step: Step, body: Body): readonly SentEvent[];
  refusal(status: number): object;
  /** The answer to a request that needs no model: token counts, lists of models. Null when unknown. */
  other(method: string, path: string): object | null;
}

export interface SentEvent {
  readonly event: string;
  readonly data: object;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

export interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly Message[];
  readonly output_config?: { readonly format?: { readonly schema?: Schema } };
}

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[];
}

const USAGE = { input_tokens: 50, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

// Ids differ between two runs: a resumed session must not hold the same tool-use id twice.
const run = `${Date.now().toString(36)}${process.pid.toString(36)}`;
let count = 0;
const newId = (prefix: string) => `${prefix}_${run}${String(++count).padStart(4, '0')}`;

export const anthropic: Protocol = {
  isQuestion: (path) => path.endsWith('/messages'),
  read: (body) => {
    const texts = (body.messages ?? []).filter(({ role }) => role === 'user').map(textOf);
    return {
      stream: body.stream === true,
      hasTools: (body.tools ?? []).length > 0,
      schema: body.output_config?.format?.schema ?? null,
      firstText: texts[0] ?? '',
      lastText: texts.at(-1) ?? '',
    };
  },
  complete: (step, body) => ({
    ...envelope(body),
    content: blocksOf(step),
    stop_reason: stopReason(step),
    usage: { ...USAGE, output_tokens: 30 },
  }),
  events: (step, body) => {
    const message = {
      ...envelope(body),
      content: [],
      stop_reason: null,
      usage: { ...USAGE, output_tokens: 1 },
    };
    return [
      sent('message_start', { message }),
      ...blocksOf(step).flatMap(blockEvents),
      sent('message_delta', {
        delta: { stop_reason: stopReason(step), stop_sequence: null },
        usage: { output_tokens: 30 },
      }),
      sent('message_stop', {}),
    ];
  },
  refusal: (status) => ({
    type: 'error',
    error: {
      type: status === 400 ? 'invalid_request_error' : 'api_error',
      message: `scripted refusal ${status}`,
    },
    request_id: newId('req'),
  }),
  other: (method, path) => {
    if (path.endsWith('/count_tokens')) return { input_tokens: 100 };
    if (method === 'HEAD') return {};
    return path.endsWith('/models') ? { data: [], has_more: false } : null;
  },
};

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n');
}

function envelope(body: Body) {
  return { id: newId('msg'), type: 'message', role: 'assistant', model: body.model, stop_sequence: null };
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object };

function blocksOf({ say, use = [] }: Step): readonly Block[] {
  const text: readonly Block[] = say === undefined ? [] : [{ type: 'text', text: say }];
  return [...text, ...use.map((call) => ({ type: 'tool_use', id: newId('toolu'), ...call }) as const)];
}

function stopReason({ use = [] }: Step): string {
  return use.length > 0 ? 'tool_use' : 'end_turn';
}

/** A block in pieces, so that the agent has to join them. */
function blockEvents(block: Block, index: number): readonly SentEvent[] {
  const isText = block.type === 'text';
  const content_block = isText ? { type: 'text', text: '' } : { ...block, input: {} };
  const pieces = halves(isText ? block.text : JSON.stringify(block.input)).map((piece) =>
    sent('content_block_delta', {
      index,
      delta: isText ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece },
    }),
  );
  return [
    sent('content_block_start', { index, content_block }),
    ...pieces,
    sent('content_block_stop', { index }),
  ];
}

function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

function sent(type: string, data: object): SentEvent {
  return { event: type, data: { type, ...data } };
}
