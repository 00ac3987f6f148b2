import { AnnalsError } from '../../../../log/index.ts';
import { defineCommand } from '../../command/command.ts';
import { connectedWorker } from './connected-worker.ts';

export interface ViewOptions {
  readonly open: boolean;
}

export const command = defineCommand<ViewOptions>({
  description:
    'Opens the viewer: what agents do now, search, whole sessions, every memory with the events it came from. The worker ' +
    'serves it to this machine only; it is started if none runs, and stays while a page is open. The address works once, ' +
    'within 10 minutes.',
  shape: (command) => command.option('--no-open', 'only print the address'),
  examples: [
    ['view', 'in the browser'],
    ['view --no-open', 'to open it yourself'],
  ],
  needsHome: true,
  async run(session, { open }) {
    const { terminal, json, world, name } = session;
    const annals = await connectedWorker(session, 'The worker serves the viewer.');
    try {
      const address = (await annals.control('view.address')) as string | null;
      if (address === null)
        throw new AnnalsError(
          'WORKER_FAILED',
          'The worker does not serve the viewer: its HTTP server is off.',
          {
            hint: `\`${name} config unset http.port\` switches it on; \`${name} worker status\` shows the port.`,
          },
        );
      const opened = open && (await world.openInBrowser(address));
      if (json) await terminal.json({ address, opened });
      else await terminal.line(address);
      if (open && !opened) terminal.note('No browser could be opened. Open the address yourself.');
    } finally {
      await annals.close();
    }
  },
});
