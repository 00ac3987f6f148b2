// `npm run bench import`
import { print } from './harness/report.ts';
import { importBench } from './import/import.ts';

print(await importBench('full'));
