import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// src/cli/amount.ts
function count(value) {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
function counted(value, singular, plural = `${singular}s`) {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}
function bytes(value) {
  for (const [unit, name] of [
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"]
  ])
    if (value >= unit) return `${(value / unit).toFixed(1)} ${name}`;
  return `${value} bytes`;
}

export {
  count,
  counted,
  bytes
};
//# sourceMappingURL=chunk-AGD3NGDP.js.map
