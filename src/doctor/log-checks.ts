// What the library says of itself: the log, its views, the spool, the worker. If the home cannot be opened, this says why.
import { isAnnalsError } from '../../log/index.ts';
import type { Annals, Status } from '../api.ts';
import { PAUSED } from '../config/settings.ts';
import type { Check, Finding } from './check.ts';

/** Files wait for a moment while a worker runs, and for up to half an hour while a turn is not known. */
const WAITING_MANY = 1_000;

export function logAndViews(open: () => Promise<Annals>): Check {
  return {
    name: 'log',
    async look() {
      let status: Status;
      try {
        status = await (await open()).status();
      } catch (error) {
        if (!isAnnalsError(error)) throw error;
        return [{ state: 'problem', message: error.message, ...(error.hint ? { advice: error.hint } : {}) }];
      }
      const { log, views, degraded } = status;
      const findings: Finding[] = degraded.map((message) => ({
        state: message.startsWith(PAUSED) ? 'problem' : 'warning',
        message,
      }));
      for (const { name, lag } of views)
        if (lag > 0)
          findings.push({
            state: 'warning',
            message: `The ${name} view is ${lag} events behind the log.`,
            advice: 'annals replay brings it up; annals verify says if it cannot.',
          });
      if (findings.length > 0) return findings;
      return [
        {
          state: 'ok',
          message: `${log.events.toLocaleString('en')} events; all views are up to date. The events were not checked: annals verify does that.`,
        },
      ];
    },
  };
}

export function spool(open: () => Promise<Annals>): Check {
  return {
    name: 'spool',
    async look() {
      const { spool: counts } = await (await open()).status();
      const findings: Finding[] = [];
      if (counts.bad > 0)
        findings.push({
          state: 'warning',
          message: `${counts.bad} ${counts.bad === 1 ? 'file' : 'files'} of hooks could not be used.`,
          advice: 'The first line of each file in spool/bad of the home is the reason.',
        });
      if (counts.new > WAITING_MANY)
        findings.push({
          state: 'warning',
          message: `${counts.new} files of hooks wait in the spool.`,
          advice: 'annals status says what happened to the others.',
        });
      return findings.length > 0
        ? findings
        : [{ state: 'ok', message: `${counts.new} files of hooks wait.` }];
    },
  };
}
