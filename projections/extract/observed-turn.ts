// Derives from a turn what is worth remembering: one observation per part and one summary. A routine turn gives nothing.
//
// A part that another one follows is finished: its observation depends on its own items, the request and its number, so
// it is made once, and made again only when one of its items changes. What a new item changes are the last part and the
// summary, which reads of earlier parts a sum of bounded size (turn-work.ts). The result depends only on the items, not on
// the order in which they came.
import type { ItemRow, TurnRow } from '../sessions/session-rows.ts';
import { isRule } from './answer/decisions.ts';
import { finalAnswerOf, interimAnswerOf } from './answer/final-answer.ts';
import { contradictedBy, withoutClaims } from './claims.ts';
import { answersIn } from './evidence/chosen-answers.ts';
import { type GatheredEvidence, gatherEvidence, withoutFailures } from './evidence/evidence.ts';
import { observationOf, type PartContext } from './observe-part.ts';
import { saysCommitted } from './outcome/pending-edits.ts';
import { isRoutine } from './routine-turns.ts';
import { repeatsRequest, summaryOf } from './summarize-turn.ts';
import { planName } from './text/plans.ts';
import type { ObservationRow, SummaryRow } from './transcript/observation.ts';
import { lastStateChangeOf } from './transcript/touched-files.ts';
import { type Prompt, TurnTranscript } from './transcript/turn-transcript.ts';
import { partsAfter, type TurnPart, USES_REST } from './turn-parts.ts';
import { type Request, requestOf } from './turn-request.ts';
import { joinedWork, NO_WORK, type TurnWork, workOf } from './turn-work.ts';

export interface Observed {
  readonly observations: readonly ObservationRow[];
  readonly summary: SummaryRow | null;
  /** So many observations at the beginning are the same objects as before. */
  readonly kept: number;
}

const NOTHING: Observed = { observations: [], summary: null, kept: 0 };
/** The final answer and what it continues are among so many last replies. */
const RECENT_REPLIES_MAX = 100;

/** A reply of so many paragraphs, headings and items reports what was done; a shorter one may be said on the way. */
const REPORT_BLOCKS_MIN = 4;

interface FinishedPart {
  /** Order of its last tool use. */
  readonly end: string;
  readonly row: ObservationRow;
  /** Of this part and all before. */
  readonly work: TurnWork;
  /** Whether the title of one of them repeats the request. */
  readonly isRepeated: boolean;
}

export class ObservedTurn {
  readonly #transcript: TurnTranscript;
  #finished: FinishedPart[] = [];
  #prompts: readonly Prompt[] = [];
  #request: Request = requestOf([]);

  constructor(workdir: string) {
    this.#transcript = new TurnTranscript(workdir);
  }

  /** Takes in an item that is new, or another one than before; null removes it. */
  change(id: string, item: ItemRow | null): void {
    this.#transcript.change(id, item);
  }

  observe(turn: TurnRow): Observed {
    const transcript = this.#transcript;
    const { toolUses, messages, userPrompts, interrupted } = transcript;
    this.#dropFrom(transcript.settle());
    if (turn.private || turn.inherited || (messages.length === 0 && toolUses.length === 0 && !interrupted)) {
      this.#finished = [];
      return NOTHING;
    }
    const kept = this.#finished.length;
    const parts = partsAfter(this.#end, transcript);
    const context = { turn, userPrompts, request: this.#request };
    for (const part of parts.slice(0, -1)) this.#finish(part, context);
    return { ...this.#observeLast(parts.at(-1)!, turn, context), kept };
  }

  /** Order of the end of the last finished part. */
  get #end(): string {
    return this.#finished.at(-1)?.end ?? '';
  }

  /** Drops the finished parts that a change at this order may concern; null: nothing changed. */
  #dropFrom(changed: string | null): void {
    const { userPrompts, toolUses } = this.#transcript;
    if (
      userPrompts.length !== this.#prompts.length ||
      userPrompts.some((one, at) => one !== this.#prompts[at])
    ) {
      this.#prompts = [...userPrompts];
      this.#request = askedOf(userPrompts);
      this.#finished = [];
    }
    while (changed !== null && this.#end >= changed && this.#finished.length > 0) this.#finished.pop();
    // Too few tool uses for a part of their own belong to the part before.
    const first = toolUses[toolUses.length - USES_REST];
    if (this.#finished.length > 0 && (first === undefined || first.order <= this.#end)) this.#finished.pop();
  }

  /** What the person says of commits is about the work before the turn. */
  #gather(part: TurnPart, { turn, userPrompts }: PartContext): GatheredEvidence {
    const isFirst = this.#finished.length === 0;
    const isCommitted = isFirst && userPrompts.some(({ plan, text }) => !plan && saysCommitted(text));
    return gatherEvidence(part, turn.workdir, isCommitted);
  }

  #finish(part: TurnPart, context: PartContext): void {
    const gathered = this.#gather(part, context);
    const own = workOf(part.toolUses, gathered);
    // The earlier parts of a long turn end with few words; interim replies say more.
    const interim = interimAnswerOf(part.messages, own);
    const words = withoutClaims(interim, own.refused, contradictedBy(own.claims));
    const number = this.#finished.length + 1;
    const observed = { ...part, part: number, isOneOfMany: true, unfinished: false, refused: [] };
    const row = observationOf(context, observed, words, withoutFailures(gathered));
    const before = this.#finished.at(-1);
    this.#finished.push({
      end: part.toolUses.at(-1)!.order,
      row,
      work: joinedWork(before?.work ?? NO_WORK, own),
      isRepeated: before?.isRepeated === true || repeatsRequest(row, context.request),
    });
  }

