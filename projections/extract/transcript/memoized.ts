// Rules look at the same tool uses and messages again whenever a turn gets a new event. What they find is computed once
// for each object and is collected with it.
export function memoized<K extends object, V>(compute: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (of) => {
    let found = known.get(of);
    if (found === undefined) {
      found = { value: compute(of) };
      known.set(of, found);
    }
    return found.value;
  };
}
