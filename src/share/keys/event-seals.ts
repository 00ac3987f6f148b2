// Seals and opens events with keys that are known. One signature covers a batch. What it proved is remembered for the
// other messages of the batch, because checking a signature takes ten times as long as all the rest.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { depthFor, type Hashes, hashTree, leafHash, ProvenNodes } from './hash-tree.ts';
import type { RandomBytes } from './identity.ts';
import type { ProjectKey } from './project-keys.ts';
import {
  decrypt,
  type Head,
  headStart,
  leafAt,
  NONCE_BYTES,
  projectPrefix,
  type SealedEvent,
  sealedSize,
  splitSealed,
  writeLeaf,
  writePlace,
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
  readonly key: KeyObject;
  readonly prefix: Buffer;
}

export class EventSeals {
  readonly #team: string;
  readonly #randomBytes: RandomBytes;
  readonly #subkeys = new Map<string, KeyObject>();
  readonly #verifiers = new Map<string, Verifier>();
  /** By author and signature. */
  readonly #proven = new Map<string, ProvenNodes>();

  constructor(team: string, randomBytes: RandomBytes) {
    this.#team = team;
    this.#randomBytes = randomBytes;
  }

  /** All in one buffer of their own, one after the other. @param items at least one @throws SealError size */
  seal(items: readonly ToSeal[], signer: Signer, at: number): readonly Uint8Array[] {
    const inUse = new Map<ProjectKey, KeyInUse>();
    for (const { key } of items) if (!inUse.has(key)) inUse.set(key, this.#sealer(key, signer.id, at));
    const contents = items.map(({ key, plain }) => ({ ...inUse.get(key)!, plain }));
    const depth = depthFor(items.length);
    const messages = buffersOf(contents.map((content) => sealedSize(content, depth)));
    const nonces = this.#randomBytes(NONCE_BYTES * items.length);
    const leaves = messages.map((message, index) => {
      const leaf = message.subarray(leafAt(depth));
      const nonce = nonces.subarray(index * NONCE_BYTES, (index + 1) * NONCE_BYTES);
      writeLeaf(leaf, { ...contents[index]!, nonce });
      return leafHash(leaf);
    });
    const tree = hashTree(leaves);
    const signature = signer.sign(this.#signed(tree.root));
    for (const [index, message] of messages.entries())
      writePlace(message, { index, path: tree.pathOf(index), signature });
    return messages;
  }

  /** Null: its key or its author is not known yet. @throws SealError */
  openAs(
    sealed: Uint8Array,
    { publicKey, refusal, key }: Access,
  ): (Opened & { readonly plain: Buffer }) | null {
    const event = splitSealed(sealed);
    if (event.head.team !== this.#team) throw new SealError('team');
    if (publicKey === null) return null;
    this.#checkSignature(event, publicKey);
    if (refusal !== null) throw new SealError(refusal);
    if (key === null) return null;
    const { author, at } = event.head;
    return { project: key.project, author, at, plain: this.#open(event, key) };
  }

  /** @throws SealError forged */
  #checkSignature(event: SealedEvent, publicKey: Uint8Array): void {
    const { signature, index, path, leaf } = event;
    const { author } = event.head;
    const name = author + signature.toString('latin1');
    const proven = this.#proven.get(name) ?? new ProvenNodes();
    const isSigned = (root: Hashes) => this.#verifierOf(author, publicKey)(this.#signed(root), signature);
    if (!proven.proves(leafHash(leaf), index, path, isSigned)) throw new SealError('forged');
    if (this.#proven.size >= REMEMBERED_MAX && !this.#proven.has(name))
      this.#proven.delete(this.#proven.keys().next().value!);
    this.#proven.set(name, proven);
  }

  /** @throws SealError key, damaged, project: the name inside is another one */
  #open(event: SealedEvent, key: ProjectKey): Buffer {
    const { project, plain } = decrypt(event, this.#subkey(event.head, key));
    if (project !== key.project || event.head.project !== key.projectId) throw new SealError('project');
    return plain;
  }

  #sealer(key: ProjectKey, author: string, at: number): KeyInUse {
    const about = { team: this.#team, project: key.projectId, key: key.id, author, at };
    return {
      start: headStart(about),
      key: this.#subkey(about, key),
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
  #subkey({ author }: Pick<Head, 'author'>, { id, key }: ProjectKey): KeyObject {
    const known = this.#subkeys.get(id + author);
    if (known !== undefined) return known;
    const made = createSecretKey(subkey(key, 'events', Buffer.from(author, 'hex')));
    this.#subkeys.set(id + author, made);
    return made;
  }
}

/** Parts of one buffer with these lengths. */
function buffersOf(lengths: readonly number[]): readonly Buffer[] {
  const all = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return all.subarray(at - length, at);
  });
}
