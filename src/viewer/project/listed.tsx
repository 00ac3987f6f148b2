import type { ComponentChildren } from 'preact';
import { count } from '../ui/amounts.ts';

const FIRST = 5;
const MOST = 50;

interface Props<T> {
  readonly items: readonly T[];
  /** What is said when there are none. */
  readonly none: string;
  keyOf(item: T): string;
  children(item: T): ComponentChildren;
}

/** The first few; the others are folded. */
export function Listed<T>({ items, none, keyOf, children }: Props<T>) {
  if (items.length === 0) return <p class="quiet-text">{none}</p>;
  const rows = (some: readonly T[]) => (
    <ul class="listed">
      {some.map((item) => (
        <li key={keyOf(item)}>{children(item)}</li>
      ))}
    </ul>
  );
  const others = items.slice(FIRST, MOST);
  return (
    <div>
      {rows(items.slice(0, FIRST))}
      {others.length > 0 && (
        <details class="listed-more">
          <summary>
            {others.length} more
            {items.length > MOST && `, of ${count(items.length)} in all`}
          </summary>
          {rows(others)}
        </details>
      )}
    </div>
  );
}
