// A chart over days, with its figures as a table for those who do not see it.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { DAY_MS, type DayValue } from './every-day.ts';

interface Props {
  readonly title: string;
  /** Oldest first, without days missing. */
  readonly days: readonly DayValue[];
  readonly form: 'bars' | 'area';
  /** What the values are, along their axis. */
  readonly unit: string;
  readonly note?: ComponentChildren;
  text(value: number): string;
}

const HEIGHT = 180;
const dayName = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const monthAndDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const monthDayAndYear = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const monthAndYear = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });

export function DayChart(props: Props) {
  const { title, days, note, text } = props;
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => drawn(box.current!, props, setAt), [days, props.form, text]);
  const pointed = at === null ? undefined : days[at];
  return (
    <figure class="chart">
      <figcaption>
        <span class="strong">{title}</span>
        <span class="number" aria-hidden="true">
          {pointed === undefined ? '' : `${dayText(pointed.day)}: ${text(pointed.value)}`}
        </span>
      </figcaption>
      <div class="chart-plot" ref={box} aria-hidden="true" />
      {note !== undefined && <p class="quiet-text">{note}</p>}
      <DayTable title={title} days={days} text={text} />
    </figure>
  );
}

function DayTable({ title, days, text }: Pick<Props, 'title' | 'days' | 'text'>) {
  return (
    <details class="chart-figures">
      <summary>
        Figures<span class="hidden"> of {title}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section tabIndex={0} aria-label={`Figures: ${title}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, value }) => (
              <tr key={day}>
                <th scope="row">{dayText(day)}</th>
                <td class="number">{text(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

/** Draws it again when the colours or the width change. Returns a function that removes it. */
function drawn(box: HTMLElement, props: Props, onPoint: (at: number | null) => void): () => void {
  let plot = made(box, props, onPoint);
  const again = () => {
    plot.destroy();
    plot = made(box, props, onPoint);
  };
  const resized = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
  resized.observe(box);
  const themed = new MutationObserver(again);
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', again);
  return () => {
    resized.disconnect();
    themed.disconnect();
    dark.removeEventListener('change', again);
    plot.destroy();
  };
}

function made(
  box: HTMLElement,
  { days, form, unit, text }: Props,
  onPoint: (at: number | null) => void,
): uPlot {
  const style = getComputedStyle(document.documentElement);
  const [quiet, line, accent, ground] = ['--quiet', '--line', '--accent', '--accent-ground'].map((name) =>
    style.getPropertyValue(name),
  ) as [string, string, string, string];
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { stroke: quiet, font, ticks: { show: false } };
  const labels = { label: unit, labelFont: font, labelSize: 18, labelGap: 2 };
  return new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { range: (_, from, to) => [from - DAY_MS / 2_000, to + DAY_MS / 2_000] },
        y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] },
      },
      axes: [
        {
          ...axis,
          ...labels,
          label: 'Day, UTC',
          grid: { show: false },
          size: 24,
          space: 96,
          incrs: [1, 2, 3, 7, 14, 30, 61, 91, 182, 365].map((many) => (many * DAY_MS) / 1_000),
          values: (_, splits) => splits.map((seconds) => axisDay(seconds * 1_000, days.length)),
        },
        {
          ...axis,
          ...labels,
          size: 60,
          space: 34,
          grid: { stroke: line, width: 1 },
          values: (_, splits) => splits.map((value) => text(value)),
        },
      ],
      series: [
        {},
        form === 'bars'
          ? {
              stroke: accent,
              fill: accent,
              points: { show: false },
              paths: uPlot.paths.bars!({ size: [0.8, 26], radius: 0.15 }),
            }
          : { stroke: accent, fill: ground, width: 2, points: { show: days.length < 2 } },
      ],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    [days.map(({ day }) => Date.parse(day) / 1_000), days.map(({ value }) => value)],
    box,
  );
}

/** With the year if it is not this one. */
function axisDay(at: number, days: number): string {
  if (days > 300) return monthAndYear.format(at);
  const isThisYear = new Date(at).getUTCFullYear() === new Date().getUTCFullYear();
  return (isThisYear ? monthAndDay : monthDayAndYear).format(at);
}

function dayText(day: string): string {
  return dayName.format(Date.parse(day));
}
