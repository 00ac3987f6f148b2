// The way to the schemas for whoever needs them as values: loaded when asked for, because a command that only
// reads must not pay for the schema library.

/** Every event type with its version and the schema of its body. */
export async function loadCatalog(): Promise<typeof import('./index.ts').CATALOG> {
  return (await import('./index.ts')).CATALOG;
}
