// What a person does to remembered items, and what agents propose.
import type { ForgetOptions, ForgetReport, ForgetSelection } from './forget.ts';

export const ACTS = ['pin', 'unpin', 'edit', 'unedit', 'supersede', 'unsupersede', 'note', 'forget'] as const;
export type ActKind = (typeof ACTS)[number];

export interface ActInput {
  /** `forget` can only be proposed: a person calls `forget`. */
  readonly act: ActKind;
  /** Any id of a prompt, answer, tool use, memory, observation or summary; not for note and forget. */
  readonly id?: string;
  /** For supersede: the id of what holds instead. Default: nothing does. */
  readonly by?: string;
  /** For edit, default as it is, or made of the new text if it was made of the old one; for a note, default the beginning of its text. */
  readonly title?: string;
  /** For edit, default as it is; needed for a note. */
  readonly text?: string;
  /** For a note: its project. Default: the project of `cwd`. */
  readonly project?: string;
  readonly cwd?: string;
  /** For forget. */
  readonly selection?: ForgetSelection & { readonly withCopies?: boolean };
  /** What an agent does is stored as a proposal and changes nothing. Default user. */
  readonly author?: 'user' | 'agent';
  /** The name that the agent gave itself. */
  readonly client?: string;
}

export interface ActReport {
  /** unchanged: it is so already. */
  readonly outcome: 'done' | 'proposed' | 'unchanged';
  /** Of the item or the new note; null for forget. */
  readonly id: string | null;
  readonly title: string;
  /** Id of the proposal; null if it was done. */
  readonly proposal: string | null;
}

/** What an agent proposed and nobody answered yet. */
export interface Proposal {
  readonly id: string;
  readonly act: ActKind;
  readonly item: ProposedItem | null;
  readonly by: ProposedItem | null;
  readonly title: string | null;
  readonly text: string | null;
  readonly selection: (ForgetSelection & { readonly withCopies?: boolean }) | null;
  /** What `selection` names by id, in its order, as it is now. The kind is `forgotten` or `unknown` where nothing has the id. */
  readonly items: readonly ProposedItem[];
  /** The name that the agent gave itself. */
  readonly client: string | null;
  /** ISO 8601. */
  readonly at: string | null;
}

export interface ProposedItem {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
}

/** What is not `confirmed` is for a proposal to forget. */
export interface DecideOptions extends Pick<ForgetOptions, 'withCopies' | 'keep' | 'confirm' | 'onStep'> {
  /** A proposal to forget also needs `confirm`, which is called with the plan. */
  readonly confirmed: boolean;
}

export interface DecideReport {
  /** declined: `confirm` was false; the proposal waits. */
  readonly outcome: 'confirmed' | 'refused' | 'declined';
  readonly proposal: Proposal;
  /** Of a proposal to forget that was not refused. */
  readonly forgetting: ForgetReport | null;
}

/** A person's standing note to the agents of a project. */
export interface Note {
  readonly id: string;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string | null;
}

/** What a person did to an item. Times are ISO 8601, null if unknown. */
export interface ItemMarks {
  readonly pinned?: { readonly at: string | null };
  readonly edited?: { readonly at: string | null };
  readonly superseded?: {
    readonly at: string | null;
    /** What holds instead; null for nothing. */
    readonly by: { readonly id: string; readonly title: string } | null;
  };
}
