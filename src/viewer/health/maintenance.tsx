import { useState } from 'preact/hooks';
import { count, counted } from '../ui/amounts.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failed } from '../ui/states.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { rebuild, useLongWork, verify, type WorkState } from './long-work.ts';

export function Maintenance() {
  const work = useLongWork();
  const [asked, setAsked] = useState<'verify' | 'rebuild' | null>(null);
  const isRunning = work.state === 'running';
  const close = () => setAsked(null);
  return (
    <section aria-labelledby="maintenance-heading">
      <h2 id="maintenance-heading">Check and repair</h2>
      <div class="actions">
        <button type="button" disabled={isRunning} onClick={() => setAsked('verify')}>
          Verify
        </button>
        <button type="button" disabled={isRunning} onClick={() => setAsked('rebuild')}>
          Rebuild
        </button>
      </div>
      <Outcome work={work} />
      {asked === 'verify' && <VerifyDialog onClose={close} />}
      {asked === 'rebuild' && <RebuildDialog onClose={close} />}
    </section>
  );
}

interface DialogProps {
  onClose(): void;
}

function VerifyDialog({ onClose }: DialogProps) {
  const [rebuilt, setRebuilt] = useState(false);
  const start = () => {
    onClose();
    void verify(rebuilt);
  };
  return (
    <Dialog title="Verify the log?" onClose={onClose}>
      <p>Every event is read and checked against its hash and its place in the chain. Nothing changes.</p>
      <label class="check">
        <input
          type="checkbox"
          checked={rebuilt}
          onChange={({ currentTarget }) => setRebuilt(currentTarget.checked)}
        />
        Also build every view again and compare. This takes longer.
      </label>
      <button type="button" class="primary" onClick={start}>
        Verify
      </button>
    </Dialog>
  );
}

function RebuildDialog({ onClose }: DialogProps) {
  const start = () => {
    onClose();
    void rebuild();
  };
  return (
    <Dialog title="Rebuild everything from the log?" onClose={onClose}>
      <p>
        All that is shown and searched is made again from the events. They stay as they are, and the old views
        answer until the new ones are ready.
      </p>
      <button type="button" class="primary" onClick={start}>
        Rebuild
      </button>
    </Dialog>
  );
}

const NAMES = { verify: 'Verifying', rebuild: 'Rebuilding' } as const;

function Outcome({ work }: { readonly work: WorkState }) {
  switch (work.state) {
    case 'idle':
      return null;
    case 'failed':
      return <Failed error={work.error} />;
    case 'running':
      return (
        <p class="work">
          <span role="status">{NAMES[work.work]} …</span>
          <progress aria-label={NAMES[work.work]} max={Math.max(1, work.total)} value={work.done} />
          {work.total > 0 && (
            <span class="number">
              {count(work.done)} of {count(work.total)}
            </span>
          )}
        </p>
      );
    case 'rebuilt':
      return <p role="status">Built again from the log: {work.views.map(({ name }) => name).join(', ')}.</p>;
    case 'verified':
      return <Found found={work.found} />;
  }
}

function Found({ found }: { readonly found: Extract<WorkState, { state: 'verified' }>['found'] }) {
  const { ok, events, problems, views } = found;
  return (
    <div role="status">
      <p class={ok ? undefined : 'bad'}>
        {counted(events, 'event')} checked: {ok ? 'all is well' : counted(problems.length, 'problem')}.
        {views !== undefined && ok && ' Every view is equal to its rebuild.'}
      </p>
      <ul>
        {problems.slice(0, 20).map(({ position, message }) => (
          <li key={`${position} ${message}`} class="bad">
            {position !== null && `At ${count(position)}: `}
            <WithCode text={message} />
          </li>
        ))}
      </ul>
    </div>
  );
}
