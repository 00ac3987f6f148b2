// The frame says when nothing is recorded, and takes it back.
import { expect, test } from 'vitest';
import type { Intake } from '../../src/http/control.ts';
import { served } from '../http/served.ts';
import { answerDoctor, describeInChromium, viewed } from './browser.ts';

describeInChromium('what is recorded', () => {
  test('a page that is connected says so when nothing is recorded, why it fails, and when it works again', async () => {
    let intake: Intake = { folders: [], problems: [] };
    const server = await served({ filled: true, control: { intake: () => intake } });
    const { page, open, problems } = await viewed({ server });
    await answerDoctor(page);
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('New sessions are not recorded').waitFor();
    const dotColor = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.connection'), '::before').backgroundColor`);
    const idle = await dotColor();
    await open('health');
    const state = page.locator('main').getByRole('status').first();
    await state.getByText(/^New sessions are not recorded\. \d+ (thing|problem)/).waitFor();
    await open('now?asOf=2026-05-02');
    await page.getByText('The memory as it was at the end of').waitFor();
    expect(await page.getByText('New sessions are not recorded').count()).toBe(0);
    await open('now');
    await page.getByRole('link', { name: 'Connect an agent' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    intake = {
      folders: ['/transcripts'],
      problems: [{ message: 'The spool cannot be read.', advice: null }],
    };
    server.noteRecording();
    await page.getByRole('link', { name: 'Recording fails' }).waitFor();
    await page.getByTitle('The spool cannot be read.').waitFor();
    await open('health');
    await state.getByText(/^Recording fails\./).waitFor();
    intake = { folders: ['/transcripts'], problems: [] };
    server.noteRecording();
    await page.getByRole('link', { name: 'Recording fails' }).waitFor({ state: 'detached' });
    await state.getByText(/^(Annals works\.|\d+ problem)/).waitFor();
    expect(await dotColor()).not.toBe(idle);
    expect(problems).toEqual([]);
  });
});
