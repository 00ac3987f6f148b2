// A model that writes plausible replies: made from the request alone, in the form that it asks for.
import type { ModelBody, ModelRequestSeen, ScriptedAnswer } from './model-server-types.ts';

interface Observation {
  readonly type: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly narrative: string;
  readonly facts: readonly string[];
  readonly concepts: readonly string[];
  readonly files_read: readonly string[];
  readonly files_modified: readonly string[];
}

type Summary = Readonly<Record<(typeof SUMMARY)[number], string | null>>;
const SUMMARY = ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'] as const;
const ITEMS = { facts: 'fact', concepts: 'concept', files_read: 'file', files_modified: 'file' } as const;

/** For `ModelServer.answer`. */
export function plausibleAnswer({ body }: Pick<ModelRequestSeen, 'body'>): ScriptedAnswer {
  const turn: string = body.messages.at(-1).content;
  const observation = observationOf(turn);
  const summary = isLastPart(turn) ? summaryOf(turn, observation) : null;
  const skip = observation === null && summary === null ? 'Nothing to remember.' : null;
  const reply = { observations: observation === null ? [] : [observation], summary, skip_summary: skip };
  return { text: asksForJson(body) ? JSON.stringify(reply) : inTags(reply) };
}

function asksForJson(body: ModelBody): boolean {
  return (body.output_config?.format ?? body.response_format) !== undefined;
}

function observationOf(turn: string): Observation | null {
  const tools = [...turn.matchAll(/<tool name="([^"]*)"(?: outcome="(\w+)")?>\n([\s\S]*?)\n?<\/tool>/g)].map(
    ([, name = '', outcome = '', text = '']) => ({ name, outcome, text }),
  );
  if (tools.length === 0) return null;
  const filesOf = (kind: RegExp) => {
    const texts = tools.filter(({ name }) => kind.test(name)).map(({ text }) => text);
    return [...new Set(texts.flatMap((text) => /^(?:file_?path|path): (.+)$/im.exec(text)?.[1] ?? []))];
  };
  const modified = filesOf(/write|edit|patch|replace/i);
  const failed = tools.filter(({ outcome }) => outcome === 'failed');
  const commands = tools.filter(({ name }) => /bash|exec|shell/i.test(name));
  const type = modified.length === 0 ? 'discovery' : failed.length > 0 ? 'bugfix' : 'change';
  return {
    type,
    title: oneLine(inTag(turn, 'answer') || inTag(turn, 'said') || inTag(turn, 'request')).slice(0, 90),
    subtitle: oneLine(inTag(turn, 'request')).slice(0, 150),
    narrative: sentencesOf(`${inTag(turn, 'said')} ${inTag(turn, 'answer')}`, 5),
    facts: [
      ...commands.slice(-4).map(({ text, outcome }) => `${oneLine(text).slice(0, 120)}: ${outcome}`),
      ...failed.slice(-4).map(({ text }) => `Failed: ${oneLine(text.slice(-160))}`),
    ],
    concepts: [failed.length > 0 ? 'problem-solution' : 'what-changed'],
    files_read: filesOf(/read|view/i).slice(0, 8),
    files_modified: modified.slice(0, 8),
  };
}

function summaryOf(turn: string, observation: Observation | null): Summary | null {
  if (observation === null && inTag(turn, 'answer') === '') return null;
  return {
    request: oneLine(inTag(turn, 'request')).slice(0, 200),
    investigated: observation?.files_read.join(', ') || null,
    learned: sentencesOf(inTag(turn, 'answer'), 2) || null,
    completed: observation?.title ?? null,
    next_steps: null,
    notes: null,
  };
}

function isLastPart(turn: string): boolean {
  const [, part, parts] = /^<turn [^>]*part="(\d+) of (\d+)"/.exec(turn) ?? [];
  return part === parts;
}

/** The first such element. */
function inTag(turn: string, name: string): string {
  return new RegExp(`<${name}[^>]*>\n([\\s\\S]*?)\n</${name}>`).exec(turn)?.[1] ?? '';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[<>]/g, '').trim();
}

function sentencesOf(text: string, most: number): string {
  const all = oneLine(text).split(/(?<=[.!?]) /);
  return all.slice(0, most).join(' ').slice(0, 900);
}

function inTags(reply: {
  readonly observations: readonly Observation[];
  readonly summary: Summary | null;
  readonly skip_summary: string | null;
}): string {
  const block = (name: string, fields: object) =>
    `<${name}>\n${Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([field, value]) => `<${field}>${valueIn(field, value)}</${field}>\n`)
      .join('')}</${name}>`;
  return [
    ...reply.observations.map((one) => block('observation', one)),
    reply.summary === null
      ? `<skip_summary reason="${reply.skip_summary ?? 'a later part has it'}"/>`
      : block('summary', reply.summary),
  ].join('\n');
}

function valueIn(field: string, value: string | readonly string[]): string {
  if (typeof value === 'string') return value;
  const item = ITEMS[field as keyof typeof ITEMS];
  return value.map((one) => `<${item}>${one}</${item}>`).join('');
}
