// A page on a home whose views are being built: it says what is done and how far it is, and shows what there is.
import { expect, test } from 'vitest';
import { type ChangeState, openAnnals } from '../../src/index.ts';
import { temporaryFolder } from '../helpers/world.ts';
import { served } from '../http/served.ts';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('while the views are being built', () => {
  test('a rebuild says that the old views answer, and a slow list is loading, not waiting for it', async () => {
    const folder = await temporaryFolder();
    const library = await openAnnals({ home: folder.path });
    await library.save({ title: 'The hinge', text: 'It was oiled', project: 'feeder' });
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const annals: typeof library = {
      ...library,
      async rebuild(_, { onProgress } = {}) {
        onProgress?.(0, 7_471);
        await mayAnswer;
        onProgress?.(7_471, 7_471);
        return { views: [] };
      },
      // As on a busy machine.
      async list(...given) {
        await mayAnswer;
        return library.list(...given);
      },
    };
    const server = await served({ annals });
    try {
      const { page } = await viewed({ server });
      await page.getByText('Connected', { exact: true }).waitFor();
      const rebuilt = server.call('POST', '/api/rebuild', { body: {} });
      await page.getByText('Until then the old ones answer, more slowly.').waitFor();
      await page.getByText('0 of 7,471 events', { exact: true }).waitFor();
      await page.getByText('Loading …').waitFor();
      expect(await page.getByText('Waiting for the views').count()).toBe(0);
      answer();
      await rebuilt;
      await page.getByText('The hinge').first().waitFor();
      await page.getByText('the old ones answer').waitFor({ state: 'detached' });
    } finally {
      await server.close();
      await library.close();
      await folder.remove();
    }
  });

  test('every screen says how far that is and that recording goes on; what is there is shown', async () => {
    const folder = await temporaryFolder();
    const library = await openAnnals({ home: folder.path });
    await library.save({ title: 'The hinge', text: 'It was oiled', project: 'feeder' });
    const listeners = new Set<(state: ChangeState) => void>();
    const tell = (state: ChangeState) => {
      for (const listener of listeners) listener(state);
    };
    let build = () => {};
    const built = new Promise<void>((resolve) => {
      build = resolve;
    });
    const annals: typeof library = {
      ...library,
      // Only what this test says: the small home is always up to its log.
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      // As they wait for the views.
      async search(...given) {
        await built;
        return library.search(...given);
      },
    };
    let folders: readonly string[] = ['/transcripts'];
    const control = { intake: () => ({ folders, problems: [] }) };
    const server = await served({ annals, control });
    try {
      const { page, open } = await viewed({ server });
      await page.getByText('Connected', { exact: true }).waitFor();
      tell({ head: 92_000, projected: 4_600 });
      await page.getByText('The views are being built from the log').waitFor();
      await page.getByText('4,600 of 92,000 events', { exact: true }).waitFor();
      await page.getByText('Recording goes on').waitFor();
      folders = [];
      server.noteRecording();
      await page.getByText('Recording goes on').waitFor({ state: 'detached' });
      await page.getByText('The hinge').first().waitFor();
      await open('search?q=hinge');
      await page.getByText('Waiting for the views: 4,600 of 92,000 events are read …').waitFor();
      tell({ head: 92_000, projected: 46_000 });
      await page.getByText('46,000 of 92,000 events', { exact: true }).waitFor();
      await open('settings');
      await page.getByText('worker.idleMinutes').first().waitFor();
      await open('search?q=hinge');
      tell({ head: 92_000, projected: 92_000 });
      build();
      await page.getByText('Why it matched').first().waitFor();
      expect(await page.getByText('The views are being built').count()).toBe(0);
    } finally {
      await server.close();
      await library.close();
      await folder.remove();
    }
  });
});
