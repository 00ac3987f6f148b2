import { useContext } from 'preact/hooks';
import { timeText } from '../ui/amounts.ts';
import { useLostAt } from '../ui/lost.ts';
import { RecordingState } from './recording-notice.tsx';

/** On every screen: a page whose worker is gone looks like one on which nothing happens. */
export function LostNotice() {
  const at = useLostAt();
  const recording = useContext(RecordingState);
  /** By hooks, which start the worker. */
  const isHooked = recording?.agents.some(({ recorded }) => recorded) === true;
  if (at === null) return null;
  return (
    <p class="lost-notice" role="alert">
      <strong>Not connected since {timeText(new Date(at).toISOString())}.</strong> What you see may be old.
      Run <code>annals view</code>
      {isHooked ? ', or wait: the next session starts the worker.' : '.'}
    </p>
  );
}
