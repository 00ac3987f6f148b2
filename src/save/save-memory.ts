// Saves a memory: checks it, redacts it and appends it to the log as `memory.saved`.
import * as z from 'zod';
import { AnnalsError, type NewEvent } from '../../log/index.ts';
import { listProjects, savedId } from '../../projections/index.ts';
import type { SaveInput } from '../api.ts';
import { sanitizeText, sanitizeValue } from '../capture/redact/index.ts';
import { stripTags } from '../capture/text/tags.ts';
import type { Home } from '../home/home.ts';
import { refuseSharedName } from '../home/home-projects.ts';
import { namedSession } from '../home/named-session.ts';
import { recordWorkdirs } from '../home/record-workdirs.ts';

/** A memory is a note, not a file. 256 KiB of UTF-8. */
const TEXT_BYTES_MAX = 256 * 1024;
const TITLE_CHARS_MAX = 500;
const LIST_MAX = 200;
/** The type of a memory saved without one. */
const TYPE_DEFAULT = 'change';

const saveInput = z.strictObject({
  title: z.string().trim().min(1).max(TITLE_CHARS_MAX),
  text: z.string(),
  type: z.string().trim().min(1).max(64).optional(),
  project: z.string().trim().min(1).max(500).optional(),
  session: z.string().trim().min(1).max(500).optional(),
  files: z.array(z.string()).max(LIST_MAX).optional(),
  concepts: z.array(z.string()).max(LIST_MAX).optional(),
  metadata: z.json().optional(),
  at: z.number().int().optional(),
  cwd: z.string().min(1, 'a path must not be empty').optional(),
  author: z.enum(['user', 'agent']).default('user'),
});

/** Saves one memory, or several in the order of the call. Resolves when they are on disk, with their ids. */
export async function saveMemory(
  memories: SaveInput | readonly SaveInput[],
  home: Home,
  randomBytes: (size: number) => Uint8Array,
): Promise<{ id: string } | { id: string }[]> {
  const several = Array.isArray(memories);
  const all = several ? (memories as readonly SaveInput[]) : [memories as SaveInput];
  const newEvents = await saveEvents(all, home, randomBytes);
  await home.log.append(newEvents);
  await recordWorkdirs(
    newEvents.flatMap(({ body }) => body.cwd ?? []),
    home,
  );
  const saved = newEvents.map((newEvent) => ({ id: savedId(newEvent) }));
  return several ? saved : saved[0]!;
}

type Checked = z.output<typeof saveInput>;

/**
 * @throws AnnalsError INPUT_INVALID with the memory and the field; NOT_FOUND, AMBIGUOUS_ID: its session or project. Nothing of the
 * call is stored then
 */
async function saveEvents(
  memories: readonly SaveInput[],
  home: Home,
  randomBytes: (size: number) => Uint8Array,
): Promise<NewEvent<'memory.saved'>[]> {
  const all = memories.map((memory, index) => checked(memory, index, memories.length));
  if (all.some(({ session }) => session !== undefined)) await home.runner.catchUp();
  const projects = all.some(({ project }) => project !== undefined)
    ? await listProjects(home.views.projects)
    : [];
  for (const { project } of all) if (project !== undefined) refuseSharedName(project, projects);
  const events: NewEvent<'memory.saved'>[] = [];
  for (const [index, memory] of all.entries()) {
    const session =
      memory.session === undefined ? null : (await namedSession(memory.session, home.views.turns)).id;
    const event = saveEvent(memory, { index, session, now: home.now(), randomBytes });
    if (stripTags(memory.text, { author: authorOf(memory) }).empty)
      throw new AnnalsError(
        'INPUT_INVALID',
        `${named(index, all.length)} was not saved: nothing is left of its text without private and inserted parts.`,
        {
          hint: 'What is between <private> and </private>, or was inserted by a program, is never stored.',
          facts: { field: 'text', index },
        },
      );
    if (event.body.project === '')
      throw new AnnalsError(
        'INPUT_INVALID',
        `${named(index, all.length)} was not saved: nothing is left of its project’s name.`,
        { facts: { field: 'project', index } },
      );
    events.push(event);
  }
  return events;
}

function checked(memory: SaveInput, index: number, of: number): Checked {
  const parsed = saveInput.safeParse(memory);
  const which = named(index, of);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const field = issue.path.join('.') || 'the memory itself';
    const isTooBig = issue.code === 'too_big' && (issue.origin === 'string' || issue.origin === 'array');
    const isMissing = field === 'title' || field === 'text';
    const what = isTooBig
      ? `${field} has more than ${issue.maximum} ${issue.origin === 'array' ? 'entries' : 'characters'}`
      : `${field}: ${issue.message}`;
    throw new AnnalsError('INPUT_INVALID', `${which} was not saved: ${what}.`, {
      ...(isTooBig && { hint: `Shorten it${issue.origin === 'array' ? '' : '; the text may be longer'}.` }),
      ...(!isTooBig && isMissing && { hint: 'A memory needs a title and a text; see `annals save --help`.' }),
      facts: { field, index },
    });
  }
  const bytes = Buffer.byteLength(parsed.data.text);
  if (bytes > TEXT_BYTES_MAX) {
    throw new AnnalsError(
      'INPUT_INVALID',
      `${which} was not saved: its text has ${bytes} bytes; the limit is ${TEXT_BYTES_MAX}.`,
      {
        hint: 'Save the part worth remembering, or name the file.',
        facts: { bytes, bytesMax: TEXT_BYTES_MAX },
      },
    );
  }
  return parsed.data;
}

function named(index: number, of: number): string {
  return of === 1 ? 'The memory' : `Memory ${index + 1} of ${of}`;
}

function authorOf({ author }: Checked): 'agent' | 'person' {
  return author === 'agent' ? 'agent' : 'person';
}

function saveEvent(
  memory: Checked,
  {
    index,
    session,
    now,
    randomBytes,
  }: {
    readonly index: number;
    readonly session: string | null;
    readonly now: number;
    readonly randomBytes: (size: number) => Uint8Array;
  },
): NewEvent<'memory.saved'> {
  const by = { author: authorOf(memory), clipBytes: TEXT_BYTES_MAX } as const;
  const clean = (text: string) => sanitizeText(text, by).trim();
  const title = clean(memory.title);
  const text = clean(memory.text);
  return {
    type: 'memory.saved',
    agent: 'annals',
    session,
    dedupeKey: Buffer.from(randomBytes(16)).toString('hex'),
    channel: 'api',
    occurredAt: memory.at ?? now,
    body: {
      title: title === '' ? '[private]' : title,
      text,
      type: clean(memory.type ?? '') || TYPE_DEFAULT,
      project: memory.project === undefined ? null : clean(memory.project),
      cwd: memory.cwd === undefined ? null : clean(memory.cwd),
      files: (memory.files ?? []).map(clean),
      concepts: (memory.concepts ?? []).map(clean),
      metadata: memory.metadata === undefined ? null : sanitizeValue(memory.metadata, by),
      author: memory.author,
      index,
    },
  };
}
