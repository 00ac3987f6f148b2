// `npm run bench append`
import { print } from '../harness/report.ts';
import { appendBench } from './append.ts';

print(await appendBench('full'));
