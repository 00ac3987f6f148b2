// The key derivation of encrypted exports is slow on purpose: export-encryption.test.ts runs it as it is.
import { Encrypter } from 'age-encryption';
import { afterAll, beforeAll, vi } from 'vitest';

/** In the tests of this file. */
export function useQuickPassphrases(): void {
  const { setPassphrase } = Encrypter.prototype;
  beforeAll(() => {
    vi.spyOn(Encrypter.prototype, 'setPassphrase').mockImplementation(function (this: Encrypter, passphrase) {
      setPassphrase.call(this, passphrase);
      this.setScryptWorkFactor(10);
    });
  });
  afterAll(() => void vi.restoreAllMocks());
}
