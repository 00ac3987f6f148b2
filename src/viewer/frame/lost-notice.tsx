import { timeText } from '../ui/amounts.ts';
import { useLostAt } from '../ui/lost.ts';

/** On every screen: a page whose worker is gone looks like one on which nothing happens. */
export function LostNotice() {
  const at = useLostAt();
  if (at === null) return null;
  return (
    <p class="lost-notice" role="alert">
      <strong>Not connected since {timeText(new Date(at).toISOString())}.</strong> What you see may be old.
      Run <code>annals view</code>, or wait: the next session starts the worker.
    </p>
  );
}
