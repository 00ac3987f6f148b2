import type { Sample } from '../common/sample.ts';
import { exported, firstTurn, SESSION } from './session.ts';

export const sample: Sample = {
  path: `/home/u/${SESSION}.json`,
  lines: [exported(firstTurn)],
  prompt: 'Read the file',
  counts: { toolUses: 1, replies: 2 },
};
