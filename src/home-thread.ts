// The thread that holds a home: it writes the log and the views, and answers every call but those that another thread
// answers from the views (src/thread/open-in-thread.ts). scripts/build.mjs builds it as a separate program.
import { parentPort } from 'node:worker_threads';
import { annalsOf } from './annals.ts';
import type { Annals } from './api.ts';
import type { Home } from './home/home.ts';
import { mayReadNow } from './home/home-state.ts';
import { openParts } from './open-parts.ts';
import { portChannel } from './remote/port-channel.ts';
import { serveAnnals } from './remote/serve-annals.ts';
import { callsOver } from './thread/calls.ts';
import { CHANNELS, type ReaderCalls, type WriterCalls } from './thread/messages.ts';
import { splitChannel } from './thread/split-channel.ts';

const channels = splitChannel(portChannel(parentPort!), CHANNELS);
let home: Home;
let annals: Annals;
const handlers: WriterCalls = {
  async open(options) {
    home = await openParts(
      { ...options, onWait: () => void call('waitsForLock').catch(nobody) },
      {
        hold: (location, mustExist, isRead) => call('hold', location, mustExist, isRead),
        release: (location) => call('release', location),
        read: (location) => call('read', location),
      },
    );
    const { log, runner, imports, state } = home;
    const changed = (): void =>
      void call('changed', state()).then((positions) => runner.noteFollowers(positions), nobody);
    log.onHead(changed);
    runner.onProjected(changed);
    imports.onChange = changed;
    home.notice.onChange(changed);
    annals = await annalsOf(home, options);
    serveAnnals(annals, channels.annals, { version: '' });
    return state();
  },
  async catchUp() {
    if (!mayReadNow(home.state())) await home.runner.catchUp();
    home.imports.onChange();
  },
  close: () => annals.close(),
  async store(name, projects) {
    const index = home[name];
    for (const project of projects)
      await home.readers.query((upstream) => index.store(upstream(index.follows), project));
  },
};
const call = callsOver<ReaderCalls>(channels.home, handlers);

/** If the other thread is gone, nobody has to know. */
function nobody(): void {}
