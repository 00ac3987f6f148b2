// Formats whole numbers. Intl is not used: loading its locale data takes 10 ms, and a session start waits for it.

/** Formats a whole number with a comma between thousands. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 file`, `12,693 files`. */
export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${grouped(value)} ${value === 1 ? singular : plural}`;
}
