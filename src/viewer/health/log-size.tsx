import type { Growth, HomeStatus } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { bytes, count, counted } from '../ui/amounts.ts';
import { Shown } from '../ui/states.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { Bars } from './bars.tsx';
import { DayChart } from './chart.tsx';
import { everyDay } from './every-day.ts';

interface Props {
  readonly growth: Loaded<Growth>;
  readonly status: Loaded<HomeStatus>;
}

export function LogSize({ growth, status }: Props) {
  return (
    <section aria-labelledby="log-heading">
      <h2 id="log-heading">Log and views</h2>
      <Shown loaded={status}>{(data) => <Sizes size={data.size} events={data.log.events} />}</Shown>
      <Shown loaded={growth}>{(data) => (data.events === 0 ? null : <Charts growth={data} />)}</Shown>
    </section>
  );
}

function Charts({ growth }: { readonly growth: Growth }) {
  const events = everyDay(
    growth.days.map(({ day, events }) => ({ day, value: events })),
    () => 0,
  );
  let written = 0;
  const size = everyDay(
    growth.days.map(({ day, bytes }) => {
      written += bytes;
      return { day, value: written };
    }),
    (before) => before,
  );
  const note =
    growth.sampled < growth.events
      ? `Estimated from ${count(growth.sampled)} of ${count(growth.events)} events.`
      : undefined;
  return (
    <div class="charts">
      <DayChart title="Events by day" unit="Events" days={events} form="bars" text={count} note={note} />
      <DayChart title="Size of the log" unit="Size" days={size} form="area" text={bytes} note={note} />
      <p class="quiet-text">
        Both count what is in the log today, by the day on which it happened: what was forgotten is in
        neither.
      </p>
    </div>
  );
}

function Sizes({ size, events }: { readonly size: HomeStatus['size']; readonly events: number }) {
  const { perDay, reclaimable } = size;
  const parts = [
    { name: 'log', bytes: size.log },
    ...size.views.map(({ name, bytes }) => ({ name: name === 'rows' ? 'views' : name, bytes })),
    { name: 'spool', bytes: size.spool },
  ];
  return (
    <>
      <p>
        {counted(events, 'event')}, {bytes(size.bytes)} on disk
        {perDay !== null &&
          perDay.last30Days > 0 &&
          `, about ${bytes(perDay.last30Days)} a day in the last 30 days`}
        .
        {reclaimable !== null && reclaimable > 1_000_000 && (
          <WithCode text={` \`annals compact\` would free about ${bytes(reclaimable)}.`} />
        )}
      </p>
      <Bars
        title="On disk"
        bars={parts.map((part) => ({ name: part.name, value: part.bytes, text: bytes(part.bytes) }))}
      />
    </>
  );
}
