import * as z from 'zod';
import { nextCall, shortLine } from '../common/past-text.ts';
import { defineTool, ToolFailure } from '../common/tool.ts';

const LIST_MAX = 50;

export const save = defineTool({
  name: 'save',
  title: 'Save a memory',
  description:
    'Saves a note for later sessions of this project: a decision and its reason, a lesson, a way around a problem. Write it so that ' +
    'it can be understood without this session. It is kept as the note of an agent, also when a person asked for it. Do not save secrets, ' +
    'or what the code or its history says already.',
  input: z.strictObject({
    title: z.string().trim().min(1).max(500).describe('One line.'),
    text: z.string().trim().min(1).max(20_000),
    type: z.string().trim().min(1).max(64).optional().describe('decision, lesson, todo or another word.'),
    files: z.array(z.string().min(1).max(1_000)).max(LIST_MAX).optional().describe('Files that it is about.'),
    concepts: z
      .array(z.string().min(1).max(100))
      .max(LIST_MAX)
      .optional()
      .describe('Keywords to find it by.'),
  }),
  output: z.object({ id: z.string(), project: z.string() }),
  effect: 'adds',
  async run({ title, text, type, files, concepts }, { ask, folder, client }) {
    const cwd = await folder();
    if (cwd === null)
      throw new ToolFailure(
        'The client names no folder, so the note would belong to no project. Go on without it.',
      );
    const memory = {
      ...{ title, text, cwd, author: 'agent' as const, metadata: { via: 'mcp', client } },
      ...(type === undefined ? {} : { type }),
      ...(files === undefined ? {} : { files }),
      ...(concepts === undefined ? {} : { concepts }),
    };
    // Before the save too, because an agent saves again after a failure. The first save in a folder may change its name.
    const before = await ask((annals) => annals.project(cwd));
    const { id } = await ask((annals) => annals.save(memory), { changes: true });
    const { name } = await ask((annals) => annals.project(cwd)).catch(() => before);
    const project = shortLine(name);
    const lines = [`Saved as ${id} in project ${project}, as the note of an agent.`];
    return { answer: { id, project }, project, lines, nextCalls: [nextCall('get', { ids: [id] })] };
  },
});
