// The calls of `Annals` that take arguments and give one answer. `log`, `onChange` and `close` work differently.
import type { Annals } from '../api.ts';

export type UnaryMethod = Exclude<keyof Annals, 'home' | 'log' | 'onChange' | 'close'>;

/** Whether a call that was cut off may be made again, and whether the spool is drained first, so that it finds what hooks left. */
interface Method {
  readonly isRepeatable: boolean;
  readonly isDrainedFirst: boolean;
}

/** It only reads, or goes on where the first one ended. */
const ANY: Method = { isRepeatable: true, isDrainedFirst: false };
const DRAINED: Method = { isRepeatable: true, isDrainedFirst: true };
/** It would do its work twice, or say that others had done it before. */
const ONCE: Method = { isRepeatable: false, isDrainedFirst: false };
const ONCE_DRAINED: Method = { isRepeatable: false, isDrainedFirst: true };

export const METHODS: Readonly<Record<UnaryMethod, Method>> = {
  append: ONCE,
  save: ONCE,
  report: ONCE,
  recordInjection: ONCE,
  import: ANY,
  importFrom: ANY,
  drain: ANY,
  export: DRAINED,
  search: DRAINED,
  context: DRAINED,
  project: DRAINED,
  recall: ANY,
  timeline: DRAINED,
  list: DRAINED,
  stats: DRAINED,
  growth: ANY,
  receipts: DRAINED,
  get: DRAINED,
  why: DRAINED,
  replay: ANY,
  rebuild: ANY,
  embed: DRAINED,
  observe: ANY,
  observerRecipes: ANY,
  compareReadings: ANY,
  chooseRecipe: ANY,
  observerCost: ANY,
  buildCorpus: ONCE,
  corpora: ANY,
  corpus: ANY,
  deleteCorpus: ONCE,
  askCorpus: ONCE,
  forget: ONCE_DRAINED,
  act: ONCE_DRAINED,
  notes: DRAINED,
  proposals: DRAINED,
  decide: ONCE_DRAINED,
  shareJoin: ONCE,
  shareAccept: ONCE,
  shareInvite: ONCE,
  shareCredential: ONCE,
  shareMembers: ANY,
  shareRemove: ONCE,
  shareRotate: ONCE,
  shareRecover: ONCE,
  shareLeave: ONCE,
  shareProject: ANY,
  sharePreview: DRAINED,
  shareSync: DRAINED,
  shareStatus: ANY,
  shareDigests: ANY,
  shareForgettings: ANY,
  compact: ANY,
  verify: ANY,
  status: DRAINED,
};

export const UNARY_METHODS = Object.keys(METHODS) as UnaryMethod[];

export function isUnaryMethod(name: string): name is UnaryMethod {
  return Object.hasOwn(METHODS, name);
}
