// What a person can do to an item: pin, edit, supersede, forget. Each can be taken back, except forgetting.
import { useState } from 'preact/hooks';
import { ApiError, get, send } from '../api/client.ts';
import type { ActReport, SearchAnswer, ShownItem } from '../api/types.ts';
import { Dialog } from '../ui/dialog.tsx';
import { kindName } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Failed } from '../ui/states.tsx';

/** What can be pinned, edited and superseded. */
const ACTED_ON: ReadonlySet<string> = new Set([
  'prompt',
  'answer',
  'tool',
  'memory',
  'observation',
  'summary',
]);
const EDITED: ReadonlySet<string> = new Set(['memory', 'observation', 'summary']);

interface Props {
  readonly item: ShownItem;
  reload(): void;
}

type Open = 'edit' | 'supersede' | null;

export function Actions({ item, reload }: Props) {
  const [open, setOpen] = useState<Open>(null);
  const { act, error, isActing } = useAct(item.id, reload);
  const { marks = {}, kind, id } = item;
  if (!ACTED_ON.has(kind)) return null;
  return (
    <div class="actions">
      <button type="button" disabled={isActing} onClick={() => act({ act: marks.pinned ? 'unpin' : 'pin' })}>
        {marks.pinned ? 'Unpin' : 'Pin'}
      </button>
      {EDITED.has(kind) && (
        <button type="button" onClick={() => setOpen('edit')}>
          Edit
        </button>
      )}
      {marks.edited !== undefined && (
        <button type="button" disabled={isActing} onClick={() => act({ act: 'unedit' })}>
          Undo the edit
        </button>
      )}
      {marks.superseded === undefined ? (
        <button
          type="button"
          title="It does not hold any more, or something else holds instead"
          onClick={() => setOpen('supersede')}
        >
          Supersede
        </button>
      ) : (
        <button type="button" disabled={isActing} onClick={() => act({ act: 'unsupersede' })}>
          It holds again
        </button>
      )}
      <a class="button danger" href={href('forget', '', { ids: id })}>
        Forget
      </a>
      {error !== null && <Failed error={error} />}
      {open === 'edit' && (
        <Dialog title="Edit" onClose={() => setOpen(null)}>
          <EditForm item={item} act={act} onDone={() => setOpen(null)} />
        </Dialog>
      )}
      {open === 'supersede' && (
        <Dialog title="What holds instead?" onClose={() => setOpen(null)}>
          <SupersedeForm item={item} act={act} onDone={() => setOpen(null)} />
        </Dialog>
      )}
    </div>
  );
}

type Act = (body: Readonly<Record<string, string>>) => Promise<boolean>;

/** `act` resolves to whether it was done. */
function useAct(id: string, reload: () => void) {
  const [error, setError] = useState<ApiError | null>(null);
  const [isActing, setActing] = useState(false);
  const act: Act = async (body) => {
    setActing(true);
    setError(null);
    try {
      await send<ActReport>('POST', '/api/acts', { id, ...body });
      reload();
      return true;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
      return false;
    } finally {
      setActing(false);
    }
  };
  return { act, error, isActing };
}

interface FormProps {
  readonly item: ShownItem;
  readonly act: Act;
  onDone(): void;
}

function EditForm({ item, act, onDone }: FormProps) {
  const [title, setTitle] = useState(item.title);
  const [text, setText] = useState(item.text);
  const submit = async (event: Event) => {
    event.preventDefault();
    // A title that is not sent is made again, if it was made of the text.
    if (await act({ act: 'edit', ...(title !== item.title && { title }), text })) onDone();
  };
  return (
    <form onSubmit={submit}>
      <label>
        Title
        <input value={title} required onInput={({ currentTarget }) => setTitle(currentTarget.value)} />
      </label>
      <label>
        Text
        <textarea rows={10} value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <p class="quiet-text">
        Sessions read your words from now on. The events stay as they are, and so does the evidence.
      </p>
      <button type="submit" class="primary">
        Save
      </button>
    </form>
  );
}

const FOUND_MAX = 6;

function SupersedeForm({ item, act, onDone }: FormProps) {
  const [found, setFound] = useState<SearchAnswer['results']>([]);
  const search = async (words: string) => {
    if (words.trim() === '') return setFound([]);
    const query = { q: words, limit: FOUND_MAX + 1 };
    const { results } = await get<SearchAnswer>('/api/search', query).catch(() => ({ results: [] }));
    setFound(results.filter(({ id }) => id !== item.id).slice(0, FOUND_MAX));
  };
  const supersede = async (by: string | null) => {
    if (await act({ act: 'supersede', ...(by === null ? {} : { by }) })) onDone();
  };
  return (
    <>
      <input
        type="search"
        placeholder="Search for what holds now"
        aria-label="Search for what holds now"
        onInput={({ currentTarget }) => void search(currentTarget.value)}
      />
      <ul class="choices">
        {found.map(({ id, kind, title }) => (
          <li key={id}>
            <button type="button" onClick={() => void supersede(id)}>
              {kindName(kind)}: {plainLine(title)}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => void supersede(null)}>
        Nothing: it only does not hold any more
      </button>
    </>
  );
}
