// Reads the shared log ahead, and opens what was read, while the pages before it are stored.
import type { OpenedEvent, Refused } from '../keys/sealer.ts';
import type { SharedLog, StoredMessage } from '../log/shared-log.ts';

/** Each up to 4 MiB. */
const PAGES = 2;
/** Stored in one go. */
const PAGE_MESSAGES = 2_048;
/** After a page with so many messages there are probably more. */
const MANY = 512;

/** Null: its key or its author is not known yet. */
export type Opening = OpenedEvent | Refused | null;

/** What follows a position of the shared log; no messages at its end. */
export interface Page {
  readonly after: number;
  readonly messages: readonly StoredMessage[];
  /** Its events of other machines, in their order; null if they must be opened later. */
  readonly opened: Promise<readonly Opening[]> | null;
}

export class PagesAhead {
  readonly #shared: SharedLog;
  readonly #open: (messages: readonly StoredMessage[]) => Promise<readonly Opening[]>;
  #pages: Promise<Page>[] = [];

  constructor(shared: SharedLog, open: (messages: readonly StoredMessage[]) => Promise<readonly Opening[]>) {
    this.#shared = shared;
    this.#open = open;
  }

  /** @param waitUntil waits at the end of the shared log @throws AnnalsError of the shared log */
  async next(after: number, waitUntil?: AbortSignal): Promise<Page> {
    const ahead = await this.ready(after);
    if (ahead !== null) return ahead;
    // The shared log is read at one place at a time.
    await Promise.allSettled(this.#pages.splice(0));
    const request = { after, limit: PAGE_MESSAGES, ...(waitUntil !== undefined && { waitUntil }) };
    return { after, messages: await this.#shared.page(request), opened: null };
  }

  /** The page after a position if it was read ahead, or null. @throws as `next` */
  async ready(after: number): Promise<Page | null> {
    const [first] = this.#pages;
    const page = await first;
    if (page?.after !== after || page.messages.length === 0) return null;
    void this.#pages.shift();
    return page;
  }

  /** Reads what follows a page, if there is probably more. The records of the page must be accepted. */
  readOn(page: Page): void {
    if (page.messages.length < MANY) return;
    while (this.#pages.length < PAGES) {
      const last = this.#pages.at(-1);
      const next =
        last === undefined
          ? this.#after(page, true)
          : last.then((one) => this.#after(one, one.opened !== null));
      // It is awaited when it is wanted.
      next.catch(() => undefined);
      this.#pages.push(next);
    }
  }

  /** @param mayOpen a record in a page before may say who may have sealed what, and nobody has accepted it yet */
  async #after({ after: before, messages: previous }: Page, mayOpen: boolean): Promise<Page> {
    const after = previous.at(-1)?.position ?? before;
    const limit = PAGE_MESSAGES;
    const messages = previous.length < MANY ? [] : await this.#shared.page({ after, limit });
    const canOpen = mayOpen && messages.every(({ kind }) => kind !== 'record');
    const opened = canOpen ? this.#open(messages) : null;
    opened?.catch(() => undefined);
    return { after, messages, opened };
  }
}
