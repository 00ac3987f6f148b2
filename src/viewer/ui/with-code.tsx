import { plain } from './plain.ts';

/** A sentence with `code` in it. */
export function WithCode({ text }: { readonly text: string }) {
  const parts = plain(text).split('`');
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>;
}
