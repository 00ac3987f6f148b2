// One import in its own process: `import-alone import <home> <folder>`, or `import-alone parse <folder>`.
import { importInto, parseOnly } from './import.ts';

const [what, ...paths] = process.argv.slice(2);
const outcome = what === 'import' ? await importInto(paths[0]!, paths[1]!) : await parseOnly(paths[0]!);
process.stdout.write(`${JSON.stringify(outcome)}\n`);
