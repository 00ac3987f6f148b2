// Checks that redaction stays linear: each rule's hostile texts at one, two, four and eight times a length, with the
// work in characters read, the time, and the exponent of growth (1 is linear, 2 quadratic).
import { redactText } from '../../src/capture/redact/index.ts';
import { HOSTILE_PIECES } from '../../tests/helpers/hostile-texts.ts';

const CHARACTERS = 8_000;
const TIMES = [1, 2, 4, 8];

interface Measured {
  readonly steps: number;
  readonly ms: number;
}

function measure(text: string): Measured {
  const work = { steps: 0 };
  const started = performance.now();
  redactText(text, undefined, work);
  return { steps: work.steps, ms: performance.now() - started };
}

/** Slope of the logarithm of work over the logarithm of length, between the first and the last. */
function exponent(first: number, last: number): number {
  return Math.log(last / first) / Math.log(TIMES.at(-1)! / TIMES[0]!);
}

let highest = 0;
let slowest = 0;
for (const { name, pieces } of HOSTILE_PIECES) {
  let worst = { exponent: 0, row: '' };
  for (const piece of pieces) {
    const measured = TIMES.map((times) =>
      measure(piece.repeat(Math.ceil((CHARACTERS * times) / piece.length))),
    );
    const grown = exponent(measured[0]!.steps, measured.at(-1)!.steps);
    slowest = Math.max(slowest, (measured.at(-1)!.ms * 1_000) / (CHARACTERS * TIMES.at(-1)!));
    if (grown < worst.exponent) continue;
    const steps = measured.map((one) => Math.round(one.steps).toString().padStart(9)).join(' ');
    const ms = measured.map((one) => one.ms.toFixed(1).padStart(7)).join(' ');
    worst = {
      exponent: grown,
      row: `${steps} characters read  ${ms} ms  ${JSON.stringify(piece).slice(0, 40)}`,
    };
  }
  highest = Math.max(highest, worst.exponent);
  console.log(`${name.slice(0, 44).padEnd(44)} ${worst.exponent.toFixed(2)} ${worst.row}`);
}
console.log(
  `highest exponent ${highest.toFixed(2)}; slowest ${slowest.toFixed(2)} ms for a thousand characters`,
);
