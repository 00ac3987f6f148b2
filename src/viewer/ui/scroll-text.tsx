import type { ComponentChildren } from 'preact';

interface Props {
  readonly class: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Text in its own line breaks, which scrolls when it is long: so the keyboard must reach it. */
export function ScrollText({ class: name, label, children }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <pre class={name} role="group" tabIndex={0} aria-label={label} dir="auto">
      {children}
    </pre>
  );
}
