// Exports a home into a folder, encrypted with the passphrase that the parent process sends when it is asked:
// `<home> <folder>`.
import { Encrypter } from 'age-encryption';
import { openAnnals } from '../../../src/index.ts';

// The key derivation is slow on purpose.
const { setPassphrase } = Encrypter.prototype;
Encrypter.prototype.setPassphrase = function (passphrase) {
  setPassphrase.call(this, passphrase);
  this.setScryptWorkFactor(10);
};

const [home, folder] = process.argv.slice(2) as [string, string];
const annals = await openAnnals({ home });
await annals.export(folder, {
  passphrase: () =>
    new Promise((resolve) => {
      process.once('message', (passphrase) => resolve(String(passphrase)));
      process.send!('asked');
    }),
});
await annals.close();
process.disconnect();
