// `npm run bench scale`
import { print } from '../harness/report.ts';
import { scaleBench } from './scale.ts';

print(await scaleBench('full'));
