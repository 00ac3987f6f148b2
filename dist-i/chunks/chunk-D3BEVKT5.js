import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);

// src/render/when.ts
var MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
var HOUR_MS = 36e5;
var DAY_MS = 24 * HOUR_MS;
function ago(at, now) {
  const passed = now - at;
  if (passed < -6e4) return "later";
  if (passed < 6e4) return "just now";
  if (passed < HOUR_MS) return `${Math.floor(passed / 6e4)} min ago`;
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)} h ago`;
  const days = Math.round((midnight(now) - midnight(at)) / DAY_MS);
  if (days < 14) return `${days} d ago`;
  if (days < 60) return `${Math.floor(days / 7)} wk ago`;
  if (days < 730) return `${Math.floor(days / 30.44)} mo ago`;
  return `${Math.floor(days / 365.25)} yr ago`;
}
function day(at, now) {
  const date = new Date(at);
  const short = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
  return date.getFullYear() === new Date(now).getFullYear() ? short : `${short} ${date.getFullYear()}`;
}
function moment(at) {
  const date = new Date(at);
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()} ${clock}`;
}
function duration(ms) {
  if (ms < 1e3) return `${Math.round(ms)} ms`;
  if (ms < 12e4) return `${(ms / 1e3).toFixed(1)} s`;
  return `${Math.floor(ms / 6e4)} min ${Math.round(ms % 6e4 / 1e3)} s`;
}
function midnight(at) {
  return new Date(at).setHours(0, 0, 0, 0);
}
function twoDigits(value) {
  return String(value).padStart(2, "0");
}

export {
  ago,
  day,
  moment,
  duration
};
//# sourceMappingURL=chunk-D3BEVKT5.js.map
