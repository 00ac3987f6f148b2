// Reads server-sent events from the body of an answer. A plain EventSource cannot send the token.

export interface ServerMessage {
  readonly event: string;
  readonly data: string;
}

export async function* messagesOf(body: ReadableStream<BufferSource>): AsyncGenerator<ServerMessage> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const message = messageOf(block);
      if (message !== null) yield message;
    }
  }
}

/** Null for a block without data, such as `retry: 1000`. */
function messageOf(block: string): ServerMessage | null {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') };
  });
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value);
  if (data.length === 0) return null;
  return { event: fields.find(({ name }) => name === 'event')?.value ?? 'message', data: data.join('\n') };
}
