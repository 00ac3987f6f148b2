/** How long what is around may still grow, ms. */
const HELD_MS = 4_000;
const ACTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to an element, and again while what is above it is still loaded, until the person scrolls or presses a key.
 * Returns a function that lets go.
 */
export function holdInSight(element: Element, block: ScrollLogicalPosition = 'start'): () => void {
  const show = () => element.scrollIntoView({ block });
  const grown = new ResizeObserver(show);
  const timer = setTimeout(letGo, HELD_MS);
  function letGo(): void {
    clearTimeout(timer);
    grown.disconnect();
    for (const act of ACTS) removeEventListener(act, letGo, true);
  }
  for (const act of ACTS) addEventListener(act, letGo, { capture: true, passive: true });
  for (const around of element.closest('article')?.children ?? []) grown.observe(around);
  show();
  return letGo;
}
