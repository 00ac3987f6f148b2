// Runs in its own process: `live-alone fill <home> <folder>` imports, `live-alone ask <home> <folder> <searches>` searches
// while it imports.
import { fill, searchWhileImporting } from './searching.ts';

const [what, home = '', folder = '', searches = ''] = process.argv.slice(2);
const outcome =
  what === 'fill' ? await fill(home, folder) : await searchWhileImporting(home, folder, Number(searches));
process.stdout.write(`${JSON.stringify(outcome)}\n`);
