import { AnnalsError } from '../../../../log/index.ts';
import type { RemoteAnnals } from '../../../remote/remote-annals.ts';
import type { Session } from '../../command/command.ts';

/** The worker, started if none runs. @throws AnnalsError WORKER_FAILED, which begins with `purpose` */
export async function connectedWorker({ worker, name }: Session, purpose: string): Promise<RemoteAnnals> {
  const started = await worker.start();
  if (started.outcome === 'off')
    throw new AnnalsError('WORKER_FAILED', `${purpose} ${started.why}`, {
      hint: `\`${name} worker start\` starts one.`,
    });
  const annals = await worker.connect();
  if (annals !== null) return annals;
  throw new AnnalsError('WORKER_FAILED', 'The worker ended at once.', { hint: `See \`${name} logs\`.` });
}
