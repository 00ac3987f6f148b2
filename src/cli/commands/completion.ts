import { AnnalsError } from '../../../log/index.ts';
import { defineCommand } from '../command/command.ts';
import { oneOf } from '../command/options.ts';
import { programReference } from '../reference/command-reference.ts';
import { completionScript, SHELLS } from '../reference/completions.ts';

export const command = defineCommand<object>({
  description:
    'Prints a script that lets your shell complete commands and options. docs/installation.md says where each shell ' +
    'looks for it. Make it again after an update.',
  shape: (command) => command.addArgument(oneOf('<shell>', SHELLS.join(', '), SHELLS)),
  examples: [
    ['completion bash > ~/.local/share/bash-completion/completions/annals', 'for bash'],
    ['completion fish > ~/.config/fish/completions/annals.fish', 'for fish'],
  ],
  async run({ json, terminal, program }, _, [word]) {
    const shell = SHELLS.find((one) => one === word);
    if (shell === undefined)
      throw new AnnalsError('USAGE', `There is no completion for a shell named "${word ?? ''}".`, {
        hint: `Known: ${SHELLS.join(', ')}.`,
      });
    const script = completionScript(shell, programReference(await program()));
    if (json) await terminal.json({ shell, script });
    else await terminal.line(script.trimEnd());
  },
});
