// `npm run bench -- live`
import { print } from '../harness/report.ts';
import { liveBench } from './live.ts';

print(await liveBench('full'));
