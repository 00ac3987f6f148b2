// Loads the schemas on demand, so that a command that only reads never loads the schema library.

/** Every event type with its version and the schema of its body. */
export async function loadCatalog(): Promise<typeof import('./index.ts').CATALOG> {
  return (await import('./index.ts')).CATALOG;
}
