// The first screen: each turn is one row, which unfolds to what the agent did.
import { expect, test } from 'vitest';
import { served } from '../http/served.ts';
import { answerDoctor, describeInChromium, viewed } from './browser.ts';

const SESSION = '88888888-2222-4333-8444-555555555555';

describeInChromium('the first screen', () => {
  test('shows a turn as one row with what was asked and what came of it, and unfolds it', async () => {
    const { page } = await viewed();
    const feed = page.getByRole('list', { name: 'What happened, newest first' });
    const group = feed.locator('> li').filter({ hasText: 'Widened it to 9 centimetres.' }).first();
    await group.waitFor();
    expect(await group.getByText('Widened it to 9 centimetres.').count()).toBe(1);
    expect(await group.getByText('Why does the feeder jam at night?').count()).toBe(1);
    expect(await group.getByText('npm test').count()).toBe(0);
    await group.getByText('Widened it to 9 centimetres.').click();
    await group.getByText('npm test').waitFor();
    await group.getByText('chute.ts').first().waitFor();
    await group.getByRole('link', { name: 'Open in its session' }).waitFor();
    await group.getByText('Widened it to 9 centimetres.').click();
    await group.getByText('npm test').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await feed
      .locator('> li')
      .first()
      .getByText('npm test')
      .or(page.getByText('A secret place'))
      .first()
      .waitFor();
  });

  test('an unfolded turn shows all of what was asked', async () => {
    const { page, annals } = await viewed();
    const text =
      'It found this:\n\nfold the changes. Then weigh the seeds and oil the hinge, but not the lid.';
    const report = {
      agent: 'api',
      session: 'fold-1',
      cwd: '/home/u/feeder',
      at: Date.UTC(2026, 4, 3),
    } as const;
    await annals.report({ kind: 'prompt', ...report, text });
    await annals.report({ kind: 'end', ...report, answer: 'Both are done, and the lid is as it was.' });
    const row = page.locator('.group').filter({ hasText: 'It found this' }).locator('.turn-row');
    await row.locator('summary').click();
    await row.getByText('oil the hinge, but not the lid').waitFor();
  });

  test('a running turn is unfolded: its tool uses come as they are reported, failures stand out, and then its outcome', async () => {
    const server = await served();
    const { page } = await viewed({ server });
    await page.getByText('Connected', { exact: true }).waitFor();
    const hook = (hook_event_name: string, more: object) =>
      server.call('POST', '/hooks/claude-code', {
        body: {
          session_id: SESSION,
          transcript_path: `/home/u/.claude/projects/-home-u-feeder/${SESSION}.jsonl`,
          cwd: '/home/u/feeder',
          hook_event_name,
          ...more,
        },
      });
    const use = (tool_use_id: string, command: string, more: object) => ({
      ...{ tool_name: 'Bash', tool_input: { command }, tool_use_id },
      ...more,
    });
    await hook('SessionStart', { source: 'startup' });
    await hook('UserPromptSubmit', { prompt: 'Oil the hinge' });
    await page.getByText('running').waitFor();
    await hook('PostToolUse', use('toolu_1', 'oil --hinge', { tool_response: { stdout: 'done' } }));
    const row = page.getByRole('list', { name: 'What happened, newest first' }).locator('.turn-row');
    await row.getByText('oil --hinge').waitFor();
    await hook('PostToolUseFailure', use('toolu_2', 'close --lid', { error: 'The lid is frozen' }));
    await row.locator('.is-failed', { hasText: 'close --lid' }).getByText('The lid is frozen').waitFor();
    await row.getByText('1 failed').waitFor();
    expect(await row.locator('.use .tool-what').allInnerTexts()).toEqual(['close --lid', 'oil --hinge']);
    await row.locator('summary').click();
    await row.getByText('Bash close --lid').waitFor();
    await row.locator('summary').click();
    await hook('Stop', {
      stop_hook_active: false,
      last_assistant_message: 'The hinge is oiled, and the lid is not closed yet.',
    });
    await page.getByText('running').waitFor({ state: 'detached' });
    await row.getByText('The hinge is oiled').first().waitFor();
    await row.getByText('oil --hinge').waitFor();
  });

  test('names each session before the list of sessions has come, and says nothing of it that is not known', async () => {
    const { page, open } = await viewed();
    await page.getByText('Connected', { exact: true }).waitFor();
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/sessions?*', async (route) => {
      await isAsked;
      await route.continue();
    });
    await answerDoctor(page);
    await open('health');
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    await open('now');
    const feed = page.getByRole('list', { name: 'What happened, newest first' });
    const heads = feed.locator('.group-head');
    await heads.filter({ hasText: 'Why does the feeder jam at night?' }).first().waitFor();
    expect(await heads.filter({ hasText: 'Why does the feeder jam' }).first().innerText()).toMatch(
      /feeder\s+claude-code$/,
    );
    expect(await page.getByText('began earlier').count()).toBe(0);
    expect(await page.getByText('No session is under way').count()).toBe(0);
    answer();
    await page.getByText('No session is under way').waitFor();
  });

  test('has the dates and counts that the list of sessions has', async () => {
    const { page, open, annals } = await viewed();
    const report = { kind: 'prompt', agent: 'api', cwd: '/home/u/feeder' } as const;
    await annals.report({ ...report, session: 'group-1', text: 'Oil the hinge' });
    await annals.report({ ...report, session: 'group-2', text: 'Weigh the seeds' });
    await annals.report({ ...report, session: 'group-1', text: 'Close the lid' });
    const groups = page.getByRole('list', { name: 'What happened, newest first' }).locator('> li');
    const group = groups.filter({ hasText: 'Close the lid' });
    await group.getByRole('listitem').filter({ hasText: 'Oil the hinge' }).waitFor();
    await page.getByText('2 sessions under way').waitFor();
    expect(await group.getByText('Weigh the seeds').count()).toBe(0);
    await group.getByText('2 turns').waitFor();
    const shown = [
      await group.locator('.row-meta').first().innerText(),
      await groups
        .filter({ hasText: 'Widened it to 9 centimetres.' })
        .first()
        .locator('.row-meta')
        .first()
        .innerText(),
    ];
    expect(shown[1]).toContain('May');
    await open('sessions');
    await page.getByText('4 sessions').waitFor();
    const listed = await page.locator('.list .row-meta').allInnerTexts();
    expect(listed).toEqual(expect.arrayContaining(shown));
  });
});
