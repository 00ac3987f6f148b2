// Is killed in the middle of a change of the settings: `<config.json>`.
import { editSettings } from '../../../src/config/edit-settings.ts';

await editSettings(process.argv[2]!, [['exclude', () => process.kill(process.pid, 'SIGKILL')]]);
