/** Cursor of the log: something was forgotten and may still be on disk. In its own file, so that opening a home loads no more. */
export const UNFINISHED = 'annals forgetting';
