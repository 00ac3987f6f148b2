// What the name of a field says about its value. A few hundred names make up nearly all fields of all payloads,
// so what was found out about a name is remembered.
import { accountKey, familyOfKey, type SecretFamily } from './key-names.ts';
import { type VendorForms, vendorsNamed } from './vendor-names.ts';

export interface FieldName {
  /** It names the person's account. */
  readonly account: boolean;
  readonly family: SecretFamily | null;
  /** The forms of the values of the vendors whom it names. */
  readonly vendors: VendorForms;
  /** Too short and too plain to hold a tag or a secret (the shortest has 20 characters): nearly all names. */
  readonly plain: boolean;
}

const remembered = new Map<string, FieldName>();
const REMEMBERED_MAX = 2_048;
/** A longer name is no ordinary one, and may be anything: it is not held on to. */
const NAME_CHARS_MAX = 48;

export function fieldName(key: string): FieldName {
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const name: FieldName = {
    account: accountKey(key),
    family: familyOfKey(key),
    vendors: vendorsNamed(key),
    plain: /^\w{1,16}$/.test(key),
  };
  if (key.length > NAME_CHARS_MAX) return name;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(key, name);
  return name;
}
