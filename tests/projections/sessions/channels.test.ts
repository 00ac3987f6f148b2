// One session reported by hooks and by its transcript. The hook events come from a generator that follows the documented
// fields.
import { expect, it } from 'vitest';
import type { NewEvent } from '../../../log/index.ts';
import { readPrompt } from '../../../projections/index.ts';
import { chance } from '../../helpers/chance.ts';
import { onEachCorpus } from '../../helpers/corpus/corpora.ts';
import { hookNewEvents } from '../../helpers/hooks/hook-generator.ts';
import { digestsOf, itemsOf, turnsOf, viewsOf } from '../../helpers/projected.ts';
import { readWhole, withoutPromptIds } from '../../helpers/transcripts.ts';

const SEEDS = Number(process.env.ANNALS_TEST_SEEDS ?? 4);
/** Comparisons of all prompts of a real session use every nth file. */
const EVERY = SEEDS < 100 ? 5 : 1;
/** promptId removed from one channel, from the other, from both, from none. */
const VARIANTS = [
  { hidden: 'nobody', transcript: true, hooks: true },
  { hidden: 'the hooks', transcript: true, hooks: false },
  { hidden: 'the transcript', transcript: false, hooks: true },
  { hidden: 'both', transcript: false, hooks: false },
] as const;

function channels(
  bytes: Buffer,
  variant: (typeof VARIANTS)[number],
): { transcript: readonly NewEvent[]; hooks: readonly NewEvent[] } {
  return {
    transcript: readWhole(variant.transcript ? bytes : withoutPromptIds(bytes)).newEvents,
    hooks: hookNewEvents(bytes, { promptId: variant.hooks }),
  };
}

onEachCorpus('Hooks and transcript of one session', (corpus) => {
  const seeds = corpus.name === 'real' ? SEEDS : Math.ceil(SEEDS / 3);
  const files = corpus.files.filter(
    ({ name }) => !name.includes('subagents') && !name.includes('claude_code.jsonl'),
  );
  const some = files.filter((_, index) => corpus.name === 'synthetic' || index % EVERY === 0);
  it.each(VARIANTS)('pair every prompt when promptId is hidden from $hidden', async (variant) => {
    let prompts = 0;
    let paired = 0;
    let hooksAlone = 0;
    for (const { bytes } of some) {
      const { transcript, hooks } = channels(bytes(), variant);
      const runner = await turnsOf([[...hooks, ...transcript]]);
      for (const item of await itemsOf(runner, 'prompt')) {
        const channelsOf = new Set(item.reports.map(({ channel }) => channel));
        if (channelsOf.has('transcript')) prompts++;
        if (channelsOf.size === 2) paired++;
        if (channelsOf.size === 1 && channelsOf.has('hook')) hooksAlone++;
      }
    }
    process.stdout.write(
      `${corpus.name}: promptId hidden from ${variant.hidden}: ${paired} of ${prompts} prompts were reported by both channels, ${hooksAlone} by hooks alone\n`,
    );
    expect(hooksAlone).toBe(0);
    expect(paired / prompts).toBeGreaterThan(0.85);
  });

  it('give equal prompts with and without promptId', async () => {
    for (const { bytes, name } of some) {
      const results: unknown[] = [];
      for (const variant of VARIANTS) {
        const { transcript, hooks } = channels(bytes(), variant);
        const items = await itemsOf(await turnsOf([[...transcript, ...hooks]]), 'prompt');
        const rows = items
          .filter((item) => item.kind === 'prompt')
          .map((item) => {
            // Without promptIds the lines are shorter, so their offsets differ.
            const { promptId: _, offset: __, ...prompt } = readPrompt(item);
            return { ...prompt, newEvents: item.reports.length };
          });
        results.push(rows.sort((a, b) => (a.at ?? 0) - (b.at ?? 0)));
      }
      for (const other of results.slice(1)) expect(other, name).toEqual(results[0]);
    }
  });

  it.each(VARIANTS)(
    `give equal digests in any order and twice when promptId is hidden from $hidden (${seeds} seeds)`,
    async (variant) => {
      const small = files.filter(({ bytes }) => bytes().length < 300_000).slice(0, 8);
      expect(small.length).toBeGreaterThan(4);
      for (let seed = 0; seed < seeds; seed++) {
        const { bytes, name } = small[seed % small.length]!;
        const { transcript, hooks } = channels(bytes(), variant);
        const expected = await digestsOf(await viewsOf([transcript, hooks]));
        const { interleaved, shuffled, cut, below } = chance(seed);
        const events =
          below(2) === 0 ? interleaved([transcript, hooks]) : shuffled([...transcript, ...hooks]);
        const twice = below(2) === 0 ? events : interleaved([events, events]);
        const runner = await viewsOf(cut(twice, 200), 1 + below(300));
        expect(await digestsOf(runner), `${name}, seed ${seed}`).toEqual(expected);
      }
    },
  );
});
