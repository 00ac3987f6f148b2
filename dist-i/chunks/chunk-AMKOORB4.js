import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// src/platform/paths.ts
import { homedir } from "node:os";
import { join, resolve } from "node:path";
function homePath(environment = process.env, userHome = homedir()) {
  const chosen = environment.ANNALS_HOME;
  return chosen === void 0 || chosen === "" ? join(userHome, ".annals") : resolve(chosen);
}
function homePaths(home) {
  return {
    home,
    log: join(home, "log"),
    views: join(home, "views"),
    text: join(home, "views", "text"),
    head: join(home, "head.json"),
    spoolNew: join(home, "spool", "new"),
    spoolBad: join(home, "spool", "bad"),
    config: join(home, "config.json")
  };
}

export {
  homePath,
  homePaths
};
//# sourceMappingURL=chunk-AMKOORB4.js.map
