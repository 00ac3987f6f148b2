// Helpers that derive observations and summaries from hand-made transcripts, in order, and a complete turn.
import type { NewEvent } from '../../../log/index.ts';
import {
  type MemoryDocument,
  memoryKeys,
  type ObservationRow,
  type Runner,
  type SummaryRow,
} from '../../../projections/index.ts';
import { viewsOf } from '../../helpers/projected.ts';
import { readWhole, Script, type ScriptOptions } from '../../helpers/transcripts.ts';

export interface Remembered {
  readonly observations: readonly ObservationRow[];
  readonly summaries: readonly SummaryRow[];
  readonly documents: readonly MemoryDocument[];
}

export async function remembered(...scripts: readonly Script[]): Promise<Remembered> {
  return rememberedBy(await viewsOf(scripts.map(newEventsOf)));
}

export async function rememberedBy(runner: Runner): Promise<Remembered> {
  const view = runner.view('memory');
  const rows = async <T>(prefix: string) => (await view.range<T>(prefix)).map(([, row]) => row);
  const inOrder = (a: { order: string }, b: { order: string }) => (a.order < b.order ? -1 : 1);
  return {
    observations: (await rows<ObservationRow>(memoryKeys.observations())).sort(inOrder),
    summaries: (await rows<SummaryRow>(memoryKeys.summaries())).sort(inOrder),
    documents: (await rows<MemoryDocument>('document/')).sort(inOrder),
  };
}

export function newEventsOf(script: Script): readonly NewEvent[] {
  return readWhole(script.bytes(), { name: `${script.session}.jsonl` }).newEvents;
}

/** Builds a session step by step. A copy under another session id has the same tool use ids. */
export class Session extends Script {
  readonly #first: number;
  #uses = 0;

  constructor(options: ScriptOptions = {}) {
    super(options);
    this.#first = options.firstUuid ?? 1;
  }

  ran(command: string, printed = 'done'): this {
    return this.#used('Bash', { command }, printed, false);
  }

  failed(command: string, error: string): this {
    return this.#used('Bash', { command }, error, true);
  }

  read(path: string): this {
    return this.#used('Read', { file_path: path }, 'the file', false);
  }

  /** A sub-agent that the agent waited for, and its report. */
  launched(description: string, report: string): this {
    return this.#used('Task', { description, prompt: 'do it' }, report, false);
  }

  edited(path: string, before = 'a', after = 'b'): this {
    return this.#used('Edit', { file_path: path, old_string: before, new_string: after }, 'ok', false);
  }

  wrote(path: string): this {
    return this.#used('Write', { file_path: path, content: 'text' }, 'ok', false);
  }

  searched(pattern: string): this {
    return this.#used('Grep', { pattern }, 'found', false);
  }

  #used(name: string, input: Record<string, unknown>, printed: string, failed: boolean): this {
    this.#uses += 1;
    const id = `toolu_${this.#first}_${this.#uses}`;
    this.use(id, name, input);
    this.result(id, printed, {}, failed ? { is_error: true } : {});
    return this;
  }
}

/** A typical fix: request, lookup, failure, edit, pass, commit, answer. */
export function aFix(options: ScriptOptions = {}): Session {
  const session = new Session(options);
  session.prompt('Sessions that cross midnight get a second id. Can you fix that?');
  session.read('/home/u/app/src/session.ts').searched('sessionId');
  session.failed('npm test', 'Exit code 1\nAssertionError: expected 2 ids to be 1\n 1 failed, 41 passed');
  session.edited('/home/u/app/src/session.ts').edited('/home/u/app/tests/session.test.ts');
  session.ran('npm test', 'Tests  42 passed (42)');
  session.ran(
    'git add -A && git commit -m "$(cat <<\'EOF\'\nfix(session): reuse the stored id across midnight\n\nThe date was part of the id.\n\nCo-Authored-By: An Agent <agent@example.com>\nEOF\n)"',
    '[main 3f602d1] fix(session): reuse the stored id across midnight\n 2 files changed',
  );
  session.reply(
    [
      'Perfect! I’ve successfully fixed the midnight bug by reusing the stored id.',
      '',
      'The root cause was that the id was made from today’s date each time.',
      'I kept the old format instead of a new one because existing files must stay readable.',
      '',
      '## Changes',
      '- **`src/session.ts`** - looks up the stored id first',
      '- One test for a session over midnight',
      '',
      '## Next steps',
      '- Remove the duplicate state files of older versions',
      '',
      'Would you like me to do that now?',
    ].join('\n'),
  );
  return session;
}
