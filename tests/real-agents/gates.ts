// Gates: see plan.ts.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { becomes } from './wait.ts';

const FOLDER = '.gates';

/** Shell command that stops at the gate, then prints `text`. It runs in the project's folder. */
export function gateCommand(gate: string, text: string): string {
  return `g=${FOLDER}/${gate}; touch $g.reached; until [ -e $g.open ]; do sleep 0.05; done; echo ${text}`;
}

export function prepareGates(project: string): void {
  mkdirSync(join(project, FOLDER), { recursive: true });
}

export function isReached(project: string, gate: string): boolean {
  return existsSync(join(project, FOLDER, `${gate}.reached`));
}

export function openGate(project: string, gate: string): void {
  writeFileSync(join(project, FOLDER, `${gate}.open`), '');
}

/** Releases everything that still waits at a gate. */
export function openAllGates(project: string): void {
  for (const name of readdirSync(join(project, FOLDER)))
    if (name.endsWith('.reached')) openGate(project, name.slice(0, -'.reached'.length));
}

/** Reaches a gate and waits until it is open. */
export async function passGate(project: string, gate: string): Promise<void> {
  writeFileSync(join(project, FOLDER, `${gate}.reached`), '');
  await becomes(() => existsSync(join(project, FOLDER, `${gate}.open`)));
}