  #observeLast(part: TurnPart, turn: TurnRow, context: PartContext): Omit<Observed, 'kept'> {
    const transcript = this.#transcript;
    const { request, userPrompts } = context;
    const before = this.#finished.at(-1);
    const gathered = this.#gather(part, context);
    const own = workOf(part.toolUses, gathered);
    const work = joinedWork(before?.work ?? NO_WORK, own);
    const recent = transcript.messages.slice(-RECENT_REPLIES_MAX);
    const ending = finalAnswerOf(recent, work, '');
    // A turn that was cut off has no final answer; its last reply is an interim one.
    const isCutOff = turn.unfinished || transcript.isCutOff;
    const lastWork = transcript.endsWithWork ? lastStateChangeOf(part.toolUses) : '';
    const finalAnswer = isCutOff ? null : finalAnswerOf(recent, work, lastWork);
    const observed = {
      ...part,
      part: this.#finished.length + 1,
      isOneOfMany: before !== undefined,
      unfinished: turn.unfinished,
      refused: work.refused,
    };
    const isRoutineTurn =
      before === undefined &&
      work.questions.length === 0 &&
      isRoutine({
        request,
        finalAnswer: ending,
        // What git lists as changed settles the edits of earlier turns.
        changed: work.changed || (userPrompts.length > 0 && gathered.edits.earlier !== null),
        fixedErrors: work.fixedErrors,
        uses: part.toolUses.length,
        decided: () => request.sentences.some(isRule),
        answered: answersIn(part.toolUses).decisions.length > 0,
        commandsOnly: userPrompts.length > 0 && userPrompts.every(({ command }) => command),
      });
    if (isRoutineTurn) return NOTHING;
    const ownAnswer =
      before === undefined || isCutOff ? finalAnswer : finalAnswerOf(part.messages, own, lastWork);
    const found = ownAnswer ?? finalAnswer ?? interimAnswerOf(part.messages, own);
    const words = withoutClaims(found, work.refused, contradictedBy(own.claims));
    const row = observationOf(context, observed, words, gathered);
    const isContradicted = contradictedBy(work.claims);
    const isReport = turn.unfinished && (ending?.blocks.length ?? 0) >= REPORT_BLOCKS_MIN;
    const summary = summaryOf({
      turn,
      userPrompts,
      request,
      end: transcript.end,
      finalAnswer: withoutClaims(finalAnswer ?? interimAnswerOf(recent, work), work.refused, isContradicted),
      saidLast: isReport ? withoutClaims(ending, work.refused, isContradicted) : null,
      work,
      last: row,
      isRepeated: before?.isRepeated ?? false,
      events: gathered.events,
    });
    return { observations: [...this.#finished.map((one) => one.row), row], summary };
  }
}

/** The request. A plan is named by its heading; only the person's own sentences count as theirs. */
function askedOf(userPrompts: readonly Prompt[]): Request {
  const own = requestOf(userPrompts.filter(({ plan }) => !plan).map(({ text }) => text));
  const plan = userPrompts.find((one) => one.plan);
  if (plan === undefined) return own;
  const name = planName(plan.text);
  return { ...own, words: name, topic: name, vague: name === '', question: false };
}
