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

/** Drops the least worthy lines until the brief fits; at worst nothing is left. */
export function fitting(brief: Brief, fits: (brief: Brief) => boolean): Brief {
  let now = brief;
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
