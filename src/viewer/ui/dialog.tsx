import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface Props {
  readonly title: string;
  readonly children: ComponentChildren;
  onClose(): void;
}

/** Closed by Escape, by its button, and by a click outside. The browser keeps the focus in it, and gives it back. */
export function Dialog({ title, children, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
