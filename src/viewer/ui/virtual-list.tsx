// A list that may have 100,000 rows: only those in sight are in the page.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

/** Rows above and below those in sight. */
const SPARE = 8;

interface Props<T> {
  readonly items: readonly T[];
  readonly label: string;
  /** The selected row is kept in sight. -1: none. */
  readonly selected?: number;
  /** Called when the end comes into sight. */
  readonly onEnd?: () => void;
  keyOf(item: T): string;
  /** px. Another function measures all of them again. */
  readonly heightOf: (item: T) => number;
  children(item: T, index: number): ComponentChildren;
}

export function VirtualList<T>(props: Props<T>) {
  const { items, label, selected = -1, onEnd, keyOf, heightOf, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const tops = useMemo(() => topsOf(items, heightOf), [items, heightOf]);
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => setHeight(element.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current!;
    if (selected < 0) return;
    const from = tops[selected]!;
    const to = tops[selected + 1]!;
    if (from < element.scrollTop) element.scrollTop = from;
    else if (to > element.scrollTop + element.clientHeight) element.scrollTop = to - element.clientHeight;
  }, [selected, tops]);
  const first = Math.max(0, rowAt(tops, top) - SPARE);
  const end = Math.min(items.length, rowAt(tops, top + height) + 1 + SPARE);
  useEffect(() => {
    if (end >= items.length) onEnd?.();
  }, [end, items.length, onEnd]);
  return (
    <div class="list" ref={box} onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without marks. */}
      <ul role="list" aria-label={label} style={{ height: `${tops[items.length]}px` }}>
        {items.slice(first, end).map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            class={first + index === selected ? 'selected' : undefined}
            style={{ top: `${tops[first + index]}px`, height: `${heightOf(item)}px` }}
          >
            {children(item, first + index)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where each row begins, and the last one ends, px. */
function topsOf<T>(items: readonly T[], heightOf: Props<T>['heightOf']): Float64Array {
  const tops = new Float64Array(items.length + 1);
  items.forEach((item, index) => {
    tops[index + 1] = tops[index]! + heightOf(item);
  });
  return tops;
}

/** The row at this place; the last one below all of them. */
function rowAt(tops: Float64Array, place: number): number {
  let low = 0;
  let high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tops[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
