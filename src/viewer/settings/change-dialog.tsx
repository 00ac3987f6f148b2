// Installs an agent or uninstalls it: what would change in its settings, then what was done.
import { useState } from 'preact/hooks';
import { ApiError, send } from '../api/client.ts';
import { useData } from '../api/use-data.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Patch } from '../ui/diff.tsx';
import { Failed, Shown } from '../ui/states.tsx';

interface PlacedChange {
  readonly path: string;
  readonly changed: boolean;
  readonly error: { readonly message: string; readonly hint: string | null } | null;
}

interface Planned {
  readonly files: readonly (PlacedChange & {
    readonly diff: readonly string[];
    readonly isNew: boolean;
    readonly isRemoved: boolean;
  })[];
  readonly token: string;
}

interface Done {
  readonly files: readonly (PlacedChange & {
    readonly backup: string | null;
    readonly afterInstall: string | null;
  })[];
  readonly sentence: string | null;
}

interface Props {
  readonly agent: { readonly name: string; readonly title: string };
  readonly installs: boolean;
  onClose(): void;
}

export function ChangeDialog({ agent, installs, onClose }: Props) {
  const body = { agents: [agent.name], installs };
  const plan = useData('', (signal) => send<Planned>('POST', '/api/agents/plan', body, signal));
  const [done, setDone] = useState<Done | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const confirm = async (token: string) => {
    try {
      setDone(await send<Done>('POST', '/api/agents/confirm', { token }));
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    }
  };
  const act = installs ? 'Install' : 'Uninstall';
  return (
    <Dialog title={`${act} ${agent.title}`} onClose={onClose}>
      {error !== null && (
        <Failed
          error={error}
          retry={() => {
            setError(null);
            plan.reload();
          }}
        />
      )}
      {done !== null && <Outcome done={done} />}
      {done === null && error === null && (
        <Shown loaded={plan}>
          {({ files, token }) => (
            <>
              {files.map((file) => (
                <PlannedFile key={file.path} file={file} />
              ))}
              {files.some(({ changed }) => changed) ? (
                <button
                  type="button"
                  class={installs ? 'primary' : 'primary danger'}
                  onClick={() => void confirm(token)}
                >
                  {act}
                </button>
              ) : (
                <p>Nothing is to be changed.</p>
              )}
            </>
          )}
        </Shown>
      )}
    </Dialog>
  );
}

function PlannedFile({ file }: { readonly file: Planned['files'][number] }) {
  const { path, changed, error, diff, isNew, isRemoved } = file;
  if (error !== null)
    return (
      <p class="bad">
        {error.message} {error.hint}
      </p>
    );
  if (!changed)
    return (
      <p>
        <code>{path}</code> needs no change.
      </p>
    );
  return (
    <figure>
      <figcaption>
        {path}
        {isRemoved ? ' is removed' : isNew ? ' is new' : ' is changed; a copy of the old file is kept'}
      </figcaption>
      <Patch text={diff.join('\n')} />
    </figure>
  );
}

function Outcome({ done: { files, sentence } }: { readonly done: Done }) {
  return (
    <div role="status">
      {files.map(({ path, changed, error, backup, afterInstall }) => (
        <p key={path} class={error === null ? undefined : 'bad'}>
          {error === null ? (
            <>
              <code>{path}</code> {changed ? 'was changed' : 'needed no change'}.
              {backup !== null && (
                <>
                  {' '}
                  The old file: <code>{backup}</code>
                </>
              )}
              {afterInstall !== null && ` ${afterInstall}`}
            </>
          ) : (
            `${error.message} ${error.hint ?? ''}`
          )}
        </p>
      ))}
      {sentence !== null && <p>{sentence}</p>}
    </div>
  );
}
