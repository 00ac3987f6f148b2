// A person's standing notes to the agents of a project.
import { useState } from 'preact/hooks';
import { ApiError, get, send } from '../api/client.ts';
import { useData } from '../api/use-data.ts';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Failed, Shown } from '../ui/states.tsx';

interface NotesAnswer {
  readonly notes: readonly { readonly id: string; readonly text: string }[];
}

export function Notes({ project }: { readonly project: string }) {
  const notes = useData(project, (signal) => get<NotesAnswer>('/api/notes', { project }, signal), {
    live: 500,
  });
  const [text, setText] = useState('');
  const [error, setError] = useState<ApiError | null>(null);
  const add = async (event: Event) => {
    event.preventDefault();
    try {
      await send('POST', '/api/acts', { act: 'note', project, text });
      setText('');
      setError(null);
      notes.reload();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    }
  };
  return (
    <section aria-labelledby="notes-heading">
      <h2 id="notes-heading">Your notes to its agents</h2>
      <Shown loaded={notes}>
        {(answer) => (
          <ul class="things">
            {answer.notes.map((note) => (
              <li key={note.id}>
                <a href={href('item', note.id)} dir="auto">
                  {plainLine(note.text)}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <form class="one-line" onSubmit={add}>
        <input
          value={text}
          placeholder="A note that every session reads"
          aria-label="A note that every session reads"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" disabled={text.trim() === ''}>
          Add
        </button>
      </form>
      {error !== null && <Failed error={error} />}
    </section>
  );
}
