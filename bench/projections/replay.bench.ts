// `npm run bench replay`
import { print } from '../harness/report.ts';
import { replayBench } from './replay.ts';

print(await replayBench('full'));
