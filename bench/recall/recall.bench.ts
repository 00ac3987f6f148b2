// `npm run bench:recall`: known items, then LoCoMo if its data is available (`--data=<file>` names it). `--misses` lists
// what the tuning half does not find. `--variants` tries other recipes on the tuning half and on LoCoMo. `--present-state`
// runs only the questions about a current state, `--confidence` only those about low confidence, `--prompts` only recall
// on a prompt, `--errors` only recall after an error, `--edits` only recall before a read or
// edit. With `--json` the last
// line is LoCoMo's summary. `--longmemeval=<file>` runs LongMemEval-S instead, `--questions=<n>` only its first n.

import { option, print } from '../harness/report.ts';
import { confidenceBench } from './confidence.ts';
import { editRecallBench } from './edit-recall.ts';
import { errorRecallBench } from './error-recall.ts';
import { knownItemsBench } from './known-items.ts';
import { locomoBench, readConversations } from './locomo.ts';
import { longMemEvalBench, readLongMemEval } from './longmemeval.ts';
import { presentStateBench } from './present-state.ts';
import { promptRecallBench } from './prompt-recall.ts';
import { variantsBench } from './variants.ts';

const conversations = readConversations(option('data'));
if (process.argv.includes('--confidence')) print(await confidenceBench(conversations ?? []));
else if (process.argv.includes('--errors')) print(await errorRecallBench());
else if (process.argv.includes('--edits')) print(await editRecallBench());
else if (process.argv.includes('--prompts')) print(await promptRecallBench());
else if (process.argv.includes('--present-state')) print(await presentStateBench());
else if (process.argv.includes('--variants')) print(await variantsBench(conversations ?? []));
else if (option('longmemeval') !== null) {
  const memories = readLongMemEval(option('longmemeval')!);
  print([await longMemEvalBench(memories, Number(option('questions') ?? memories.length))]);
} else {
  print(await knownItemsBench('full'));
  if (conversations !== null) {
    const { report, summary } = await locomoBench(conversations);
    print([report]);
    if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(summary)}\n`);
  }
}
