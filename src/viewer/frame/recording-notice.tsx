// Whether new sessions are recorded, for every screen, and what is wrong with recording in the frame of each.
import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { get } from '../api/client.ts';
import { on } from '../api/live.ts';
import type { Recording } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { href } from '../ui/route.ts';

/** Null: not known yet. */
export const RecordingState = createContext<Recording | null>(null);

/** Asked again on every screen: an agent may have been connected on another one. */
export function useRecording(screen: string): Recording | null {
  const { data, reload } = useData(
    `recording ${screen}`,
    (signal) => get<Recording>('/api/recording', {}, signal),
    { keepsOld: true },
  );
  useEffect(() => on('recording', reload), [reload]);
  return data;
}

/** By hooks, or from transcripts. */
export function isRecorded({ state }: Recording): boolean {
  return state === 'on' || state === 'transcripts';
}

export function RecordingNotice() {
  const recording = useContext(RecordingState);
  if (recording === null || isRecorded(recording)) return null;
  const [problem] = recording.problems;
  if (recording.state === 'failing')
    return (
      <p class="recording failing">
        <a href={href('health')} title={problem?.message}>
          Recording fails
        </a>
      </p>
    );
  return (
    <p class="recording off" title={problem?.message}>
      New sessions are not recorded. <a href={href('settings')}>Connect an agent</a>
    </p>
  );
}
