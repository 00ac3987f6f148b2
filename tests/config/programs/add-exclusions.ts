// Adds patterns to the excluded folders one by one, when the parent process says so: `<config.json> <name> <count>`.
import { editSettings } from '../../../src/config/edit-settings.ts';

const [path, name, count] = process.argv.slice(2) as [string, string, string];
process.once('message', async () => {
  for (let at = 0; at < Number(count); at++)
    await editSettings(path, [['exclude', (value) => [...((value ?? []) as string[]), `${name}-${at}`]]]);
  process.disconnect();
});
process.send!('ready');
