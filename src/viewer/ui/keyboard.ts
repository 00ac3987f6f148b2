// Keys of the whole page. A screen adds its own while it is shown; keys typed into a field are left alone, except Escape.
import { useEffect, useRef } from 'preact/hooks';

export interface KeyBinding {
  /** As `KeyboardEvent.key` names it. */
  readonly key: string;
  readonly about: string;
  /** Also while a field has the focus. */
  readonly inFields?: boolean;
  act(event: KeyboardEvent): void;
}

/** The newest first: what was opened last gets the key. */
const layers: { readonly current: readonly KeyBinding[] }[] = [];

addEventListener('keydown', (event) => {
  // Its keys are its own, also while nothing in it has the focus.
  if (document.querySelector('dialog[open]') !== null) return;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const inField = isField(event.target);
  for (const { current } of layers) {
    const found = current.find(({ key, inFields }) => key === event.key && (!inField || inFields === true));
    if (found === undefined) continue;
    event.preventDefault();
    found.act(event);
    return;
  }
});

let held = '';

/** Keeps what is typed for a field that is not there yet. */
export function holdKeys(): void {
  held = '';
  addEventListener('keydown', hold, { capture: true });
}

function hold(event: KeyboardEvent): void {
  if (event.key === 'Shift') return;
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return void takeKeys();
  held += event.key;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** What was typed since, for the field that is there now. */
export function takeKeys(): string {
  removeEventListener('keydown', hold, { capture: true });
  const typed = held;
  held = '';
  return typed;
}

export function useKeys(bindings: readonly KeyBinding[]): void {
  const layer = useRef(bindings);
  layer.current = bindings;
  useEffect(() => {
    layers.unshift(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);
}

/** What the keys do now, each once. */
export function currentKeys(): readonly KeyBinding[] {
  const known = new Map<string, KeyBinding>();
  for (const { current } of layers)
    for (const binding of current) if (!known.has(binding.key)) known.set(binding.key, binding);
  return [...known.values()];
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
