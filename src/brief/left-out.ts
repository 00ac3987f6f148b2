// What the size limit of a brief left out.
import type { ContextAnswer } from '../api.ts';
import type { Brief, BriefLine } from './index.ts';

/** The lines that were dropped so that the brief fits. Those that stay may be shorter. */
export function leftOutOf(whole: Brief, fitted: Brief): NonNullable<ContextAnswer['leftOut']> {
  const kept = new Map<string, number>();
  const keyOf = (section: string, { label, id, at }: BriefLine) => JSON.stringify([section, label, id, at]);
  for (const { name, lines } of fitted.sections)
    for (const line of lines) kept.set(keyOf(name, line), (kept.get(keyOf(name, line)) ?? 0) + 1);
  return whole.sections.flatMap(({ name, title, lines }) =>
    lines.flatMap((line) => {
      const left = kept.get(keyOf(name, line)) ?? 0;
      kept.set(keyOf(name, line), left - 1);
      const text = line.label === '' ? line.text : `${line.label}: ${line.text}`;
      return left > 0 ? [] : [{ section: title, id: line.id, text }];
    }),
  );
}
