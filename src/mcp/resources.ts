// Projects and sessions as resources, which a person can attach to a message.
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { counted } from '../terminal-text/grouped-number.ts';
import { markedText, shortLine } from './common/past-text.ts';
import { scopeOf } from './common/scope.ts';
import { type Call, failureText, type MakeCall, ToolFailure } from './common/tool.ts';
import { get } from './tools/get.ts';

const LISTED_MAX = 20;
const MIME_TYPE = 'text/plain';
const PROJECT = 'annals://project/';
const SESSION = 'annals://session/';

export function registerResources(server: McpServer, callOf: MakeCall): void {
  server.registerResource(
    'project',
    new ResourceTemplate(`${PROJECT}{name}`, { list: (ctx) => listed(callOf(ctx), projects) }),
    {
      title: 'Project',
      description:
        'What a new session of the project is told: where the last one stopped, decisions, lessons.',
      mimeType: MIME_TYPE,
    },
    (uri, { name }, ctx) => read(uri, callOf(ctx), (call) => projectText(decoded(name), call)),
  );
  server.registerResource(
    'session',
    new ResourceTemplate(`${SESSION}{id}`, { list: (ctx) => listed(callOf(ctx), sessions) }),
    { title: 'Session', description: 'The turns of a session, with their ids.', mimeType: MIME_TYPE },
    (uri, { id }, ctx) => read(uri, callOf(ctx), (call) => sessionText(decoded(id), call)),
  );
}

/** @throws ToolFailure */
function decoded(part: string | readonly string[] | undefined): string {
  try {
    return decodeURIComponent(String(part));
  } catch {
    throw new ToolFailure('The address of the resource has a % that encodes no character. Write %25 for %.');
  }
}

interface Entry {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

async function listed(call: Call, entries: (call: Call) => Promise<Entry[]>) {
  const found = await orProtocolError(call, () => entries(call));
  return { resources: found.map((entry) => ({ ...entry, mimeType: MIME_TYPE })) };
}

async function projects({ ask }: Call): Promise<Entry[]> {
  const all = (await ask((annals) => annals.stats())).projects.toSorted((a, b) =>
    (b.lastAt ?? '').localeCompare(a.lastAt ?? ''),
  );
  return all.slice(0, LISTED_MAX).map(({ name, sessions }) => ({
    uri: PROJECT + encodeURIComponent(name),
    name: shortLine(name),
    description: `Project, ${counted(sessions, 'session')}`,
  }));
}

/** The newest of the client's project. */
async function sessions(call: Call): Promise<Entry[]> {
  const { option, unknown } = await scopeOf(undefined, call);
  if (unknown !== null) return [];
  const { items } = await call.ask((annals) => annals.list('session', { ...option, limit: LISTED_MAX }));
  return items.map(({ id, title, agent, startedAt }) => ({
    uri: SESSION + encodeURIComponent(id),
    name: shortLine(title ?? id),
    description: `Session of ${shortLine(agent)}, ${startedAt?.slice(0, 16) ?? 'time unknown'}`,
  }));
}

export async function projectText(project: string, { ask }: Call): Promise<string> {
  const { text } = await ask((annals) => annals.context({ project }));
  return text === ''
    ? markedText('project', {
        answer: {},
        lines: ['There is nothing yet to tell a new session of it.'],
        project,
      })
    : text;
}

async function sessionText(id: string, call: Call): Promise<string> {
  return markedText('session', await get.run({ ids: [id] }, call));
}

async function read(uri: URL, call: Call, textOf: (call: Call) => Promise<string>) {
  const text = await orProtocolError(call, () => textOf(call));
  return { contents: [{ uri: uri.href, mimeType: MIME_TYPE, text }] };
}

/** Resources and prompts have no results that are failures. */
export async function orProtocolError<T>(call: Call, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, failureText(error, call));
  }
}
