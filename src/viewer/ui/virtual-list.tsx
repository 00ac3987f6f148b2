// A list that may have 100,000 rows: only those in sight are in the page. All rows have one height.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows above and below those in sight. */
const SPARE = 8;

interface Props<T> {
  readonly items: readonly T[];
  readonly label: string;
  /** px */
  readonly rowHeight: number;
  /** The selected row is kept in sight. -1: none. */
  readonly selected?: number;
  /** Called when the end comes into sight. */
  readonly onEnd?: () => void;
  keyOf(item: T): string;
  children(item: T, index: number): ComponentChildren;
}

export function VirtualList<T>(props: Props<T>) {
  const { items, label, rowHeight, selected = -1, onEnd, keyOf, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
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
    const from = selected * rowHeight;
    if (from < element.scrollTop) element.scrollTop = from;
    else if (from + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = from + rowHeight - element.clientHeight;
  }, [selected, rowHeight]);
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE);
  const end = Math.min(items.length, Math.ceil((top + height) / rowHeight) + SPARE);
  useEffect(() => {
    if (end >= items.length) onEnd?.();
  }, [end, items.length, onEnd]);
  return (
    <div class="list" ref={box} onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without marks. */}
      <ul role="list" aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, end).map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            class={first + index === selected ? 'selected' : undefined}
            style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {children(item, first + index)}
          </li>
        ))}
      </ul>
    </div>
  );
}
