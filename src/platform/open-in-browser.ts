// Opens an address in the browser of the person at this machine.
import { spawn } from 'node:child_process';

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
/** A program that opens a browser returns at once; one that is the browser runs on. */
const SOON_MS = 3_000;

/** False if no program can do it. */
export function openInBrowser(address: string): Promise<boolean> {
  const [program = '', ...args] = PROGRAMS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true, windowsHide: true });
    const timer = setTimeout(() => resolve(true), SOON_MS);
    const end = (opened: boolean) => {
      clearTimeout(timer);
      resolve(opened);
    };
    child.once('error', () => end(false));
    child.once('exit', (code) => end(code === 0));
    child.unref();
  });
}
