// What the name of a field says about its value. A few hundred names cover nearly all fields of all payloads, so the
// results are cached by name.
import { accountKey, familyOfKey, type SecretFamily } from './key-names.ts';
import { type VendorForms, vendorsNamed } from './vendor-names.ts';

export interface FieldName {
  /** Whether it names the person's account. */
  readonly account: boolean;
  readonly family: SecretFamily | null;
  /** The value formats of the vendors that it names. */
  readonly vendors: VendorForms;
  /** Too short and plain to hold a tag or a secret (the shortest has 20 characters). Nearly all names are. */
  readonly plain: boolean;
}

const cache = new Map<string, FieldName>();
const CACHE_MAX = 2_048;
/** A longer name is unusual and may hold anything, so it is not cached. */
const NAME_CHARS_MAX = 48;

export function fieldName(key: string): FieldName {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const name: FieldName = {
    account: accountKey(key),
    family: familyOfKey(key),
    vendors: vendorsNamed(key),
    plain: /^\w{1,16}$/.test(key),
  };
  if (key.length > NAME_CHARS_MAX) return name;
  if (cache.size >= CACHE_MAX) cache.clear();
  cache.set(key, name);
  return name;
}
