// Prompts that a person starts by name: what is known of a topic, and a hand-over to the next session.
import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { markedText, shortLine } from './common/past-text.ts';
import type { MakeCall } from './common/tool.ts';
import { orProtocolError } from './resources.ts';
import { search } from './tools/search.ts';

const RESULTS = 10;
const TOPIC_CHARS_MAX = 1_000;

export function registerPrompts(server: McpServer, callOf: MakeCall): void {
  server.registerPrompt(
    'recall',
    {
      title: 'Recall',
      description: 'What earlier sessions know about a topic.',
      argsSchema: z.object({
        topic: z.string().min(1).max(TOPIC_CHARS_MAX).describe('Words, an error, a file.'),
      }),
    },
    async ({ topic }, ctx) => {
      const call = callOf(ctx);
      const found = await orProtocolError(call, () => search.run({ query: topic, limit: RESULTS }, call));
      return message([
        `Recall what earlier sessions of this project know about: ${shortLine(topic, TOPIC_CHARS_MAX)}`,
        'Open what matters with get, timeline and why of the annals server. Say what is known and since when, name the ids that you used, and say so if nothing fits.',
        markedText('search', found),
      ]);
    },
  );
  server.registerPrompt(
    'handover',
    { title: 'Hand-over', description: 'Writes down where this session stops, for the next one.' },
    async (ctx) => {
      const call = callOf(ctx);
      const text = await orProtocolError(call, async () => {
        const cwd = await call.folder();
        return cwd === null ? '' : (await call.ask((annals) => annals.context({ cwd }))).text;
      });
      return message([
        'Write a hand-over of this session for the next one: what was asked, what is done and how it was checked, what is open, decisions with their reasons, and what did not work. Name files and commands. Leave out what the memory below says already.',
        'Then keep it with save of the annals server, with the type "handover".',
        text === '' ? 'The memory holds nothing of this project yet.' : text,
      ]);
    },
  );
}

function message(paragraphs: readonly string[]) {
  const text = paragraphs.join('\n\n');
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
