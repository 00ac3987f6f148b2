// `npm run bench -- scale [--records N] [--edited N] [--json]`: by default at 10,000 and 100,000 records, 10,000 of them
// edited; four minutes on two idle cores. A graph is measured too if hnswlib-node is in the packages of ANNALS_HOME or
// installed beside the product.
import { option, print } from '../harness/report.ts';
import { scaleBench } from './scale.ts';
import { compact } from './table.ts';

const KNOWN = ['records', 'edited', 'json'];
const unknown = process.argv.find(
  (word) => word.startsWith('--') && !KNOWN.includes(word.slice(2).split('=')[0]!),
);
if (unknown !== undefined) {
  console.error(`${unknown} is no option of this bench. There are: --records N, --edited N, --json.`);
  process.exit(2);
}
const number = (name: string) => (option(name) === null ? {} : { [name]: Number(option(name)) });
const reports = await scaleBench('full', { ...number('records'), ...number('edited') });
if (process.argv.includes('--json')) print(reports);
else print(compact(reports));
