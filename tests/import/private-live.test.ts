// Sessions with private prompts, recorded while they run: the spool is drained and the growing transcript imported at
// random moments. However they come, the log gets the same turns and tool uses as when everything is read at the end,
// and nothing private is on disk.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Annals, openAnnals } from '../../src/index.ts';
import { eventsOf, sharedFolder } from '../e2e/homes.ts';
import { scanHome } from '../e2e/scan.ts';
import { type Chance, chance } from '../helpers/chance.ts';
import { asked, leave, type Payload, SESSION, stopped, used } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';

const RUNS = Number(process.env.ANNALS_TEST_LIVES ?? 1);
const SEED = Number(process.env.ANNALS_TEST_SEED ?? 20261123);
const WORD = 'quokka';
/** Recent, so that no file has waited for its turn too long. */
const start = Date.now() - 20 * 60_000;

const folder = sharedFolder('private-live');
let homes = 0;

/** What comes into being next: a hook's file, or a line of the transcript. */
type Piece = { readonly hook: Payload; readonly at: number } | { readonly line: Buffer };

/** A session as the programs write it: hooks and lines in the order in which they appear on disk. */
class Session {
  readonly pieces: Piece[] = [];
  readonly #script = new Script({ session: SESSION, version: '2.1.330' });
  /** Unix ms. */
  #now = start;
  #run = 0;
  #tools = 0;
  #queued: { readonly text: string; readonly typedAt: number }[] = [];

  /** A person types into the resting session. `opening`: how long other hooks take before the line is dated. */
  prompt(text: string, opening = 0): void {
    this.#run += 1;
    const askedAt = this.#later(1_000);
    this.#hook(asked(text, this.#runId()), this.#later(90));
    this.#later(opening);
    const at = opening === 0 ? askedAt : this.#now;
    this.#line((script) =>
      script.prompt(text, { ...this.#dated(at), ...this.#lineRun(), promptSource: 'typed' }),
    );
  }

  reply(text: string): void {
    this.#later(60);
    this.#line((script) => script.reply(text, this.#dated(this.#now), { stop_reason: 'tool_use' }));
  }

  /** `during` happens while the tool runs. */
  tool(output: string, during: () => void = () => undefined): void {
    this.#tools += 1;
    const id = `toolu_${this.#tools}`;
    this.#line((script) =>
      script.use(id, 'Bash', { command: `cat ${id}.txt` }, this.#dated(this.#later(40))),
    );
    const startedAt = this.#later(30);
    during();
    const ms = this.#later(200) - startedAt;
    this.#hook(used(id, output, { ...this.#runId(), duration_ms: ms }), this.#later(20));
    this.#line((script) => script.result(id, output, { ...this.#dated(this.#now + 10), ...this.#lineRun() }));
  }

  /** A person types while the agent works. */
  queue(text: string): void {
    const typedAt = this.#later(300);
    this.#hook(asked(text, this.#runId()), this.#later(20));
    this.#queueLine('enqueue', { content: text });
    this.#queued.push({ text, typedAt });
  }

  /** The agent reads what was queued in the middle of its run. */
  takeUp(): void {
    for (const { text, typedAt } of this.#queued.splice(0)) {
      this.#queueLine('remove', { content: text });
      const attachment = { type: 'queued_command', prompt: text, commandMode: 'prompt' };
      this.#line((script) => script.attachment(attachment, this.#dated(typedAt)));
    }
  }

  stop(text: string): void {
    this.#later(60);
    this.#line((script) => script.reply(text, this.#dated(this.#now), { stop_reason: 'end_turn' }));
    this.#hook(stopped(text, this.#runId()), this.#later(100));
    this.#line((script) => script.system('turn_duration', this.#dated(this.#later(90))));
  }

  /** The oldest text that still waits starts a run of its own, for which no hook fires. False when nothing waits. */
  next(): boolean {
    const waiting = this.#queued.shift();
    if (waiting === undefined) return false;
    this.#run += 1;
    this.#queueLine('dequeue');
    const line = { ...this.#dated(this.#later(20)), ...this.#lineRun(), promptSource: 'queued' };
    this.#line((script) => script.prompt(waiting.text, line));
    return true;
  }

  #queueLine(operation: 'enqueue' | 'dequeue' | 'remove', fields: object = {}): void {
    const line = { operation, ...fields, ...this.#dated(this.#later(80)) };
    this.#line((script) => script.meta('queue-operation', line));
  }

  #later(ms: number): number {
    this.#now += ms;
    return this.#now;
  }

  #runId() {
    return { prompt_id: `p-${this.#run}` };
  }

