// Stops with a one-line message when Node is too old, before any code that needs a newer version is loaded.
import { readFileSync } from 'node:fs';

const wanted = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).engines.node;
const [wantedMajor, wantedMinor] = wanted.replace('>=', '').split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  console.error(`Annals needs Node ${wanted}; this is ${process.versions.node}.`);
  process.exit(1);
}
