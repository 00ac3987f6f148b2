import type { ItemMarks } from '../api/types.ts';
import { plainLine } from './plain.ts';
import { href } from './route.ts';

/** What a person did to an item. */
export function Marks({ marks }: { readonly marks: ItemMarks }) {
  const { pinned, edited, superseded } = marks;
  return (
    <>
      {pinned !== undefined && <span class="mark">pinned</span>}
      {edited !== undefined && <span class="mark">edited</span>}
      {superseded !== undefined && (
        <span class="mark">
          superseded
          {superseded.by != null && (
            <>
              {' by '}
              <a href={href('item', superseded.by.id)}>{plainLine(superseded.by.title)}</a>
            </>
          )}
        </span>
      )}
    </>
  );
}
