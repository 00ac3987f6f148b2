// Where a trial of sharing runs: a server and two machines, each with a folder and an environment of its own. On this
// machine alone, or, for root, each in a network of its own with a wire between them.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND } from '../../e2e/command.ts';
import { run } from '../../helpers/child.ts';

export interface Place {
  readonly folder: string;
  /** Runs a script of sh in the folder, with `annals` as a command. @throws Error with all its output */
  run(script: string, stdin?: string): Promise<string>;
  /** Starts a program that stays, and waits for a line of its output. */
  start(words: readonly string[], ready: RegExp, env?: Environment): Promise<ChildProcess>;
}

type Environment = Readonly<Record<string, string>>;

export interface Places {
  readonly server: Place;
  readonly first: Place;
  readonly second: Place;
  /** What the machines call the server. */
  readonly serverName: string;
  /** On which the server listens. */
  readonly listen: string;
  end(): void;
}

export function onThisMachine(folder: string): Places {
  return {
    ...{ serverName: 'localhost', listen: '127.0.0.1' },
    server: place(join(folder, 'server'), []),
    first: place(join(folder, 'first'), []),
    second: place(join(folder, 'second'), []),
    end: () => {},
  };
}

const NETWORK = '10.77.0';

/** Root only. */
export function inNetworks(folder: string, serverName: string): Places {
  const names = ['server', 'first', 'second'].map((name) => `annals-${process.pid}-${name}`);
  const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'pipe' });
  const [server, ...machines] = names as [string, string, string];
  for (const name of names) {
    ip('netns', 'add', name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
    mkdirSync(`/etc/netns/${name}`, { recursive: true });
    writeFileSync(`/etc/netns/${name}/hosts`, `127.0.0.1 localhost\n${NETWORK}.1 ${serverName}\n`);
  }
  ip('-n', server, 'link', 'add', 'br0', 'type', 'bridge');
  ip('-n', server, 'addr', 'add', `${NETWORK}.1/24`, 'dev', 'br0');
  ip('-n', server, 'link', 'set', 'br0', 'up');
  for (const [index, name] of machines.entries()) {
    const wire = `wire${index}`;
    ip('link', 'add', wire, 'netns', server, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('-n', server, 'link', 'set', wire, 'master', 'br0', 'up');
    ip('-n', name, 'addr', 'add', `${NETWORK}.${index + 2}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
  }
  const inside = (name: string, within: string) => place(join(folder, within), ['ip', 'netns', 'exec', name]);
  return {
    ...{ serverName, listen: `${NETWORK}.1` },
    ...{ server: inside(server, 'server'), first: inside(machines[0]!, 'first') },
    second: inside(machines[1]!, 'second'),
    end: () => {
      for (const name of names) {
        ip('netns', 'del', name);
        rmSync(`/etc/netns/${name}`, { recursive: true, force: true });
      }
    },
  };
}

function place(folder: string, prefix: readonly string[]): Place {
  const programs = join(folder, '.programs');
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, 'annals'), `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`);
  chmodSync(join(programs, 'annals'), 0o755);
  const options = (env: Environment = {}) => ({
    cwd: folder,
    env: { PATH: `${programs}:${process.env.PATH}:/usr/sbin`, HOME: folder, LANG: 'C.UTF-8', ...env },
  });
  const called = (words: readonly string[]) => {
    const [program, ...rest] = [...prefix, ...words];
    return [program!, rest] as const;
  };
  return {
    folder,
    run: async (script, stdin) => {
      const { code, stdout, stderr } = await run(...called(['sh', '-ec', script]), { ...options(), stdin });
      if (code !== 0) throw new Error(`${script}\n${stdout}${stderr}`);
      return stdout;
    },
    start: (words, ready, env) =>
      new Promise((resolve, reject) => {
        const child = spawn(...called(words), options(env));
        let output = '';
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (chunk) => {
            output += String(chunk);
            if (ready.test(output)) resolve(child);
          });
        child.once('exit', () => reject(new Error(`${words[0]} ended: ${output}`)));
      }),
  };
}
