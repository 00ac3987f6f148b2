// Formats file names in little room: files of one folder are grouped, and the folder is named once.

/** "src/feeder/{clock.ts, plan.ts}, README.md": in the order given, at most `most`; the others are counted. */
export function fileNames(files: readonly string[], most: number): string {
  const folders = new Map<string, string[]>();
  for (const file of files.slice(0, most)) {
    const at = file.lastIndexOf('/') + 1;
    const name = file.slice(at);
    const names = folders.get(file.slice(0, at));
    if (names === undefined) folders.set(file.slice(0, at), [name]);
    else names.push(name);
  }
  const parts = [...folders].map(([folder, names]) =>
    names.length === 1 || folder === ''
      ? names.map((name) => `${folder}${name}`).join(', ')
      : `${folder}{${names.join(', ')}}`,
  );
  return `${parts.join(', ')}${files.length > most ? ` and ${files.length - most} more` : ''}`;
}

/** The files whose name is not in the text. */
export function unnamed(files: readonly string[], text: string): string[] {
  return files.filter((file) => !text.includes(file.slice(file.lastIndexOf('/') + 1)));
}
