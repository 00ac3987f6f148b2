// `npm run bench -- scale [--records N]`: without a number at 10,000 and 100,000, which takes half an hour.
import { option, print } from '../harness/report.ts';
import { scaleBench } from './scale.ts';

const records = option('records');
print(await scaleBench('full', records === null ? null : Number(records)));
