import type { HomeStatus } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { bytes, count, counted } from '../ui/amounts.ts';
import { Time } from '../ui/labels.tsx';
import { Shown } from '../ui/states.tsx';

export function Queue({ status }: { readonly status: Loaded<HomeStatus> }) {
  return (
    <section aria-labelledby="queue-heading">
      <h2 id="queue-heading">Worker and queue</h2>
      <Shown loaded={status}>
        {({ queues, spool, process }) => (
          <>
            {queues.spool + (process.transcriptsWaiting ?? 0) + queues.projection + spool.bad === 0 ? (
              <p>
                Nothing waits: every hook file, transcript and event was taken in.
                {spool.taken.recorded > 0 &&
                  ` ${counted(spool.taken.recorded, 'hook file')} recorded so far.`}
              </p>
            ) : (
              <dl class="tiles">
                <Tile name="Hook files that wait" value={queues.spool} />
                <Tile name="Transcripts that wait" value={process.transcriptsWaiting ?? 0} />
                <Tile name="Events not in the views yet" value={queues.projection} />
                <Tile name="Hook files that could not be used" value={spool.bad} isBad={spool.bad > 0} />
                <Tile name="Hook files recorded so far" value={spool.taken.recorded} />
              </dl>
            )}
            {process.startedAt !== undefined && (
              <p class="quiet-text">
                The worker, process {process.pid}, version {process.version}, runs since{' '}
                <Time at={process.startedAt} /> and uses {bytes(process.memory ?? 0)} of memory. It watches
                the transcripts in {counted(process.transcripts?.length ?? 0, 'folder')}.
              </p>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: number;
  readonly isBad?: boolean;
}

function Tile({ name, value, isBad = false }: TileProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={isBad ? 'number bad' : 'number'}>{count(value)}</dd>
    </div>
  );
}
