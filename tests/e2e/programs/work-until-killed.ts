// Works on a home until it is done or killed. Arguments: home, `import`, `replay` or `rebuild`, the paths to
// import. Prints each acknowledgement on stdout, one per line:
//
//   opening | open | marker <number> <position> <id> | file <how many are done> | done
//
// Markers are memories that are appended during the import, so that acknowledgements come at any moment.
import { openAnnals } from '../../../src/index.ts';
import { MARKERS, markerEvent } from './markers.ts';

const [home, work, ...paths] = process.argv.slice(2) as [string, string, ...string[]];
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

say('opening');
const annals = await openAnnals({ home });
say('open');
if (work === 'import') {
  let importing = true;
  const marking = (async () => {
    for (let number = 1; number <= MARKERS && importing; number++) {
      const [outcome] = await annals.append([markerEvent(number)]);
      say(`marker ${number} ${outcome?.position} ${outcome?.id}`);
    }
  })();
  let filesDone = 0;
  await annals.import(paths, {
    onProgress: (progress) => {
      if (progress.filesDone === filesDone) return;
      filesDone = progress.filesDone;
      say(`file ${filesDone}`);
    },
  });
  importing = false;
  await marking;
} else if (work === 'replay') await annals.replay();
else await annals.rebuild();
await annals.close();
say('done');
