// What the parts of a long turn prove together about the agent's claims.
import { describe, expect, it } from 'vitest';
import { contradictedBy, joinedEvidence, NO_CLAIM_EVIDENCE } from '../../../projections/extract/claims.ts';

describe('The hash of a commit of one part', () => {
  const made = { ...NO_CLAIM_EVIDENCE, committed: true, committedAs: ['3f602d1a'] };
  const said = 'The lamp is in 3f602d1a, with both of its hatches.';

  it.each([
    ['is contradicted when a later part drops commits', true],
    ['is not otherwise', false],
  ])('%s', (_, dropsCommits) => {
    const whole = joinedEvidence(made, { ...NO_CLAIM_EVIDENCE, dropsCommits });
    expect(contradictedBy(whole)(said)).toBe(dropsCommits);
  });
});
