// How far long work is. What is counted stands where it is asked for.

export type Progress = (done: number, total: number) => void;
