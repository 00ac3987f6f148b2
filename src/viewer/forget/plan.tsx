// The plan of forgetting: what was asked for, each item with the words for which it is named, and what happens to copies.
// An item that is not ticked stays.
import type { ForgetPlan } from '../api/types.ts';
import { bytes, counted, countedKind } from '../ui/amounts.ts';
import { Kind, Time } from '../ui/labels.tsx';
import { plain, plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Empty } from '../ui/states.tsx';
import { Elsewhere } from './elsewhere.tsx';

export interface Kept {
  /** Ids of items that are not ticked. */
  readonly ids: ReadonlySet<string>;
  keep(ids: readonly string[], isKept: boolean): void;
}

interface Props {
  /** In words: `Everything that contains “key”`. */
  readonly asked: string;
  /** With everything ticked. */
  readonly plan: ForgetPlan;
  readonly kept: Kept;
  withCopies(included: boolean): void;
}

export function Plan({ asked, plan, kept, withCopies }: Props) {
  const { events, sessions, kinds, items, things, copies, same, spoolFiles } = plan;
  if (events + spoolFiles === 0)
    return (
      <Empty title="Nothing would be forgotten">
        <p class="asked">{asked}</p>
        <p>Nothing that is remembered matches, or it was forgotten before.</p>
      </Empty>
    );
  return (
    <>
      <section aria-labelledby="plan-heading" class="plan">
        <h2 id="plan-heading">What would be forgotten</h2>
        <p class="asked">{asked}</p>
        <p>
          {counted(events, 'event')}
          {sessions > 0 && ` of ${counted(sessions, 'session')}`}, {bytes(plan.bytes)} of text
          {spoolFiles > 0 && `, and ${counted(spoolFiles, 'file')} of hooks that wait`}:{' '}
          {kinds.map(({ kind, count }) => countedKind(count, kind)).join(', ')}.
        </p>
      </section>
      <Elsewhere plan={plan} />
      <section aria-labelledby="items-heading" class="plan">
        <h2 id="items-heading">Item by item</h2>
        <Items label="What would be forgotten" things={things} total={items} kept={kept} />
        {same.events > 0 && (
          <p class="quiet-text">
            {counted(same.events, 'other report')} of the same items {same.included ? 'goes too' : 'stays'}:
            another channel or a copied session holds it.
          </p>
        )}
      </section>
      {copies.events > 0 && <Copies copies={copies} kept={kept} withCopies={withCopies} />}
    </>
  );
}

function Copies({
  copies,
  kept,
  withCopies,
}: Pick<Props, 'kept' | 'withCopies'> & Pick<ForgetPlan, 'copies'>) {
  const total = copies.items;
  const others = counted(total, 'other item');
  return (
    <section aria-labelledby="copies-heading" class="plan">
      <h2 id="copies-heading">Other items that share words with it</h2>
      <p>
        {others} {total === 1 ? 'holds' : 'hold'} a long word or the beginning of a line of it: a copy, or
        only the same name. {copies.included ? '' : total === 1 ? 'It stays.' : 'They stay.'}
      </p>
      {total > copies.things.length ? (
        <p class="quiet-text">
          They are too many to look at, so they cannot be chosen here. Forget fewer items at once, or search
          for the words that must go.
        </p>
      ) : (
        <label class="check">
          <input
            type="checkbox"
            checked={copies.included}
            onChange={({ currentTarget }) => withCopies(currentTarget.checked)}
          />
          Choose of them too
        </label>
      )}
      <Items
        label="Other items that share words with it"
        things={copies.things}
        total={total}
        kept={copies.included ? kept : null}
      />
    </section>
  );
}

const FIRST = 50;
/** Of copies that stay. */
const FIRST_STAYING = 5;

interface ItemsProps {
  readonly label: string;
  readonly things: ForgetPlan['things'];
  readonly total: number;
  /** Null: none of them is forgotten. */
  readonly kept: Kept | null;
}

function Items({ label, things, total, kept }: ItemsProps) {
  const first = kept === null ? FIRST_STAYING : FIRST;
  const ticked = things.filter(({ id }) => kept?.ids.has(id) === false).length;
  return (
    <>
      {kept !== null && things.length > 1 && (
        <label class="check tick-all">
          <input
            type="checkbox"
            checked={ticked === things.length}
            indeterminate={ticked > 0 && ticked < things.length}
            onChange={({ currentTarget }) =>
              kept.keep(
                things.map(({ id }) => id),
                !currentTarget.checked,
              )
            }
          />
          <span>
            {ticked} of {things.length} ticked. What is not ticked stays.
          </span>
        </label>
      )}
      <ul class="ticks" aria-label={label}>
        {things.slice(0, first).map((thing) => (
          <Item key={thing.id} thing={thing} kept={kept} />
        ))}
      </ul>
      {things.length > first && (
        <details>
          <summary>{counted(things.length - first, 'more item')}</summary>
          <ul class="ticks" aria-label={`More: ${label}`}>
            {things.slice(first).map((thing) => (
              <Item key={thing.id} thing={thing} kept={kept} />
            ))}
          </ul>
        </details>
      )}
      {total > things.length && (
        <p class="quiet-text">
          {counted(total - things.length, 'more item')} {kept === null ? 'are' : 'go too and are'} not listed.
        </p>
      )}
    </>
  );
}

function Item({ thing, kept }: { readonly thing: ForgetPlan['things'][number]; readonly kept: Kept | null }) {
  const { id, kind, title, project, at, matched } = thing;
  const name = plainLine(title) || 'Without a title';
  const isKept = kept === null || kept.ids.has(id);
  return (
    <li class={isKept ? 'is-kept' : undefined}>
      {kept !== null && (
        <input
          type="checkbox"
          aria-label={`Forget: ${name}`}
          checked={!isKept}
          onChange={({ currentTarget }) => kept.keep([id], !currentTarget.checked)}
        />
      )}
      <a href={href('item', id)}>
        <span class="tick-head">
          <Kind kind={kind === 'tool use' ? 'tool' : kind} />
          {project !== null && <span class="tick-project">{plainLine(project)}</span>}
          <Time at={at} />
        </span>
        <span class="tick-title" dir="auto">
          {name}
        </span>
        {matched !== null && (
          <span class="matched" dir="auto">
            {plain(matched.before)}
            <mark>{plain(matched.text)}</mark>
            {plain(matched.after)}
          </span>
        )}
      </a>
    </li>
  );
}
