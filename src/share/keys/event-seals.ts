// Seals and opens events with keys that are known. One signature covers a batch; a root whose signature was checked once
// is remembered, because checking a signature takes ten times as long as all the rest.
import { hashTree, leafHash, rootOf } from './hash-tree.ts';
import type { RandomBytes } from './identity.ts';
import type { ProjectKey } from './project-keys.ts';
import {
  decrypt,
  encrypt,
  type Head,
  headBytes,
  joinSealed,
  NONCE_BYTES,
  type SealedEvent,
} from './sealed-event.ts';
import { SealError } from './sealer.ts';
import { type Signer, subkey, type Verifier, verifierOf } from './signing.ts';

const SIGNED_AS = Buffer.from('annals sealed events\0');
const REMEMBERED_MAX = 4_096;

export interface ToSeal {
  readonly key: ProjectKey;
  readonly plain: Uint8Array;
}

export class EventSeals {
  readonly #team: string;
  readonly #randomBytes: RandomBytes;
  readonly #subkeys = new Map<string, Buffer>();
  readonly #verifiers = new Map<string, Verifier>();
  /** Signatures by author and root. */
  readonly #checked = new Map<string, string>();

  constructor(team: string, randomBytes: RandomBytes) {
    this.#team = team;
    this.#randomBytes = randomBytes;
  }

  /** @param items at least one @throws SealError size */
  seal(items: readonly ToSeal[], signer: Signer, at: number): readonly Uint8Array[] {
    const parts = items.map(({ key, plain }) => {
      const { id, projectId, project } = key;
      const about = { team: this.#team, project: projectId, key: id, author: signer.id, at };
      const head = headBytes(about, this.#randomBytes(NONCE_BYTES));
      return { head, sealed: encrypt(head, this.#subkey(about, key), project, plain) };
    });
    const tree = hashTree(parts.map(({ head, sealed }) => leafHash(head, sealed)));
    const signature = signer.sign(this.#signed(tree.root));
    return parts.map(({ head, sealed }, index) =>
      joinSealed(head, { index, path: tree.pathOf(index), signature }, sealed),
    );
  }

  /** @throws SealError forged */
  checkSignature(event: SealedEvent, publicKey: Uint8Array): void {
    const root = rootOf(leafHash(event.head, event.sealed), event.index, event.path);
    const name = event.author + root.toString('base64');
    const signature = event.signature.toString('base64');
    if (this.#checked.get(name) === signature) return;
    const verify = this.#verifiers.get(event.author) ?? verifierOf(publicKey);
    this.#verifiers.set(event.author, verify);
    if (!verify(this.#signed(root), event.signature)) throw new SealError('forged');
    if (this.#checked.size >= REMEMBERED_MAX) this.#checked.delete(this.#checked.keys().next().value!);
    this.#checked.set(name, signature);
  }

  /** @throws SealError key, damaged, project: the name inside is another one */
  open(event: SealedEvent, key: ProjectKey): Uint8Array {
    const { project, plain } = decrypt(event, this.#subkey(event, key));
    if (project !== key.project || event.project !== key.projectId) throw new SealError('project');
    return plain;
  }

  #signed(root: Buffer): Buffer {
    return Buffer.concat([SIGNED_AS, Buffer.from(this.#team, 'hex'), root]);
  }

  /** Each author has a key of its own, so that random nonces of many machines do not meet. */
  #subkey({ author }: Pick<Head, 'author'>, { id, key }: ProjectKey): Buffer {
    const known = this.#subkeys.get(id + author);
    if (known !== undefined) return known;
    const made = subkey(key, 'events', Buffer.from(author, 'hex'));
    this.#subkeys.set(id + author, made);
    return made;
  }
}
