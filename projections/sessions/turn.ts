// A turn of a session in memory: its totals and its row.
import type { Usage } from '../../log/index.ts';
import { isForgotten, type SessionItem } from './session-item.ts';
import type { SessionReport, TurnRow } from './session-rows.ts';
import { NO_USAGE } from './token-usage.ts';
import { addItem, Blocks, type Totals } from './totals.ts';

export class Turn {
  readonly id: string;
  readonly items = new Blocks<SessionItem>(addItem);
  /** Of the messages that begin here. */
  usage: Usage = NO_USAGE;
  /** null for the turn before the first prompt. */
  prompt: SessionItem | null = null;
  unfinished = false;
  /** Where it is listed; undefined while it is not. */
  place: string | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** It may have a forgotten prompt, which begins it. */
  get isEmpty(): boolean {
    return this.items.totals().items === 0;
  }

  get isPrivate(): boolean {
    return this.items.totals().privatePrompts > 0;
  }

  row(agent: string, session: string, workdir: string): TurnRow {
    const totals = this.items.totals();
    const { prompts, commands, toolUses, failed, replies } = totals;
    const inherited = totals.own === 0;
    return {
      id: this.id,
      agent,
      session,
      workdir,
      prompt: this.prompt?.id ?? null,
      order: totals.order!,
      ...spanOf(totals.first, totals.last),
      private: this.isPrivate,
      forgotten: this.prompt !== null && isForgotten(this.prompt),
      items: this.items.size,
      inherited,
      unfinished: !inherited && this.unfinished,
      counts: { prompts, commands, toolUses, failed, replies },
      usage: this.usage,
    };
  }
}

/** `addTotals` of a whole turn. */
export function turnTotals({ items }: Turn): Totals {
  const totals = items.totals();
  return { ...totals, turns: totals.own > 0 && !isOnlyCommands(totals) ? 1 : 0 };
}

/** `/exit`: nothing was asked of the agent, and it did nothing. */
function isOnlyCommands({ prompts, commands, toolUses, ends, replies }: Totals): boolean {
  return commands > 0 && prompts + toolUses - ends + replies === 0;
}

/** The earliest and the latest time, Unix ms; null when there is none. */
export function spanOf(
  first: number,
  last: number,
): { readonly startedAt: number | null; readonly endedAt: number | null } {
  return { startedAt: Number.isFinite(first) ? first : null, endedAt: Number.isFinite(last) ? last : null };
}

/** What the end of a turn depends on, apart from the turn itself. */
export interface Surroundings {
  /** The prompt of the next turn. */
  readonly next: SessionItem | undefined;
  readonly milestones: readonly SessionReport[];
  /** Some prompt of the session is private. */
  readonly anyPrivate: boolean;
}

/**
 * Whether a turn is known to have no end: the agent was killed, or is still working. A turn ends with a reply that gives
 * control back to the person, or with a reported stop. False when it cannot be known: old versions wrote no stop reasons,
 * the running turn may have taken up a later prompt, and in a session with private prompts the end may be private.
 */
export function isUnfinished(
  { prompt, isPrivate, items }: Turn,
  { next, milestones, anyPrivate }: Surroundings,
): boolean {
  if (prompt === null || isPrivate) return false;
  const { lastOfMain, last } = items.totals();
  if (lastOfMain === undefined || !lastOfMain.merged.isOpen) return false;
  const from = Number.isFinite(last) ? last : null;
  if (lastOfMain.merged.wasKilled || (from !== null && restarted(milestones, from, next?.at ?? null)))
    return true;
  return next === undefined && !anyPrivate && !continuedOrEnded(milestones, from);
}

/** A hook reported a new start before the next prompt, and no end before that start. */
function restarted(milestones: readonly SessionReport[], from: number, until: number | null): boolean {
  const between = milestones.filter(
    ({ at }) => at !== undefined && at >= from && (until === null || at <= until),
  );
  const starts = between.filter(
    ({ type, channel, detail }) =>
      type === 'started' && channel === 'hook' && (detail === 'resume' || detail === 'startup'),
  );
  const first = Math.min(...starts.map(({ at }) => at!));
  return starts.length > 0 && !between.some(({ type, at }) => type === 'ended' && at! <= first);
}

/** The session ended after `from`, as far as the times are known, or continues in another one. */
function continuedOrEnded(milestones: readonly SessionReport[], from: number | null): boolean {
  return milestones.some(
    ({ type, at }) =>
      type === 'continued' || (type === 'ended' && (from === null || at === undefined || at >= from)),
  );
}
