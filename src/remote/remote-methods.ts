// The calls of `Annals` that take arguments and give one answer. `log`, `onChange` and `close` work differently.
import type { Annals } from '../api.ts';

export type UnaryMethod = Exclude<keyof Annals, 'home' | 'log' | 'onChange' | 'close'>;

const METHODS: Readonly<Record<UnaryMethod, true>> = {
  append: true,
  save: true,
  report: true,
  recordInjection: true,
  import: true,
  importFrom: true,
  drain: true,
  export: true,
  search: true,
  context: true,
  project: true,
  recall: true,
  timeline: true,
  list: true,
  stats: true,
  growth: true,
  receipts: true,
  get: true,
  why: true,
  replay: true,
  rebuild: true,
  embed: true,
  observe: true,
  observerRecipes: true,
  compareReadings: true,
  chooseRecipe: true,
  observerCost: true,
  buildCorpus: true,
  corpora: true,
  corpus: true,
  deleteCorpus: true,
  askCorpus: true,
  forget: true,
  act: true,
  notes: true,
  proposals: true,
  decide: true,
  shareJoin: true,
  shareAccept: true,
  shareInvite: true,
  shareCredential: true,
  shareMembers: true,
  shareRemove: true,
  shareRotate: true,
  shareRecover: true,
  shareLeave: true,
  shareProject: true,
  sharePreview: true,
  shareSync: true,
  shareStatus: true,
  shareDigests: true,
  shareForgettings: true,
  compact: true,
  verify: true,
  status: true,
};

export const UNARY_METHODS = Object.keys(METHODS) as UnaryMethod[];

export function isUnaryMethod(name: string): name is UnaryMethod {
  return Object.hasOwn(METHODS, name);
}
