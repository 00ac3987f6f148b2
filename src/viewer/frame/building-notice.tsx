import { useContext } from 'preact/hooks';
import { useBuilding } from '../api/building.ts';
import { count } from '../ui/amounts.ts';
import { isRecorded, RecordingState } from './recording-notice.tsx';

/** Why something may be missing on every screen, and for how long. */
export function BuildingNotice() {
  const building = useBuilding();
  const recording = useContext(RecordingState);
  if (building === null) return null;
  const { work, done, total } = building;
  const isFirst = work === 'views';
  return (
    <div class="building" role="status">
      <p>
        <strong>
          {isFirst ? 'The views are being built from the log' : 'The views are being built again'}
        </strong>{' '}
        {isFirst
          ? 'What was read so far is shown; search answers when all of it was read.'
          : 'Until then the old ones answer, more slowly.'}
        {recording !== null && isRecorded(recording) && ' Recording goes on.'}
      </p>
      <span class="work">
        <progress aria-label="Events read" max={total} value={done} />
        <span class="number">
          {count(done)} of {count(total)} events
        </span>
      </span>
    </div>
  );
}
