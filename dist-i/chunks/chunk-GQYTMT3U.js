import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// src/cli/package.ts
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
function packageRoot() {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}
function version() {
  const manifest = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
  return String(manifest.version);
}

export {
  packageRoot,
  version
};
//# sourceMappingURL=chunk-GQYTMT3U.js.map
