// Has the model of the settings read every turn of a home, until that is done or it is killed. Argument: home.
import { openAnnals } from '../../../src/index.ts';

const annals = await openAnnals({ home: process.argv[2]!, lockTimeoutMs: 60_000 });
const { problem } = await annals.observe();
await annals.close();
if (problem !== null) process.stderr.write(`${problem}\n`);
