import { defineCommand } from '../../command/command.ts';

export const command = defineCommand<object>({
  description:
    'Serves the memory to an agent over the Model Context Protocol, on standard input and output, until the agent closes ' +
    'standard input. An agent starts it, as its settings say; docs/mcp.md has the settings. It asks the worker, and starts ' +
    'one when none runs; without a worker it opens the log only while it answers.',
  shape: (command) => command,
  examples: [['mcp', 'what an agent starts']],
  async run({ world, chosenHome, name }) {
    await world.serveMcp({ home: chosenHome, name });
  },
});
