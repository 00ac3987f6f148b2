// A NATS server with accounts and credentials, as an operator sets it up: signed tokens with rights and an end.
import { createAccount, createOperator, createUser, type KeyPair } from '@nats-io/nkeys';

const UNLIMITED = { subs: -1, data: -1, payload: -1, conn: -1, imports: -1, exports: -1, wildcards: true };
const STORAGE = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

export interface Rights {
  readonly publish?: readonly string[];
  readonly subscribe?: readonly string[];
  /** Unix seconds. */
  readonly expires?: number;
}

export class NatsAccounts {
  readonly #operator = createOperator();
  readonly #account = createAccount();
  readonly #system = createAccount();

  /** Lines for the server's configuration. */
  configuration(): string {
    const operator = token(this.#operator, this.#operator, 'operator', {
      nats: { type: 'operator', version: 2 },
    });
    const limits = { ...UNLIMITED, leaf: -1 };
    const accountToken = (account: KeyPair, name: string, storage: object) =>
      token(this.#operator, account, name, {
        nats: { type: 'account', version: 2, limits: { ...limits, ...storage } },
      });
    const [account, system] = [this.#account, this.#system].map((one) => one.getPublicKey());
    return [
      `operator: ${operator}`,
      `system_account: ${system}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      `  ${account}: ${accountToken(this.#account, 'team', STORAGE)}`,
      `  ${system}: ${accountToken(this.#system, 'system', {})}`,
      '}',
    ].join('\n');
  }

  /** The content of a user's credentials file. */
  credentials(name: string, { publish, subscribe, expires }: Rights = {}): string {
    const user = createUser();
    const limits = { subs: -1, data: -1, payload: -1 };
    const allowed = (subjects: readonly string[] | undefined) =>
      subjects === undefined ? {} : { allow: subjects };
    const signed = token(this.#account, user, name, {
      ...(expires === undefined ? {} : { exp: expires }),
      nats: { type: 'user', version: 2, pub: allowed(publish), sub: allowed(subscribe), ...limits },
    });
    const seed = new TextDecoder().decode(user.getSeed());
    return [
      ...['-----BEGIN NATS USER JWT-----', signed, '------END NATS USER JWT------', ''],
      ...['-----BEGIN USER NKEY SEED-----', seed, '------END USER NKEY SEED------', ''],
    ].join('\n');
  }
}

function token(issuer: KeyPair, subject: KeyPair, name: string, claims: object): string {
  const encoded = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    {
      ...{ jti: name, iat: 1, iss: issuer.getPublicKey(), name, sub: subject.getPublicKey() },
      ...claims,
    },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signed = encoded.join('.');
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
}
