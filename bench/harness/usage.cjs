// Loaded into a measured process with `--require`: tells whoever started it, on file descriptor 3, what the
// process took. CommonJS, because that starts without Node's loader for modules.
const { writeSync } = require('node:fs');

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(3, JSON.stringify({ peakBytes: maxRSS * 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 }));
});
