import { AnnalsError } from '../../../log/index.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import { minuteText } from '../../terminal-text/time-text.ts';
import type { WorkerState } from '../../worker/worker.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { oneOf } from '../command/options.ts';
import { bytes, counted } from '../output/amount.ts';

const ACTIONS = ['status', 'start', 'stop', 'run'] as const;
type Action = (typeof ACTIONS)[number];
/** To a service manager it is a failure, after which it starts the worker again; "try again" in sysexits.h. */
const RESTART_CODE = 75;

export const command = defineCommand<object>({
  description:
    'The worker is one process that holds the log, records what hooks and agents write as it happens, and answers the ' +
    'other commands. `start` starts it in the background and returns when it answers; `run` runs it here until Ctrl-C. ' +
    'It ends by itself when nothing happened for half an hour (setting worker.idleMinutes). Nothing is lost without it: ' +
    'hooks write to the spool, and the next command reads it.',
  shape: (command) =>
    command.addArgument(oneOf('[action]', `${ACTIONS.join(', ')} (default: status)`, ACTIONS)),
  examples: [
    ['worker', 'whether it runs, and what it does'],
    ['worker start', 'also after failed starts, and when the setting worker is off'],
    ['worker stop', 'ends it and removes its socket'],
    ['worker run', 'in this terminal, for a service manager'],
  ],
  run: (session, _, [action = 'status']) => RUN[actionOf(action)](session),
});

function actionOf(word: string): Action {
  const action = ACTIONS.find((one) => one === word);
  if (action !== undefined) return action;
  throw new AnnalsError('USAGE', `worker has no action "${word}".`, {
    hint: `Known: ${ACTIONS.join(', ')}.`,
  });
}

const RUN: Readonly<Record<Action, (session: Session) => Promise<number>>> = {
  status,
  start,
  stop,
  run: runWorkerHere,
};

async function status({ json, terminal, worker }: Session): Promise<number> {
  const { state, why } = await worker.status();
  if (json) await terminal.json(state === null ? { running: false, why } : { running: true, ...state });
  else if (state !== null) await printState(terminal, state);
  else {
    await terminal.line('No worker runs.');
    if (why !== null) terminal.note(plainLine(why));
  }
  return 0;
}

async function printState(terminal: Session['terminal'], state: WorkerState): Promise<void> {
  const {
    pid,
    version,
    startedAt,
    clients,
    memory,
    head,
    projected,
    socket,
    port,
    portWanted,
    log,
    transcripts,
  } = state;
  await terminal.line(
    `A worker runs: process ${pid}, version ${version}, since ${minuteText(Date.parse(startedAt))}.`,
  );
  const behind = head > projected ? `, ${counted(head - projected, 'event')} not searchable yet` : '';
  await terminal.line(`${counted(clients, 'connection')}, ${bytes(memory)} of memory${behind}`);
  await terminal.line(`Socket       ${plainLine(socket)}`);
  if (portWanted !== null) {
    const taken = port === null || port === portWanted ? '' : `: port ${portWanted} is taken`;
    await terminal.line(`HTTP         ${port === null ? 'not served' : `http://127.0.0.1:${port}`}${taken}`);
  }
  const [first = 'none found', ...others] = transcripts;
  await terminal.line(`Transcripts  ${plainLine(first)}`);
  for (const folder of others) await terminal.line(`             ${plainLine(folder)}`);
  await terminal.line(`Log          ${plainLine(log)}`);
}

async function start({ json, terminal, worker }: Session): Promise<number> {
  const started = await worker.startByHand();
  const process = started.pid === null ? '' : `: process ${started.pid}`;
  if (json) await terminal.json(started);
  else
    await terminal.line(
      started.outcome === 'started' ? `The worker runs${process}.` : `A worker runs already${process}.`,
    );
  return 0;
}

async function stop({ json, terminal, worker }: Session): Promise<number> {
  const stopped = await worker.stop();
  if (json) await terminal.json({ stopped });
  else await terminal.line(stopped ? 'The worker has ended.' : 'No worker runs.');
  return 0;
}

export async function runWorkerHere({ json, terminal, worker, name }: Session): Promise<number> {
  const end = await worker.run(async (state) => {
    if (json) await terminal.json({ running: true, ...state });
    else {
      await terminal.line();
      await printState(terminal, state);
      terminal.note(`Recording. Ctrl-C or \`${name} worker stop\` ends it.`);
    }
  });
  if (end.outcome === 'failed') throw end.error;
  if (end.outcome === 'already') {
    throw new AnnalsError('WORKER_FAILED', 'A worker of this home runs already.', {
      hint: `\`${name} worker stop\` ends it.`,
    });
  }
  if (end.outcome === 'restart') return RESTART_CODE;
  terminal.note(`Ended: ${end.reason}.`);
  return 0;
}
