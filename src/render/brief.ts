// What a session is told, before it has a form: sections of lines, most important first, each line with where it
// is known from. Both forms (agent.ts, person.ts) draw the same brief.

/** Whose words a line repeats. `record`: tool results and counts, nobody's words. */
export type Voice = 'person' | 'agent' | 'record' | 'mixed';

export interface BriefLine {
  /** What the line is: "Asked", "Next", a type; empty where the section says it. */
  readonly label: string;
  readonly text: string;
  readonly voice: Voice;
  readonly id: string | null;
  /** Unix ms; null when nobody said. */
  readonly at: number | null;
  /** How many more lines say nearly the same. */
  readonly alike: number;
  readonly turn: TurnName | null;
}

/** A turn as the `turns` view names it: where the cost of a line is known. */
export interface TurnName {
  readonly agent: string;
  readonly session: string;
  readonly turn: string;
}

export type SectionName =
  | 'last'
  | 'session'
  | 'since'
  | 'decisions'
  | 'problems'
  | 'gotchas'
  | 'running'
  | 'saved'
  | 'recent'
  | 'earlier'
  | 'files';

export interface Section {
  readonly name: SectionName;
  readonly title: string;
  readonly lines: readonly BriefLine[];
  /** How many lines stay as long as any other section has more than it must keep. */
  readonly keep: number;
  /** Characters of a line where there is room, and where there is little. */
  readonly chars: readonly [most: number, least: number];
}

export interface Brief {
  readonly project: string;
  /** In the order in which they are shown. */
  readonly sections: readonly Section[];
}

/** Tokens; null where no usage was recorded. */
export interface Cost {
  readonly found: number | null;
}

/** What gives way first when there is too much: the last of these, line by line from its end. */
const WORTH: readonly SectionName[] = [
  'last',
  'session',
  'since',
  'problems',
  'running',
  'gotchas',
  'decisions',
  'saved',
  'recent',
  'earlier',
  'files',
];

/** From all the room that a line may take to the least, in steps. */
const ROOM = [1, 0.8, 0.62, 0.46, 0.32, 0.2, 0.1, 0];

/** Shortens all lines, then drops the least worthy until the brief fits; at worst nothing is left. */
export function fitting(brief: Brief, fits: (brief: Brief) => boolean): Brief {
  for (const room of ROOM) {
    const shorter = shortened(brief, room);
    if (fits(shorter)) return shorter;
  }
  let now = shortened(brief, 0);
  while (!fits(now)) {
    const worst =
      lastOf(now, ({ lines, keep }) => lines.length > keep) ?? lastOf(now, ({ lines }) => lines.length > 0);
    if (worst === undefined) return now;
    const sections = now.sections.map((one) =>
      one === worst ? { ...one, lines: one.lines.slice(0, -1) } : one,
    );
    now = { ...now, sections: sections.filter(({ lines }) => lines.length > 0) };
  }
  return now;
}

function shortened(brief: Brief, room: number): Brief {
  const sections = brief.sections.map((one) => {
    const [most, least] = one.chars;
    const chars = Math.round(least + room * (most - least));
    return { ...one, lines: one.lines.map((line) => ({ ...line, text: clipped(line.text, chars) })) };
  });
  return { ...brief, sections };
}

/** At most `charsMax` characters, cut between words. */
export function clipped(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const cut = text.slice(0, charsMax - 1).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${(space > charsMax / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** The turns that the lines stand on, each once. */
export function turnsOf(brief: Brief): TurnName[] {
  const turns = new Map<string, TurnName>();
  for (const { lines } of brief.sections)
    for (const { turn } of lines)
      if (turn !== null) turns.set(JSON.stringify([turn.agent, turn.session, turn.turn]), turn);
  return [...turns.values()];
}

function lastOf({ sections }: Brief, may: (section: Section) => boolean): Section | undefined {
  return [...sections].filter(may).sort((a, b) => WORTH.indexOf(b.name) - WORTH.indexOf(a.name))[0];
}
