// Programs that report their own sessions, and agents that post their hooks.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { END_MARK } from '../../src/capture/spool/end-mark.ts';
import { HookIntake } from '../../src/http/hook-intake.ts';
import type { Annals, ChangeState } from '../../src/index.ts';
import { eventsOf } from '../e2e/homes.ts';
import { asked, filesWith, payload, SESSION, used, waiting } from '../helpers/spool.ts';
import { CAPTURE_TOKEN, type Served, served } from './served.ts';

const report = (server: Served, what: string, body: object) =>
  server.call('POST', `/api/session/${what}`, {
    token: CAPTURE_TOKEN,
    body: { session: 's-1', cwd: '/home/u/pond', ...body },
  });

/** A prompt and a tool use. */
async function work(server: Served): Promise<void> {
  const { prompt } = (await report(server, 'prompt', { text: 'Widen the chute' })).json;
  const input = { file_path: '/home/u/pond/chute.ts' };
  await report(server, 'observation', { prompt, tool: 'Edit', input, result: 'Updated.' });
}

describe('a session that a program reports', () => {
  test('is remembered with its prompt, its tool uses, its answer and a summary', async () => {
    const server = await served();
    const { prompt, outcome } = (await report(server, 'prompt', { text: 'Widen the chute' })).json;
    expect(outcome).toBe('recorded');
    const use = {
      prompt,
      id: 'use-1',
      tool: 'Edit',
      input: { file_path: '/home/u/pond/chute.ts' },
      result: 'Updated.',
    };
    expect((await report(server, 'observation', use)).json).toEqual({ outcome: 'recorded' });
    expect((await report(server, 'observation', use)).json).toEqual({ outcome: 'duplicate' });
    const end = await server.call('POST', '/api/session/end?wait=true', {
      body: {
        session: 's-1',
        cwd: '/home/u/pond',
        answer: 'I widened the chute to 9 cm, because frost builds up.',
      },
    });
    expect(end.json.summary).toMatchObject({
      session: 's-1',
      agent: 'api',
      request: 'Widen the chute',
      unfinished: false,
    });
    const { items } = (await server.call('GET', '/api/sessions')).json;
    expect(items).toMatchObject([
      { id: 's-1', agent: 'api', project: 'pond', turns: 1, counts: { prompts: 1, toolUses: 1 } },
    ]);
  });

  test('has its own summary and turns when another agent has a session with its id', async () => {
    const server = await served();
    const run = { session: 'run-1', cwd: '/home/u/pond' };
    const ends: unknown[] = [];
    for (const agent of ['aa', 'bb']) {
      await report(server, 'prompt', { ...run, agent, text: `Widen the chute of ${agent}` });
      const input = { file_path: `/home/u/pond/${agent}.ts` };
      await report(server, 'observation', { ...run, agent, tool: 'Edit', input, result: 'Updated.' });
      const body = { ...run, agent, answer: `I widened the chute of ${agent} to 9 cm.` };
      ends.push((await server.call('POST', '/api/session/end?wait=60', { body })).json.summary);
    }
    expect(ends).toMatchObject([
      { agent: 'aa', request: 'Widen the chute of aa' },
      { agent: 'bb', request: 'Widen the chute of bb' },
    ]);
    const list = (query: string) => server.call('GET', `/api/${query}`);
    for (const kind of ['sessions', 'turns', 'summaries', 'prompts'])
      expect((await list(`${kind}?session=run-1&agent=aa`)).json.items).toMatchObject([{ agent: 'aa' }]);
    expect((await list('turns?session=run-1')).json.error.code).toBe('AMBIGUOUS_ID');
    expect((await list('turns?session=run-1&agent=cc')).json.error.code).toBe('NOT_FOUND');
    expect((await list('turns?agent=aa')).json.error.code).toBe('USAGE');
  });

  test('is given its brief before anything of it is recorded; until then no other call knows it', async () => {
    const server = await served();
    const statusOf = async (path: string) => (await server.call('GET', path)).status;
    expect(await statusOf('/api/session/start?cwd=/home/u/feeder&session=brand-new')).toBe(200);
    expect(await statusOf('/api/context?cwd=/home/u/feeder&session=brand-new')).toBe(404);
    const note = { title: 'Chute', text: '9 cm', session: 'brand-new' };
    const saved = await server.call('POST', '/api/save', { body: note });
    expect(saved).toMatchObject({ status: 404, json: { error: { code: 'NOT_FOUND' } } });
  });

  test('a capture token gets no summary, and does not wait for one', async () => {
    const server = await served();
    await work(server);
    const list = vi.spyOn(server.annals, 'list');
    const body = { session: 's-1', answer: 'I widened the chute to 9 cm.' };
    const { status, json } = await server.call('POST', '/api/session/end?wait=true', {
      token: CAPTURE_TOKEN,
      body,
    });
    expect([status, json]).toEqual([200, { outcome: 'recorded', summary: null }]);
    expect(list).not.toHaveBeenCalled();
  });

  test('of a private turn nothing is stored, also not what may belong to it', async () => {
    const server = await served();
    const hidden = (await report(server, 'prompt', { text: '<private>the axolotl</private>' })).json;
    expect(hidden.outcome).toBe('private');
    const outcomeOf = async (body: object) =>
      (await report(server, 'observation', { tool: 'Bash', ...body })).json.outcome;
    expect(await outcomeOf({ prompt: hidden.prompt, result: 'axolotl 1' })).toBe('private');
    expect(await outcomeOf({ result: 'axolotl 2' })).toBe('private');
    const open = (await report(server, 'prompt', { text: 'And now the pond' })).json;
    // It may still be of the first turn.
    expect(await outcomeOf({ result: 'axolotl 3' })).toBe('private');
    expect(await outcomeOf({ prompt: 'made up', result: 'axolotl 4' })).toBe('private');
    expect(await outcomeOf({ prompt: open.prompt, result: 'the pond' })).toBe('recorded');
    await report(server, 'prompt', { text: '<private>axolotl 5</private>' });
    expect((await report(server, 'end', { answer: 'axolotl 6' })).json.outcome).toBe('recorded');
    const events = await eventsOf(server.annals, { session: 's-1' });
    expect(events.map(({ type }) => type)).toEqual([
      'prompt.submitted',
      'prompt.submitted',
      'tool.used',
      'prompt.submitted',
      'session.ended',
    ]);
    expect(filesWith(server.home, ['axolotl'])).toEqual([]);
  });

  test('privacy is known after a restart', async () => {
    const server = await served();
    await report(server, 'prompt', { text: '<private>the axolotl</private>' });
    const { openAnnals } = await import('../../src/index.ts');
    await server.annals.close();
    const annals = await openAnnals({ home: server.home });
    const again = await annals.report({
      kind: 'tool',
      agent: 'api',
      session: 's-1',
      name: 'Bash',
      result: 'axolotl',
    });
    await annals.close();
    expect(again.outcome).toBe('private');
  });

  test('in an excluded folder is not stored', async () => {
    const server = await served();
    writeFileSync(join(server.home, 'config.json'), '{"exclude":["/home/u/pond"]}', { mode: 0o600 });
    await server.annals.close();
    const { openAnnals } = await import('../../src/index.ts');
    const annals = await openAnnals({ home: server.home });
    const outcome = await annals.report({
      kind: 'prompt',
      agent: 'api',
      session: 's',
      cwd: '/home/u/pond/deep',
      text: 'x',
    });
    expect(outcome.outcome).toBe('excluded');
    expect(await eventsOf(annals)).toEqual([]);
    await annals.close();
  });

  test('a report without a folder is excluded unless its session has named folders, all of them recorded', async () => {
    const server = await served();
    writeFileSync(join(server.home, 'config.json'), '{"exclude":["/home/u/pond"]}', { mode: 0o600 });
    await server.annals.close();
    const { openAnnals } = await import('../../src/index.ts');
    const annals = await openAnnals({ home: server.home });
    const outcomeOf = async (session: string, cwd?: string) => {
      const folder = cwd === undefined ? {} : { cwd };
      const use = { kind: 'tool', agent: 'api', name: 'Bash', result: `axolotl ${session}` } as const;
      return (await annals.report({ ...use, session, ...folder })).outcome;
    };
    expect(await outcomeOf('s-1')).toBe('excluded');
    expect(await outcomeOf('s-1', '/home/u/pond')).toBe('excluded');
    expect(await outcomeOf('s-1')).toBe('excluded');
    expect(await outcomeOf('s-2', '/home/u/feeder')).toBe('recorded');
    expect(await outcomeOf('s-2')).toBe('recorded');
    expect(await outcomeOf('s-2', '/home/u/pond')).toBe('excluded');
    expect(await outcomeOf('s-2', '/home/u/feeder')).toBe('recorded');
    expect(await outcomeOf('s-2')).toBe('excluded');
    const end = await annals.report({ kind: 'end', agent: 'api', session: 's-1', answer: 'axolotl' });
    expect(end.outcome).toBe('excluded');
    expect((await eventsOf(annals)).map(({ session }) => session)).toEqual(['s-2', 's-2', 's-2']);
    for (const [session, folder] of [['s-3', {}] as const, ['s-4', { cwd: '/home/u/pond' }] as const]) {
      const text = '<private>axolotl</private>';
      await annals.report({ kind: 'prompt', agent: 'api', session, text, ...folder });
      expect(await outcomeOf(session, '/home/u/feeder')).toBe('private');
    }
    await annals.close();
  });

  test('that was forgotten is told so, and nothing of it is stored', async () => {
    const server = await served();
    const outcomeOf = async (what: string, body: object) => (await report(server, what, body)).json;
    expect(await outcomeOf('prompt', { text: 'Widen the chute' })).toMatchObject({ outcome: 'recorded' });
    await server.annals.forget({ session: 's-1' }, { confirm: async () => true });
    const { head } = (await server.annals.status()).log;
    expect(await outcomeOf('prompt', { text: 'x' })).toEqual({ outcome: 'forgotten', prompt: null });
    expect(await outcomeOf('observation', { tool: 'Bash' })).toEqual({ outcome: 'forgotten' });
    expect(await outcomeOf('end', { answer: 'x' })).toEqual({ outcome: 'forgotten', summary: null });
    const hidden = { text: '<private>x</private>' };
    expect(await outcomeOf('prompt', hidden)).toEqual({ outcome: 'forgotten', prompt: null });
    expect((await server.annals.status()).log.head).toBe(head);
  });

  test('cannot be reported for an agent that has hooks, or under our own name', async () => {
    const server = await served();
    for (const agent of ['claude-code', 'annals', 'Upper', '', '../x'])
      expect((await report(server, 'prompt', { agent, text: 'x' })).status).toBe(400);
    expect(await eventsOf(server.annals)).toEqual([]);
  });

  test('secrets are redacted', async () => {
    const server = await served();
    const key = `sk-ant-api03-${'a'.repeat(93)}AA`;
    await report(server, 'prompt', { text: `Use ${key}` });
    await report(server, 'observation', {
      tool: 'Bash',
      input: { command: `export KEY=${key}` },
      result: key,
    });
    expect(filesWith(server.home, [key])).toEqual([]);
  });
});