  #lineRun() {
    return { promptId: `p-${this.#run}` };
  }

  #dated(at: number) {
    return { timestamp: new Date(at).toISOString() };
  }

  #hook(hook: Payload, at: number): void {
    this.pieces.push({ hook, at });
  }

  #line(write: (script: Script) => void): void {
    const before = this.#script.bytes().length;
    write(this.#script);
    this.pieces.push({ line: this.#script.bytes().subarray(before) });
  }
}

/** A home and the transcript of one session, which grows piece by piece. */
class Recording {
  readonly home: string;
  readonly #path: string;
  #annals: Annals | null = null;
  #hooks = 0;

  constructor() {
    homes += 1;
    const root = join(folder, `case-${homes}`);
    this.home = join(root, 'home');
    mkdirSync(this.home, { recursive: true, mode: 0o700 });
    mkdirSync(join(root, 'projects/app'), { recursive: true });
    this.#path = join(root, 'projects/app', `${SESSION}.jsonl`);
    writeFileSync(this.#path, '');
  }

  write(piece: Piece): void {
    if ('line' in piece) appendFileSync(this.#path, piece.line);
    else {
      this.#hooks += 1;
      const name = `c-${String(this.#hooks).padStart(3, '0')}`;
      leave(this.home, name, { ...piece.hook, transcript_path: this.#path }, piece.at);
    }
  }

  async drain(): Promise<void> {
    await (await this.#open()).drain();
  }

  async import(): Promise<void> {
    await (await this.#open()).import([this.#path]);
  }

  async close(): Promise<void> {
    await this.#annals?.close();
    this.#annals = null;
  }

  /** What the log has, without what only tells how it came there. */
  async events(): Promise<readonly string[]> {
    const events = await eventsOf(await this.#open());
    return events
      .filter(({ type }) => type !== 'memory.forgotten' && type !== 'workdir.seen')
      .map(({ type, channel, body }) => {
        const {
          toolUseId = '',
          text = '',
          private: isPrivate = false,
          via = '',
        } = body as Record<string, unknown>;
        return [type, channel, via, toolUseId, text, isPrivate === true ? 'private' : ''].join(' ').trim();
      })
      .sort();
  }

  // The spool stays as it is until it is drained.
  async #open(): Promise<Annals> {
    this.#annals ??= await openAnnals({ home: this.home, drain: false });
    return this.#annals;
  }
}

type Step = 'drain' | 'import' | 'close';

/** Records a session with some steps after each piece, then reads what is left. */
async function record(
  { pieces }: Session,
  stepsAfter: (piece: number) => readonly Step[],
  last: readonly Step[] = ['drain', 'import'],
) {
  const recording = new Recording();
  for (const [index, piece] of pieces.entries()) {
    recording.write(piece);
    for (const step of stepsAfter(index)) await recording[step]();
  }
  for (const step of [...last, ...last]) await recording[step]();
  const events = await recording.events();
  await recording.close();
  expect(await scanHome(recording.home, [WORD])).toEqual([]);
  return events;
}

const never = () => [];

/** Every way to read the session gives the same. Returns it. */
async function expectSame(session: Session, ways: readonly ((piece: number) => readonly Step[])[]) {
  const hooksFirst = await record(session, never);
  expect(await record(session, never, ['import', 'drain'])).toEqual(hooksFirst);
  for (const way of ways) expect(await record(session, way)).toEqual(hooksFirst);
  return hooksFirst;
}

const WAYS: readonly ((piece: number) => readonly Step[])[] = [
  () => ['drain', 'import'],
  () => ['import', 'drain'],
  () => ['drain'],
  () => ['import'],
];

/** Steps at random moments. */
function atRandom(dice: Chance): (piece: number) => readonly Step[] {
  const often = 2 + dice.below(6);
  const steps: readonly Step[] = ['drain', 'import', 'drain', 'import', 'close'];
  const chosen: (readonly Step[])[] = [];
  return (piece) => {
    chosen[piece] ??=
      dice.below(often) > 1
        ? []
        : [steps[dice.below(5)]!, ...(dice.below(3) === 0 ? [steps[dice.below(4)]!] : [])];
    return chosen[piece];
  };
}

/** A session in which public and private prompts are typed and queued. */
function randomSession(dice: Chance): Session {
  const session = new Session();
  let texts = 0;
  let isPrivate = false;
  const waiting: boolean[] = [];
  const words = () => (isPrivate ? `the ${WORD}` : `words ${++texts}`);
  const textOf = (hidden: boolean) =>
    hidden ? `<private>the ${WORD} ${++texts}</private>` : `question ${++texts}`;
  const maybe = (oneIn: number, action: () => void) => {
    if (dice.below(oneIn) === 0) action();
  };
  const work = (mayHide: boolean) => {
    const queue = () => {
      waiting.push(mayHide && dice.below(2) === 0);
      session.queue(textOf(waiting.at(-1)!));
    };
    for (let tools = dice.below(4); tools > 0; tools--) {
      maybe(2, () => session.reply(words()));
      maybe(6, queue);
      session.tool(words(), () => maybe(2, queue));
      maybe(8, queue);
      if (dice.below(4) === 0) continue;
      session.takeUp();
      const taken = waiting.splice(0);
      isPrivate ||= taken.includes(true);
    }
    maybe(6, queue);
    session.stop(words());
  };
  for (let runs = 2 + dice.below(3); runs > 0; runs--) {
    isPrivate = dice.below(4) === 0;
    session.prompt(textOf(isPrivate), dice.below(4) === 0 ? 3_000 : 0);
    work(true);
    while (session.next()) {
      isPrivate = waiting.shift()!;
      // Nothing tells hooks when such a run began: what a private prompt hides there depends on what is read first.
      work(false);
    }
  }
  return session;
}

/** A public question whose slow tool runs while a private prompt is queued. */
function slowQuestion(): Session {
  const session = new Session();
  session.prompt('a public question');
  session.reply('at once');
  session.stop('a public answer');
  session.prompt('a slow public question');
  session.reply('slowly');
  session.tool('slow done', () => session.queue(`<private>the ${WORD} is the word</private>`));
  session.takeUp();
  session.reply(`I write the ${WORD} down`);
  session.tool(`a ${WORD}`);
  session.stop(`the ${WORD} is written down`);
  session.prompt('the next question');
  session.tool('next done');
  session.stop('the next answer');
  return session;
}

describe('A session recorded while it runs gives the same as when it is read at the end', () => {
  it('when a private prompt is queued while a tool of a public one runs', async () => {
    const events = await expectSame(slowQuestion(), WAYS);
    for (const expected of [
      'prompt.submitted hook hook  a slow public question',
      'prompt.submitted transcript line  a slow public question',
      'agent.replied transcript   slowly',
      'tool.used hook  toolu_1',
      'tool.used transcript  toolu_1',
    ])
      expect(events).toContain(expected);
  });

  it.each(Array.from({ length: RUNS }, (_, run) => SEED + run))(
    'whatever comes when (seed %i)',
    async (seed) => {
      const dice = chance(seed);
      await expectSame(
        randomSession(dice),
        Array.from({ length: RUNS === 1 ? 2 : 4 }, () => atRandom(dice)),
      );
    },
  );
});
