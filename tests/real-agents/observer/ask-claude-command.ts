// Asks the provider of the `claude` command once: node ask-claude-command.mjs <command> <folder> <file for the reply> <content>
import { writeFileSync } from 'node:fs';
import { openClaudeCommand } from '../../../src/observer/providers/claude-command.ts';

const [command = '', folder = '', file = '', content = ''] = process.argv.slice(2);
const provider = openClaudeCommand({
  model: 'claude-haiku-5-5',
  command,
  folder,
  environment: process.env,
});
const request = { instructions: 'Describe the turn.', content, maxTokens: 500, schema: {} };
const outcome = await provider.ask(request, new AbortController().signal).catch((error: Error) => ({
  failed: error.message,
}));
await provider.close();
writeFileSync(file, JSON.stringify(outcome));
