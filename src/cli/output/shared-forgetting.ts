// Prints which machines have applied a forgetting.
import type { ForgettingMachine, SharedForgetting } from '../../api.ts';
import { minuteText } from '../../terminal-text/time-text.ts';
import { counted } from './amount.ts';

const MACHINES_SHOWN_MAX = 8;

export function forgettingLine({ project, at, events, sent, machines }: SharedForgetting): string {
  const what = `Forgotten ${day(at)} (${counted(events, 'event')} of ${project})`;
  if (!sent) return `${what}: not sent yet.`;
  if (machines.length === 0) return `${what}: no other machine had it.`;
  const confirmed = machines.filter((one) => one.confirmed !== null);
  const open = machines.filter(isOpen);
  const silent = machines.filter((one) => one.confirmed === null && one.silent !== null);
  const parts = [
    ...(confirmed.length === 0 ? [] : [`confirmed by ${listed(confirmed, ({ name }) => name)}`]),
    ...(open.length === 0 ? [] : [`not yet by ${listed(open, openText)}`]),
    ...(silent.length === 0 ? [] : [`never by ${listed(silent, silentText)}`]),
  ];
  return `${what}: ${parts.join('; ')}.`;
}

/** Whether a machine can still confirm. */
export function isOpen({ confirmed, silent }: ForgettingMachine): boolean {
  return confirmed === null && silent === null;
}

function openText({ name, seen }: ForgettingMachine): string {
  return `${name} (${seen === null ? 'never seen' : `last seen ${day(seen)}`})`;
}

function silentText({ name, silent }: ForgettingMachine): string {
  return silent === 'reader' ? `${name} (only reads)` : `${name} (was removed, and keeps what it had)`;
}

function listed(
  machines: readonly ForgettingMachine[],
  text: (machine: ForgettingMachine) => string,
): string {
  const shown = machines.slice(0, MACHINES_SHOWN_MAX).map(text).join(', ');
  const more = machines.length - MACHINES_SHOWN_MAX;
  return more > 0 ? `${shown} and ${counted(more, 'more machine')}` : shown;
}

function day(at: number): string {
  return minuteText(at).slice(0, 10);
}
