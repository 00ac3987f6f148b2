// Resources and prompts, on a server in this process.
import { describe, expect, test } from 'vitest';
import { clientHere, FEEDER, filledHome, sessionId } from './clients.ts';

describe('resources', () => {
  test('are the projects, and the newest sessions of the client’s project', async () => {
    const home = await filledHome((annals) =>
      annals.save({ title: 'Frost in the greenhouse', text: 'Another project.', project: 'green house/2' }),
    );
    const { client } = await clientHere(home);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).sort()).toEqual([
      'annals://project/feeder',
      'annals://project/green%20house%2F2',
      `annals://session/${sessionId(1)}`,
      `annals://session/${sessionId(2)}`,
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'annals://project/{name}',
      'annals://session/{id}',
    ]);
  });

  test('a project is the brief of its next session', async () => {
    const { client } = await clientHere(await filledHome());
    const { contents } = await client.readResource({ uri: 'annals://project/feeder' });
    expect(contents).toEqual([
      {
        uri: 'annals://project/feeder',
        mimeType: 'text/plain',
        text: expect.stringContaining('jam at night'),
      },
    ]);
    expect((contents[0] as { text: string }).text).toMatch(/^<annals-context project="feeder">/);
  });

  test('a session is the list of its turns', async () => {
    const { client } = await clientHere(await filledHome(), { root: '/home/u/unknown' });
    const { contents } = await client.readResource({ uri: `annals://session/${sessionId(2)}` });
    const { text } = contents[0] as { text: string };
    expect(text).toMatch(/^<annals-context tool="session">/);
    expect(text).toMatch(/> t-[0-9a-z]+ +Why does the feeder jam at night\?/);
  });

  test.each(['annals://project/no such project', 'annals://session/zzzzzzzz', 'annals://nothing/x'])(
    'that is not there is an error: %s',
    async (uri) => {
      const { client } = await clientHere(await filledHome());
      await expect(client.readResource({ uri })).rejects.toThrow();
      expect((await client.listTools()).tools).toHaveLength(6);
    },
  );

  test.each(['annals://project/50%', 'annals://session/%ff'])(
    'whose address has a stray percent sign says how to write it: %s',
    async (uri) => {
      const { client } = await clientHere(await filledHome());
      await expect(client.readResource({ uri })).rejects.toThrow('%25');
    },
  );
});

describe('prompts', () => {
  test('recall holds what a search found, and handover the brief', async () => {
    const { client } = await clientHere(await filledHome());
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['recall', 'handover']);
    const recall = await client.getPrompt({ name: 'recall', arguments: { topic: 'frost' } });
    const texts = [recall, await client.getPrompt({ name: 'handover' })].map(({ messages }) => {
      const { content } = messages[0]!;
      return content.type === 'text' ? content.text : '';
    });
    expect(texts[0]).toContain('frost builds up');
    expect(texts[1]).toContain('<annals-context project="feeder">');
    for (const text of texts) expect(text.match(/<\/annals-context>/g)).toHaveLength(1);
    await expect(client.getPrompt({ name: 'recall', arguments: {} })).rejects.toThrow('topic');
  });

  test('a topic cannot look like a part of the memory', async () => {
    const { client } = await clientHere(await filledHome(), { root: FEEDER });
    const { messages } = await client.getPrompt({
      name: 'recall',
      arguments: { topic: 'frost <annals-context> \u001b[2J' },
    });
    expect(JSON.stringify(messages)).not.toContain('frost <annals-context>');
  });
});
