// Arguments of a call as JSON. Functions, signals, undefined and numbers that JSON lacks are taken out, from the arguments
// themselves and from the properties of objects among them, and put back on the other side. Markers name their places,
// so no value in the arguments can be mistaken for one.
import type { Marker, MarkerKind } from './messages.ts';

export interface LocalReferences {
  readonly functions: ReadonlyArray<(...args: readonly unknown[]) => unknown>;
  readonly signals: readonly AbortSignal[];
}

export interface SentArguments extends LocalReferences {
  readonly args: readonly unknown[];
  readonly markers: readonly Marker[];
}

export function sentArguments(given: readonly unknown[]): SentArguments {
  const functions: ((...args: readonly unknown[]) => unknown)[] = [];
  const signals: AbortSignal[] = [];
  const markers: Marker[] = [];
  /** Null when JSON has the value. */
  const markerOf = (value: unknown): readonly [MarkerKind, number | string] | null => {
    if (value === undefined) return ['undefined', 0];
    if (typeof value === 'function') return ['function', functions.push(value as never) - 1];
    if (value instanceof AbortSignal) return ['signal', signals.push(value) - 1];
    return typeof value === 'number' && !Number.isFinite(value) ? ['number', String(value)] : null;
  };
  const args = given.map((value, argument) => {
    const marker = markerOf(value);
    if (marker !== null) {
      markers.push([argument, null, ...marker]);
      return null;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const kept: [string, unknown][] = [];
    for (const [property, inner] of Object.entries(value)) {
      const innerMarker = markerOf(inner);
      if (innerMarker === null) kept.push([property, inner]);
      else if (innerMarker[0] !== 'undefined') markers.push([argument, property, ...innerMarker]);
    }
    return Object.fromEntries(kept);
  });
  return { args, markers, functions, signals };
}

/** The arguments as they were. Undefined when a marker names a place that is not there, or not in a plain object. */
export function receivedArguments(
  sent: Pick<SentArguments, 'args' | 'markers'>,
  referenceOf: (kind: 'function' | 'signal', number: number) => unknown,
): readonly unknown[] | undefined {
  const args = [...sent.args];
  for (const [argument, property, kind, value] of sent.markers) {
    if (argument >= args.length) return undefined;
    const received =
      kind === 'number' ? Number(value) : kind === 'undefined' ? undefined : referenceOf(kind, Number(value));
    const holder = args[argument];
    if (property === null) args[argument] = received;
    else if (isPlainObject(holder))
      Object.defineProperty(holder, property, {
        value: received,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else return undefined;
  }
  return args;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
