// `npm run bench -- live-cost`
import { print } from '../harness/report.ts';
import { liveCostBench } from './cost.ts';

print(await liveCostBench('full'));
