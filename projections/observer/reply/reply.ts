// What a model answered about a turn, read from its text or from the JSON that the provider enforced.

/** Nothing here is invented or corrected: a field that the model left out or left blank is null, a list is empty. */
export interface ReplyObservation {
  /** As the model wrote it, also when the mode has no such type. `change` when it wrote none. */
  readonly type: string;
  readonly title: string | null;
  readonly subtitle: string | null;
  readonly narrative: string | null;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
}

export interface ReplySummary {
  readonly request: string | null;
  readonly investigated: string | null;
  readonly learned: string | null;
  readonly completed: string | null;
  readonly nextSteps: string | null;
  readonly notes: string | null;
}

export interface ValidReply {
  readonly valid: true;
  readonly observations: readonly ReplyObservation[];
  readonly summary: ReplySummary | null;
  /** The model found nothing worth a summary. */
  readonly skipped: { readonly reason: string | null } | null;
  /** Sentences about parts that were left out. */
  readonly problems: readonly string[];
}

export interface InvalidReply {
  readonly valid: false;
  /** One sentence, without any text of the reply. */
  readonly reason: string;
}

export type Reply = ValidReply | InvalidReply;

export const DEFAULT_TYPE = 'change';
/** Characters. The longest useful reply of 40 has 9,000. */
export const REPLY_CHARS_MAX = 256 * 1024;
/** Of one reply. */
export const OBSERVATIONS_MAX = 50;

/** The fields of a block as they were found, before blank ones and duplicates are removed. */
export type ObservationParts = Omit<ReplyObservation, 'type'> & { readonly type: string | null };

/** Null when it says nothing: only a type or a subtitle. */
export function observationOfParts(parts: ObservationParts): ReplyObservation | null {
  const type = textOrNull(parts.type) ?? DEFAULT_TYPE;
  const observation = {
    type,
    title: textOrNull(parts.title),
    subtitle: textOrNull(parts.subtitle),
    narrative: textOrNull(parts.narrative),
    facts: texts(parts.facts),
    concepts: conceptsOf(parts.concepts, type),
    filesRead: texts(parts.filesRead),
    filesModified: texts(parts.filesModified),
  };
  const { title, narrative, facts, concepts } = observation;
  const saysSomething = title !== null || narrative !== null || facts.length > 0 || concepts.length > 0;
  return saysSomething ? observation : null;
}

/** Null when it has none of the fields that a summary needs; notes alone are none. */
export function summaryOfParts(parts: ReplySummary): ReplySummary | null {
  const summary = {
    request: textOrNull(parts.request),
    investigated: textOrNull(parts.investigated),
    learned: textOrNull(parts.learned),
    completed: textOrNull(parts.completed),
    nextSteps: textOrNull(parts.nextSteps),
    notes: textOrNull(parts.notes),
  };
  const { notes: _, ...needed } = summary;
  return Object.values(needed).some((field) => field !== null) ? summary : null;
}

export interface Found {
  readonly observations: readonly (ReplyObservation | null)[];
  /** Undefined when the reply has none; null when it is empty. */
  readonly summary: ReplySummary | null | undefined;
  readonly skipped: ValidReply['skipped'];
  readonly problems: readonly string[];
}

/** A reply with at least one observation, summary or skip is valid; what says nothing is left out. */
export function replyOf(found: Found): Reply {
  const observations = found.observations.filter((one) => one !== null);
  const summary = found.summary ?? null;
  const problems = [...found.problems];
  const blank = found.observations.length - observations.length;
  if (blank > 0) problems.push(`${blank} of ${found.observations.length} observations say nothing.`);
  if (found.summary === null) problems.push('The summary says nothing.');
  if (summary !== null && found.skipped !== null)
    problems.push('The reply holds a summary and says that it skips it.');
  if (observations.length === 0 && summary === null && found.skipped === null)
    return { valid: false, reason: problems[0] ?? 'The reply holds no observation and no summary.' };
  return {
    valid: true,
    observations,
    summary,
    skipped: summary === null ? found.skipped : null,
    problems,
  };
}

function textOrNull(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function texts(all: readonly string[]): string[] {
  return [...new Set(all.map((text) => text.trim()).filter((text) => text !== ''))];
}

/** `gotcha: why` is `gotcha`; the type is no concept. */
function conceptsOf(all: readonly string[], type: string): string[] {
  const names = texts(all.map((text) => text.split(':', 1)[0]!));
  return names.filter((name) => name.toLowerCase() !== type.toLowerCase());
}
