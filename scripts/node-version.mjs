// Says in one sentence when Node is too old, before anything newer than it is loaded.
import { readFileSync } from 'node:fs';

const wanted = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).engines.node;
const [wantedMajor, wantedMinor] = wanted.replace('>=', '').split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  console.error(`Annals needs Node ${wanted}; this is ${process.versions.node}.`);
  process.exit(1);
}
