import type { Sample } from '../common/sample.ts';
import { FILE, firstTurn } from './session.ts';

export const sample: Sample = {
  path: FILE,
  lines: firstTurn,
  prompt: 'Read the file',
  counts: { toolUses: 1, replies: 2 },
};
