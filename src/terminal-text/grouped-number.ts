// Numbers as people read them. Asking the machine's locale data takes 10 ms the first time, and a session waits.

/** A whole number with a comma between thousands. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
