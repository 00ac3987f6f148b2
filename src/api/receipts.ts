// What sessions were given, what it cost, and what they used of it.

export interface ReceiptsOptions {
  /** Only this project: its name, key or folder. */
  readonly project?: string;
  /** How many items each list has. Default 10. */
  readonly limit?: number;
  /** The id of an item: only its figures, in the sessions of all projects, and no project. */
  readonly item?: string;
}

export interface ReceiptFigures {
  /** How often sessions were given something. */
  readonly injections: number;
  /** Injections whose items are not known. */
  readonly unknown: number;
  readonly tokens: number;
  /** The average time that it took, of the injections whose time is known; null if none is. */
  readonly ms: number | null;
  /** Items, each counted as often as it was shown; and how often one was used then. */
  readonly shown: number;
  readonly used: number;
}

export interface ReceiptItem {
  readonly id: string;
  /** Null if it does not exist any more. */
  readonly title: string | null;
  readonly shown: number;
  readonly used: number;
  /** How it was used. cited: its id was opened or named. fixed: its command was run. opened: its file was opened first. */
  readonly cited: number;
  readonly fixed: number;
  readonly opened: number;
}

export interface ProjectReceipts extends ReceiptFigures {
  readonly project: string;
  readonly occasions: readonly (ReceiptFigures & { readonly occasion: string })[];
  /** Different items. */
  readonly items: { readonly shown: number; readonly used: number; readonly neverUsed: number };
  readonly mostUsed: readonly ReceiptItem[];
  /** Shown most without any use. */
  readonly neverUsed: readonly ReceiptItem[];
}

export interface ReceiptsAnswer {
  /** Most injections first. */
  readonly projects: readonly ProjectReceipts[];
  /** Of the item that was asked for; null if no session was given it. */
  readonly item?: ReceiptItem | null;
  readonly degraded: readonly string[];
}
