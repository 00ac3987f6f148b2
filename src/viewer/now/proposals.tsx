// What agents proposed and a person has to decide.
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, get, send } from '../api/client.ts';
import type { Proposal } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { counted } from '../ui/amounts.ts';
import { selectionText } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Failed } from '../ui/states.tsx';

const ACTS: Readonly<Record<Proposal['act'], string>> = {
  pin: 'Pin',
  unpin: 'Unpin',
  edit: 'Edit',
  unedit: 'Undo the edit of',
  supersede: 'Supersede',
  unsupersede: 'Let hold again',
  note: 'Add the note',
  forget: 'Forget',
};

export function Proposals() {
  const proposals = useData('', (signal) => get<{ proposals: Proposal[] }>('/api/proposals', {}, signal), {
    live: 1_000,
  });
  const [error, setError] = useState<ApiError | null>(null);
  const waiting = proposals.data?.proposals ?? [];
  if (waiting.length === 0) return null;
  const decide = async (id: string, confirmed: boolean) => {
    try {
      await send('POST', `/api/proposals/${id}`, { confirmed });
      setError(null);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    }
    proposals.reload();
  };
  return (
    <section aria-labelledby="proposals-heading">
      <h2 id="proposals-heading">{counted(waiting.length, 'proposal')} of agents for you to decide</h2>
      <ul class="things">
        {waiting.map(({ id, act, item, items, text, title, client, selection }) => (
          <li key={id}>
            <span class="row-title">
              <strong>{ACTS[act]}</strong>{' '}
              {item !== null ? (
                <Item {...item} />
              ) : selection === null ? (
                plainLine(text ?? title ?? '')
              ) : items.length === 0 ? (
                selectionText(selection)
              ) : (
                items.map((one, index) => (
                  <Fragment key={one.id}>
                    {index > 0 && ', '}
                    {plainLine(one.kind)} <Item {...one} />
                  </Fragment>
                ))
              )}{' '}
              {selection?.withCopies === true && 'with copies '}
              {client !== null && <span class="quiet-text">by {plainLine(client)}</span>}
            </span>
            <span class="proposal-answer">
              {selection === null ? (
                <button type="button" onClick={() => void decide(id, true)}>
                  Confirm
                </button>
              ) : (
                <a class="button" href={href('forget', '', { proposal: id })}>
                  Show what would be forgotten
                </a>
              )}
              <button type="button" class="quiet" onClick={() => void decide(id, false)}>
                Refuse
              </button>
            </span>
          </li>
        ))}
      </ul>
      {error !== null && <Failed error={error} />}
    </section>
  );
}

function Item({ id, title }: NonNullable<Proposal['item']>) {
  return <a href={href('item', id)}>{plainLine(title) || plainLine(id)}</a>;
}
