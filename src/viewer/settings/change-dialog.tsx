// Connects an agent or disconnects it: what would change in its settings, then what was done.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, send } from '../api/client.ts';
import { useData } from '../api/use-data.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Patch } from '../ui/diff.tsx';
import { Failed, Shown } from '../ui/states.tsx';

interface PlacedChange {
  readonly path: string;
  readonly changed: boolean;
  readonly isNew: boolean;
  readonly isRemoved: boolean;
  readonly error: { readonly message: string; readonly hint: string | null } | null;
}

interface Planned {
  readonly files: readonly (PlacedChange & {
    readonly diff: readonly string[];
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
  const [isBusy, setBusy] = useState(false);
  const confirm = async (token: string) => {
    if (isBusy) return;
    setBusy(true);
    try {
      setDone(await send<Done>('POST', '/api/agents/confirm', { token }));
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const { act, acting, acted } = installs ? CONNECTING : DISCONNECTING;
  const isDone = done?.files.every((file) => file.error === null) === true;
  return (
    <Dialog title={isDone ? `${agent.title} ${acted}` : `${act} ${agent.title}`} onClose={onClose}>
      {error !== null && (
        <Failed
          error={error}
          retry={() => {
            setError(null);
            plan.reload();
          }}
        />
      )}
      {done !== null && (
        <>
          <Outcome done={done} />
          <Actions>
            <CloseButton onClose={onClose} />
          </Actions>
        </>
      )}
      {done === null && error === null && (
        <Shown loaded={plan}>
          {({ files, token }) => {
            const changes = files.filter(({ changed }) => changed);
            return (
              <>
                <p>{changes.length === 0 ? 'Nothing is to be changed.' : aboutOf(installs, changes)}</p>
                {files.map((file) => (
                  <PlannedFile key={file.path} file={file} />
                ))}
                <Actions>
                  {changes.length > 0 && (
                    // Not `disabled`, which would lose the focus.
                    <button
                      type="button"
                      class={installs ? 'primary' : 'primary danger'}
                      aria-disabled={isBusy}
                      onClick={() => void confirm(token)}
                    >
                      {isBusy ? `${acting} …` : act}
                    </button>
                  )}
                  <button type="button" onClick={onClose}>
                    {changes.length > 0 ? 'Cancel' : 'Close'}
                  </button>
                </Actions>
              </>
            );
          }}
        </Shown>
      )}
    </Dialog>
  );
}

const CONNECTING = { act: 'Connect', acting: 'Connecting', acted: 'is connected' };
const DISCONNECTING = { act: 'Disconnect', acting: 'Disconnecting', acted: 'is disconnected' };

function aboutOf(installs: boolean, changes: Planned['files']): string {
  const isOnlyRemoved = changes.every(({ isRemoved }) => isRemoved);
  if (!installs) return `What Annals added is taken out${isOnlyRemoved ? '' : '; your other settings stay'}.`;
  return 'Adds hooks that record its sessions, and the MCP server that lets it search the memory. Your other settings stay.';
}

/** Below everything else, and always in sight. */
function Actions({ children }: { readonly children: ComponentChildren }) {
  return <p class="dialog-actions">{children}</p>;
}

/** The button that had the focus is gone. */
function CloseButton({ onClose }: Pick<Props, 'onClose'>) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current!.focus(), []);
  return (
    <button ref={button} type="button" class="primary" onClick={onClose}>
      Done
    </button>
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
    <details>
      <summary>
        <code>{path}</code>
        {isRemoved ? ' is removed' : isNew ? ' is new' : ' is changed'}
      </summary>
      <Patch text={diff.join('\n')} />
    </details>
  );
}

function Outcome({ done: { files, sentence } }: { readonly done: Done }) {
  return (
    <div role="status">
      {files.map(({ path, error, backup, afterInstall, ...change }) => (
        <p key={path} class={error === null ? undefined : 'bad'}>
          {error === null ? (
            <>
              <code>{path}</code> {actedText(change)}.
              {backup !== null && (
                <>
                  {' '}
                  A backup stays: <code>{backup}</code>
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

function actedText({ changed, isNew, isRemoved }: Omit<PlacedChange, 'path' | 'error'>): string {
  if (!changed) return 'needed no change';
  return isRemoved ? 'was deleted' : isNew ? 'was created' : 'was changed';
}
