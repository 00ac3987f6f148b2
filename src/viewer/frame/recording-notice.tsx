// What is wrong with recording, in the frame of every screen.
import { useEffect } from 'preact/hooks';
import { get } from '../api/client.ts';
import { on } from '../api/live.ts';
import type { Recording } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { href } from '../ui/route.ts';

/** Asked again on every screen: an agent may have been connected on another one. */
export function RecordingNotice({ screen }: { readonly screen: string }) {
  const { data, reload } = useData(
    `recording ${screen}`,
    (signal) => get<Recording>('/api/recording', {}, signal),
    {
      keepsOld: true,
    },
  );
  useEffect(() => on('recording', reload), [reload]);
  if (data === null || data.state === 'on' || data.state === 'transcripts') return null;
  const [problem] = data.problems;
  if (data.state === 'failing')
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
