import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// src/cli/command.ts
function defineCommand(definition) {
  return {
    ...definition,
    run: (session, options, words) => definition.run(session, options, words)
  };
}

export {
  defineCommand
};
//# sourceMappingURL=chunk-NDFEGYHO.js.map