describe('the end of a session waits for the summary', () => {
  /** A library whose summary appears when `appear` is called. */
  function withLateSummary(annals: Annals): { annals: Annals; appear(): void } {
    let isThere = false;
    const listeners = new Set<(state: ChangeState) => void>();
    const late: Annals = {
      ...annals,
      list: (async (kind: 'summary' | 'turn', options: object) => {
        const answer = await annals.list(kind, options);
        return kind === 'summary' && !isThere ? { items: [], next: null } : answer;
      }) as Annals['list'],
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const appear = () => {
      isThere = true;
      for (const listener of listeners) listener({ head: 1, projected: 1 });
    };
    return { annals: late, appear };
  }

  test('and answers when it is there', async () => {
    const inner = await served();
    const { annals, appear } = withLateSummary(inner.annals);
    const server = await served({ annals });
    await work(server);
    const body = { session: 's-1', answer: 'I widened the chute to 9 cm.' };
    const pending = server.call('POST', '/api/session/end?wait=true', { body });
    let isAnswered = false;
    void pending.then(() => {
      isAnswered = true;
    });
    while ((await eventsOf(inner.annals, { kind: 'session' })).length === 0)
      await server.call('GET', '/api/health');
    for (let times = 0; times < 5; times++) await server.call('GET', '/api/health');
    expect(isAnswered).toBe(false);
    appear();
    expect((await pending).json.summary).toMatchObject({ session: 's-1' });
  });

  test('and answers without it when the time is over', async () => {
    const inner = await served();
    const server = await served({ annals: withLateSummary(inner.annals).annals });
    await work(server);
    const body = { session: 's-1', answer: 'I widened the chute to 9 cm.' };
    const { status, json } = await server.call('POST', '/api/session/end?wait=1', { body });
    expect([status, json]).toEqual([200, { outcome: 'recorded', summary: null }]);
  });
});

describe('a posted hook', () => {
  const post = (server: Served, body: string | object, token = CAPTURE_TOKEN, agent = 'claude-code') =>
    server.call('POST', `/hooks/${agent}`, { token, body });

  test('is in the spool, byte for byte, before it is answered', async () => {
    const inner = await served();
    const server = await served({ annals: { ...inner.annals, drain: async () => ({}) as never } });
    const bodies = [JSON.stringify(asked('Hello')), '{"torn":', 'no JSON \u0000 at all', '\ufeff{}', '  \n'];
    for (const body of bodies) expect((await post(server, body)).json).toEqual({});
    const folder = join(inner.home, 'spool', 'new');
    const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(stored.sort()).toEqual(bodies.map((body) => body + END_MARK).sort());
    for (const name of readdirSync(folder)) expect(name).toMatch(/^claude-code-\d{10}-\d{7}-[0-9a-f]{16}-0$/);
  });

  test('reaches the log as a hook of the script does', async () => {
    const server = await served();
    await post(server, asked('Widen the chute'));
    await post(server, used('toolu_1', 'done'));
    await server.annals.drain();
    const events = await eventsOf(server.annals);
    expect(events.map(({ type, channel, session }) => [type, channel, session])).toEqual([
      ['prompt.submitted', 'hook', SESSION],
      ['tool.used', 'hook', SESSION],
    ]);
    expect(waiting(server.home)).toEqual([]);
  });

  test('of a private turn leaves nothing', async () => {
    const server = await served();
    await post(server, asked('<private>the axolotl</private>'));
    await post(server, used('toolu_1', 'axolotl'));
    await server.close().catch(() => {});
    expect(server.errors).toEqual([]);
  });

  test('that is taken in too slowly for the end of the server is no error', async () => {
    const errors: unknown[] = [];
    let fail = (_error: Error) => {};
    const drain = vi.fn(() => new Promise<never>((_, reject) => (fail = reject)));
    const { home } = await served();
    const annals = { home, drain };
    const hooks = new HookIntake({ annals, randomBytes, onError: (error) => void errors.push(error) });
    hooks.take('claude-code', Buffer.from('{}'));
    await expect.poll(() => drain.mock.calls.length).toBe(1);
    await hooks.close(0);
    fail(new Error('The views were used after they were closed.'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([]);
  });

  test('of a session start is answered with the brief, but not for a capture token', async () => {
    const server = await served({ filled: true });
    const start = payload('SessionStart', { source: 'startup', cwd: '/home/u/feeder', session_id: 'new-1' });
    const answer = (await post(server, start, undefined as never)).json;
    const full = (await server.call('POST', '/hooks/claude-code', { body: start })).json;
    expect(answer).toEqual({});
    expect(full.hookSpecificOutput).toMatchObject({ hookEventName: 'SessionStart' });
    expect(full.hookSpecificOutput.additionalContext).toContain('feeder');
  });

  test('for an unknown agent is refused', async () => {
    const server = await served();
    for (const agent of ['nobody', 'Claude-Code', '../claude-code', 'a b'])
      expect((await post(server, asked('x'), CAPTURE_TOKEN, encodeURIComponent(agent))).status).toBe(404);
    expect(waiting(server.home)).toEqual([]);
  });

  test('is refused when the spool cannot be written', async () => {
    const server = await served();
    const { rmSync } = await import('node:fs');
    rmSync(join(server.home, 'spool'), { recursive: true, force: true });
    writeFileSync(join(server.home, 'spool'), 'a file');
    const { status, json } = await post(server, asked('x'));
    expect([status, json.error.code]).toEqual([503, 'HOME_UNWRITABLE']);
  });
});
