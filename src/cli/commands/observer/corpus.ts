import { AnnalsError } from '../../../../log/index.ts';
import type { CorpusAnswer, CorpusInfo, CorpusItem } from '../../../api.ts';
import { dollars } from '../../../terminal-text/dollars.ts';
import { plainLine, plainText, wrap } from '../../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { oneOf, wholeNumber } from '../../command/options.ts';
import { bytes, count, counted } from '../../output/amount.ts';

interface Options {
  readonly limit?: number;
  readonly model?: string;
}

interface Call extends Options {
  readonly name: string;
  readonly text: string;
}

const ACTIONS: Readonly<Record<string, (session: Session, call: Call) => Promise<void>>> = {
  build: async (session, { name, text, limit }) => {
    const options = limit === undefined ? {} : { limit };
    await printInfo(session, await (await session.annals()).buildCorpus(name, { query: text, ...options }));
  },
  ask,
  list,
  show,
  rebuild: async (session, { name, limit }) => {
    const options = limit === undefined ? {} : { limit };
    await printInfo(session, await (await session.annals()).buildCorpus(name, options));
  },
  delete: async (session, { name }) => {
    const deleted = await (await session.annals()).deleteCorpus(name);
    if (session.json) return session.terminal.json(deleted);
    await session.terminal.line(`Deleted the corpus ${plainLine(deleted.name)}. Its memories stay.`);
  },
};
const NAMES = Object.keys(ACTIONS);

export const command = defineCommand<Options>({
  description:
    'A corpus is a list of memories under a name: what a query finds when it is built, at most 80,000 bytes of text. `ask` has ' +
    'the model of the settings answer from it and name the passages it used, within the budget of the observer; without a model ' +
    'it prints the passages that fit best. What you forget is in no corpus any more (docs/corpus.md).',
  shape: (command) =>
    command
      .addArgument(
        oneOf('[action]', `${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)} (default: list)`, NAMES),
      )
      .argument('[name]', 'small letters, digits and hyphens')
      .argument('[words...]', 'of build: words and operators, as in a search; of ask: the question')
      .option(
        '--limit <number>',
        'of build and rebuild: at most so many memories (default: 200)',
        wholeNumber('--limit', 1, 500),
      )
      .option('--model <name>', 'of ask: this model of the same service'),
  examples: [
    ['corpus build clock project:birdfeeder utc', 'what is remembered about it'],
    ['corpus ask clock why do feeding times use UTC?', 'an answer with the ids it rests on'],
    ['corpus rebuild clock', 'also what was recorded since'],
  ],
  needsHome: true,
  async run(session, options, [action = 'list', name, ...words]) {
    const act = ACTIONS[action];
    if (act === undefined) throw wrong(`corpus has no action “${plainLine(action)}”.`);
    const takesWords = action === 'build' || action === 'ask';
    if ((name === undefined) !== (action === 'list'))
      throw wrong(
        action === 'list' ? 'corpus list takes no further words.' : `corpus ${action} needs a name.`,
      );
    if (!takesWords && words.length > 0) throw wrong(`corpus ${action} takes one name.`);
    await act(session, { ...options, name: name ?? '', text: words.join(' ') });
  },
});

function wrong(message: string): AnnalsError {
  return new AnnalsError('USAGE', message, { hint: 'See `annals corpus --help`.' });
}

async function list({ terminal, annals, json, name }: Session): Promise<void> {
  const corpora = await (await annals()).corpora();
  if (json) return terminal.json({ corpora });
  for (const corpus of corpora)
    await terminal.line(infoLine(terminal.style.bold(plainLine(corpus.name)), corpus));
  if (corpora.length === 0)
    terminal.note(`There is no corpus: \`${name} corpus build <name> <query>\` makes one.`);
}

async function show({ terminal, annals, json }: Session, { name }: Call): Promise<void> {
  const corpus = await (await annals()).corpus(name);
  if (json) return terminal.json(corpus);
  await terminal.line(infoLine(terminal.style.bold(plainLine(corpus.name)), corpus));
  await terminal.line(plainText(corpus.text));
}

async function printInfo({ terminal, json }: Session, corpus: CorpusInfo): Promise<void> {
  if (json) return terminal.json(corpus);
  await terminal.line(infoLine(plainLine(corpus.name), corpus));
  const left = corpus.matched - corpus.members;
  if (left > 0)
    terminal.note(
      `${count(left)} of ${count(corpus.matched)} that fit are left out: a corpus has at most ${count(corpus.limit)} memories and 80,000 bytes.`,
    );
}

function infoLine(
  name: string,
  { query, members, gone, bytes: size, questions, usd, builtAt }: CorpusInfo,
): string {
  const more = [
    ...(gone > 0 ? [`${memories(gone)} gone since`] : []),
    ...(questions > 0 ? [`${counted(questions, 'question')} for ${dollars(usd)}`] : []),
  ];
  return `${name}  ${memories(members)}, ${bytes(size)}, of ${builtAt?.slice(0, 10) ?? 'an unknown time'}${more.map((one) => `, ${one}`).join('')}: ${plainLine(query)}`;
}

function memories(number: number): string {
  return `${count(number)} ${number === 1 ? 'memory' : 'memories'}`;
}

async function ask({ terminal, annals, json }: Session, { name, text, model }: Call): Promise<void> {
  const answer = await (await annals()).askCorpus(name, text, model === undefined ? {} : { model });
  if (json) return terminal.json(answer);
  if (answer.outcome === 'passages') await printPassages(terminal, answer);
  else await printAnswer(terminal, answer);
}

async function printAnswer(terminal: Session['terminal'], answer: CorpusAnswer): Promise<void> {
  const { style, width } = terminal;
  const { answer: text, citations, refused, usd, repeated, model } = answer;
  if (text === null) await terminal.line('The corpus holds no answer to that.');
  else
    for (const line of plainText(text).split('\n'))
      for (const part of wrap(line, width)) await terminal.line(part);
  if (citations.length > 0) await terminal.line();
  for (const item of citations) await terminal.line(itemLine(item, style));
  if (text !== null && citations.length === 0)
    terminal.note(style.yellow('It names no passage of the corpus: nothing shows that it is true.'));
  if (refused.length > 0)
    terminal.note(
      style.yellow(
        `Not in this corpus: ${refused.map(plainLine).join(', ')}. Do not rely on what names them.`,
      ),
    );
  terminal.tip(
    style.dim(
      repeated ? 'Answered before; nothing was asked.' : `${plainLine(model ?? '')}: ${dollars(usd)}`,
    ),
  );
}

async function printPassages(
  terminal: Session['terminal'],
  { passages, degraded }: CorpusAnswer,
): Promise<void> {
  const { style, width } = terminal;
  for (const sentence of degraded) terminal.note(style.yellow(plainLine(sentence)));
  terminal.note(
    passages.length === 0
      ? 'No model answered, and no passage fits the question.'
      : 'No model answered. These passages fit the question best:',
  );
  for (const passage of passages) {
    await terminal.line(itemLine(passage, style));
    for (const line of wrap(plainLine(passage.text), width - 4)) await terminal.line(`    ${line}`);
  }
}

function itemLine(
  { id, type, kind, title, at, project }: CorpusItem,
  style: Session['terminal']['style'],
): string {
  return `${style.bold(id)}  ${at?.slice(0, 10) ?? ''}  ${plainLine(type ?? kind)}  ${plainLine(title)}  ${style.dim(plainLine(project))}`;
}
