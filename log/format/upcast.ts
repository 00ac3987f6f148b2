// Upcasts old bodies to the newest version when they are read, one version at a time; the stored body never
// changes. An upcaster is pure: no clock, no random values, no lookups. It keeps unknown fields.
import { VERSIONS } from '../catalog/versions.ts';

export type Body = Readonly<Record<string, unknown>>;
/** Makes a body of version n + 1 from one of version n. */
export type Upcaster = (body: Body) => Body;
/** By type, then by the version that the upcaster starts from. */
export type Upcasters = Readonly<Record<string, Readonly<Record<number, Upcaster>>>>;

/** None yet: every type is at its first version. */
export const UPCASTERS: Upcasters = {};

/** The newest version of each known type. */
export const NEWEST: ReadonlyMap<string, number> = new Map(Object.entries(VERSIONS));

/**
 * Upcasts a body from `version` to `newest`.
 * @throws TypeError when an upcaster is missing, which a test over all fixtures rules out.
 */
export function upcast(
  type: string,
  version: number,
  body: Body,
  newest: number = NEWEST.get(type) ?? version,
  table: Upcasters = UPCASTERS,
): Body {
  let upcasted = body;
  for (let from = version; from < newest; from++) {
    const step = table[type]?.[from];
    if (step === undefined) throw new TypeError(`${type} has no upcaster from version ${from}`);
    upcasted = step(upcasted);
  }
  return upcasted;
}
