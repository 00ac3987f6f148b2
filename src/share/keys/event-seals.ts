// Seals and opens events with keys that are known. One signature covers a batch. What it proved is remembered for the
// other messages of the batch, because checking a signature takes ten times as long as all the rest.
import { type Hashes, hashTree, leafHash, ProvenNodes } from './hash-tree.ts';
import type { RandomBytes } from './identity.ts';
import type { ProjectKey } from './project-keys.ts';
import {
  decrypt,
  encrypt,
  type Head,
  headStart,
  joinSealed,
  NONCE_BYTES,
  projectPrefix,
  type SealedEvent,
  splitSealed,
} from './sealed-event.ts';
import { type Opened, type Refusal, SealError } from './sealer.ts';
import { type Signer, subkey, type Verifier, verifierOf } from './signing.ts';

const SIGNED_AS = Buffer.from('annals sealed events\0');
/** Of batches, each up to 40 KiB. */
const REMEMBERED_MAX = 128;

/** What the machine knows of the author and the key that a message names. */
export interface Access {
  /** Null when the author is not known. */
  readonly publicKey: Uint8Array | null;
  /** Why its author may not write it, or this machine may not read it. */
  readonly refusal: Refusal | null;
  /** Null when it was not given to this machine yet. */
  readonly key: ProjectKey | null;
}

export interface ToSeal {
  readonly key: ProjectKey;
  readonly plain: Uint8Array;
}

/** What the events of a batch have in common that one key seals. */
interface KeyInUse {
  readonly start: Buffer;
  readonly subkey: Buffer;
  readonly prefix: Buffer;
}

export class EventSeals {
  readonly #team: string;
  readonly #randomBytes: RandomBytes;
  readonly #subkeys = new Map<string, Buffer>();
  readonly #verifiers = new Map<string, Verifier>();
  /** By author and signature. */
  readonly #proven = new Map<string, ProvenNodes>();

  constructor(team: string, randomBytes: RandomBytes) {
    this.#team = team;
    this.#randomBytes = randomBytes;
  }

  /** @param items at least one @throws SealError size */
  seal(items: readonly ToSeal[], signer: Signer, at: number): readonly Uint8Array[] {
    const nonces = this.#randomBytes(NONCE_BYTES * items.length);
    const sealers = new Map<ProjectKey, KeyInUse>();
    const encrypted = items.map(({ key, plain }, index) => {
      const known = sealers.get(key) ?? this.#sealer(key, signer.id, at);
      sealers.set(key, known);
      const { start, subkey, prefix } = known;
      const nonce = nonces.subarray(index * NONCE_BYTES, (index + 1) * NONCE_BYTES);
      return encrypt(Buffer.concat([start, nonce]), subkey, prefix, plain);
    });
    const tree = hashTree(encrypted.map((bytes) => leafHash(bytes)));
    const signature = signer.sign(this.#signed(tree.root));
    return encrypted.map((bytes, index) => joinSealed({ index, path: tree.pathOf(index), signature }, bytes));
  }

  /** Null: its key or its author is not known yet. @throws SealError */
  openAs(sealed: Uint8Array, { publicKey, refusal, key }: Access): Opened | null {
    const event = splitSealed(sealed);
    if (event.team !== this.#team) throw new SealError('team');
    if (publicKey === null) return null;
    this.#checkSignature(event, publicKey);
    if (refusal !== null) throw new SealError(refusal);
    if (key === null) return null;
    const { author, at } = event;
    return { project: key.project, author, at, plain: this.#open(event, key) };
  }

  /** @throws SealError forged */
  #checkSignature(event: SealedEvent, publicKey: Uint8Array): void {
    const { author, signature, index, path } = event;
    const name = author + signature.toString('latin1');
    const proven = this.#proven.get(name) ?? new ProvenNodes();
    const isSigned = (root: Hashes) => this.#verifierOf(author, publicKey)(this.#signed(root), signature);
    if (!proven.proves(leafHash(event.head, event.sealed), index, path, isSigned))
      throw new SealError('forged');
    if (this.#proven.size >= REMEMBERED_MAX && !this.#proven.has(name))
      this.#proven.delete(this.#proven.keys().next().value!);
    this.#proven.set(name, proven);
  }

  /** @throws SealError key, damaged, project: the name inside is another one */
  #open(event: SealedEvent, key: ProjectKey): Uint8Array {
    const { project, plain } = decrypt(event, this.#subkey(event, key));
    if (project !== key.project || event.project !== key.projectId) throw new SealError('project');
    return plain;
  }

  #sealer(key: ProjectKey, author: string, at: number): KeyInUse {
    const about = { team: this.#team, project: key.projectId, key: key.id, author, at };
    return {
      start: headStart(about),
      subkey: this.#subkey(about, key),
      prefix: projectPrefix(key.project),
    };
  }

  #verifierOf(author: string, publicKey: Uint8Array): Verifier {
    const known = this.#verifiers.get(author) ?? verifierOf(publicKey);
    this.#verifiers.set(author, known);
    return known;
  }

  #signed(root: Hashes): Buffer {
    return Buffer.concat([SIGNED_AS, Buffer.from(this.#team, 'hex'), Buffer.from(root, 'latin1')]);
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
