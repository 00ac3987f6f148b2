// The frame says when nothing is recorded, and takes it back.
import { expect, test } from 'vitest';
import type { Intake } from '../../src/http/control.ts';
import { served } from '../http/served.ts';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('what is recorded', () => {
  test('a page that is connected says so when nothing is recorded, why it fails, and when it works again', async () => {
    let intake: Intake = { folders: [], problems: [] };
    const server = await served({ filled: true, control: { intake: () => intake } });
    const { page, problems } = await viewed({ server });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Nothing is recorded' }).click();
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    intake = {
      folders: ['/transcripts'],
      problems: [{ message: 'The spool cannot be read.', advice: null }],
    };
    server.noteRecording();
    await page.getByRole('link', { name: 'Recording fails' }).waitFor();
    await page.getByTitle('The spool cannot be read.').waitFor();
    intake = { folders: ['/transcripts'], problems: [] };
    server.noteRecording();
    await page.getByRole('link', { name: 'Recording fails' }).waitFor({ state: 'detached' });
    await page.getByText('Live', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });
});
