// Items that were shown often and never used lose their place to the others of their section.
import type { BriefLine, Section, SectionName } from './brief.ts';

/** Sections that choose among many; the others say how far the work is. */
const CHOOSING: ReadonlySet<SectionName> = new Set(['decisions', 'gotchas', 'saved', 'work']);

/** Keeps the order of the others, and of those that go last. */
export function unusedLast<T>(things: readonly T[], isUnused: (thing: T) => boolean): T[] {
  return [...things.filter((thing) => !isUnused(thing)), ...things.filter(isUnused)];
}

/** The lines of a session stay in the order of time; there only which ones are dropped first changes. */
export function withUnusedLast(section: Section, unused: ReadonlySet<string>): Section {
  const isUnused = ({ id }: BriefLine) => id !== null && unused.has(id);
  const { name, lines } = section;
  if (!CHOOSING.has(name) || !lines.some(isUnused)) return section;
  const movable = lines.filter(({ below }) => name !== 'work' || below === true);
  const sorted = [...movable].sort((a, b) => (a.spare ?? 0) - (b.spare ?? 0));
  // An agent's words never come before a person's.
  const byWorth = [false, true].flatMap((isAgents) =>
    unusedLast(
      sorted.filter(({ voice }) => (voice === 'agent') === isAgents),
      isUnused,
    ),
  );
  const spares = movable.map(({ spare }) => spare).sort((a, b) => (a ?? 0) - (b ?? 0));
  const spareOf = new Map(byWorth.map((line, index) => [line, spares[index]]));
  const again = (line: BriefLine): BriefLine => {
    const spare = spareOf.get(line);
    return spare === undefined ? line : { ...line, spare };
  };
  return { ...section, lines: (name === 'work' ? lines : byWorth).map(again) };
}
