/** Cursor of the log: something was forgotten and may still stand on disk. Here alone, so that an opening loads no more. */
export const UNFINISHED = 'annals forgetting';
