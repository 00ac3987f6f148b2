// Three NATS servers with TLS and an authority of their own, one cluster.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, natsProgram } from './servers.ts';

export interface TestCluster {
  /** PEM. */
  readonly ca: string;
  /** Of the servers that run. */
  urls(): readonly string[];
  /** SIGKILL to the server with this name. */
  kill(name: string): Promise<void>;
  /** Starts the ones that were killed, and waits until all accept. */
  startAll(): Promise<void>;
  end(): Promise<void>;
}

const NAMES = ['n1', 'n2', 'n3'] as const;

export async function startCluster(): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'annals-cluster-'));
  const certificate = makeCertificate(folder);
  const ports = await Promise.all(NAMES.map(freePort));
  const routes = await Promise.all(NAMES.map(freePort));
  const children = new Map<string, ChildProcess>();
  const start = (name: string) => {
    const index = NAMES.indexOf(name as (typeof NAMES)[number]);
    const file = join(folder, `${name}.conf`);
    writeFileSync(
      file,
      `server_name: ${name}
listen: "127.0.0.1:${ports[index]}"
jetstream { store_dir: "${join(folder, name)}" }
tls { cert_file: "${certificate.cert}", key_file: "${certificate.key}" }
cluster { name: c, listen: "127.0.0.1:${routes[index]}", routes: [${routes.map((port) => `"nats://127.0.0.1:${port}"`).join(', ')}] }
`,
    );
    children.set(name, spawn(natsProgram!, ['-c', file], { stdio: 'ignore' }));
  };
  const kill = async (name: string) => {
    const child = children.get(name);
    children.delete(name);
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  for (const name of NAMES) start(name);
  return {
    ca: readFileSync(certificate.ca, 'utf8'),
    // The client compares the name with the certificate.
    urls: () => [...children.keys()].map((name) => `tls://localhost:${ports[NAMES.indexOf(name as 'n1')]}`),
    kill,
    async startAll() {
      for (const name of NAMES) if (!children.has(name)) start(name);
    },
    async end() {
      for (const name of NAMES) await kill(name);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeCertificate(folder: string) {
  const path = (name: string) => join(folder, name);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=test authority');
  openssl(
    'req',
    ...key.slice(0, 4),
    '-nodes',
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
    '-subj',
    '/CN=localhost',
  );
  writeFileSync(path('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
  const sign = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', ...sign, '-out', 'server.pem');
  return { ca: path('ca.pem'), cert: path('server.pem'), key: path('server.key') };
}
