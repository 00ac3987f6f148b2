// Work that is asked for while other work is under way.

/** Acts on one thing after the other. What is asked for meanwhile is done once, in the order in which it was asked for. */
export function oneByOne<T>(act: (thing: T) => Promise<void>): (thing: T) => void {
  const waiting = new Set<T>();
  let isActing = false;
  const start = async () => {
    isActing = true;
    // It also comes to what is added meanwhile.
    for (const thing of waiting) {
      waiting.delete(thing);
      await act(thing);
    }
    isActing = false;
  };
  return (thing) => {
    waiting.add(thing);
    if (!isActing) void start();
  };
}
