import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";

// src/cli/options.ts
function wholeNumber(option, least, most = Number.MAX_SAFE_INTEGER) {
  return (word) => {
    const value = Number(word);
    if (/^\d+$/.test(word) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
    throw new AnnalsError("USAGE", `${option} takes a whole number ${range}, not "${word}".`);
  };
}
function collect(word, earlier) {
  return [...earlier ?? [], word];
}

export {
  wholeNumber,
  collect
};
//# sourceMappingURL=chunk-33OXRW3Y.js.map
