// Three sessions of two turns. The model is asked about each turn once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from '../helpers/transcripts.ts';

/** Writes them into a folder. Returns their paths. */
export function madeUpSessions(folder: string): string[] {
  return ['feeder', 'chute', 'barn'].map((name, index) => {
    const session = `${index + 1}aaaaaaa-0000-4000-8000-000000000000`;
    const script = new Script({ session, cwd: `/home/u/${name}`, firstUuid: index * 1_000 });
    for (const part of ['door', 'roof']) {
      const id = (use: string) => `toolu_${index}_${part}_${use}`;
      script.prompt(`Why does the ${part} of the ${name} fail?`, { promptId: `${name}-${part}` });
      script.use(id('test'), 'Bash', { command: `npm test -- ${part}` });
      script.result(id('test'), `Exit code 1\nThe ${part} is 5 wide`, {}, { is_error: true });
      script.use(id('edit'), 'Edit', {
        file_path: `/home/u/${name}/${part}.ts`,
        old_string: '5',
        new_string: '9',
      });
      script.result(id('edit'), 'The file has been updated.');
      script.use(id('again'), 'Bash', { command: `npm test -- ${part}` });
      script.result(id('again'), 'Tests  12 passed (12)');
      script.reply(`The ${part} of the ${name} was too narrow. I widened it to 9 centimetres.`);
    }
    const path = join(folder, `${session}.jsonl`);
    writeFileSync(path, script.bytes());
    return path;
  });
}
