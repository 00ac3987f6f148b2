// An export that cannot write its manifest leaves the earlier export as it was, segments included.
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { restoreAnnals } from '../../src/index.ts';
import * as atomicFile from '../../src/platform/atomic-file.ts';
import { eventsOf, sharedFolder, withHome } from '../e2e/homes.ts';
import { toolEvents } from '../helpers/new-events.ts';

const folder = sharedFolder('export-stopped');

test('an export that ends before its manifest leaves the earlier one whole', async () => {
  const into = join(folder, 'export');
  await withHome(join(folder, 'home'), async (annals) => {
    await annals.append(toolEvents(2));
    await annals.export(into);
    const [first] = await eventsOf(annals);
    await annals.forget({ ids: [first!.id] });
    const { writeAtomically } = atomicFile;
    const disk = vi.spyOn(atomicFile, 'writeAtomically');
    onTestFinished(() => disk.mockRestore());
    disk.mockImplementation((path, content) =>
      path.endsWith('manifest.json')
        ? Promise.reject(Object.assign(new Error('No space left on device'), { code: 'ENOSPC' }))
        : writeAtomically(path, content),
    );
    await expect(annals.export(into)).rejects.toMatchObject({ code: 'DISK_FULL' });
    disk.mockRestore();
  });
  const restored = join(folder, 'restored');
  expect(await restoreAnnals(into, { home: restored })).toMatchObject({ events: 2, blanked: 0 });
});
