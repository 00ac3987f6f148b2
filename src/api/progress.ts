// Progress of long work. Each option that takes this says what it counts.

export type Progress = (done: number, total: number) => void;
