// Saves a memory: checks it, redacts it and appends it to the log as `memory.saved`.
import * as z from 'zod';
import { AnnalsError, type NewEvent } from '../../log/index.ts';
import { savedId } from '../../projections/index.ts';
import type { SaveInput } from '../api.ts';
import { sanitizeText, sanitizeValue } from '../capture/redact/index.ts';
import type { Home } from '../home/home.ts';
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
  cwd: z.string().optional(),
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
  const newEvents = saveEvents(all, { now: home.now, randomBytes });
  await home.log.append(newEvents);
  await recordWorkdirs(
    newEvents.flatMap(({ body }) => body.cwd ?? []),
    home,
  );
  const saved = newEvents.map((newEvent) => ({ id: savedId(newEvent) }));
  return several ? saved : saved[0]!;
}

interface SaveWorld {
  /** Unix ms. */
  now(): number;
  randomBytes(size: number): Uint8Array;
}

/** @throws AnnalsError INPUT_INVALID with the memory and the field; nothing of the call is stored then */
function saveEvents(memories: readonly SaveInput[], world: SaveWorld): NewEvent<'memory.saved'>[] {
  return memories.map((memory, index) => saveEvent(checked(memory, index, memories.length), index, world));
}

function checked(memory: SaveInput, index: number, of: number): z.output<typeof saveInput> {
  const parsed = saveInput.safeParse(memory);
  const which = of === 1 ? 'The memory' : `Memory ${index + 1} of ${of}`;
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const field = issue.path.join('.') || 'the memory itself';
    throw new AnnalsError('INPUT_INVALID', `${which} was not saved: ${field}: ${issue.message}.`, {
      hint: 'A memory needs a title and a text; see `annals save --help`.',
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

function saveEvent(
  memory: z.output<typeof saveInput>,
  index: number,
  world: SaveWorld,
): NewEvent<'memory.saved'> {
  const by = { author: memory.author === 'agent' ? 'agent' : 'person', clipBytes: TEXT_BYTES_MAX } as const;
  const clean = (text: string) => sanitizeText(text, by).trim();
  const title = clean(memory.title);
  const text = clean(memory.text);
  return {
    type: 'memory.saved',
    agent: 'annals',
    session: memory.session === undefined ? null : clean(memory.session),
    dedupeKey: Buffer.from(world.randomBytes(16)).toString('hex'),
    channel: 'api',
    occurredAt: memory.at ?? world.now(),
    body: {
      title: title === '' ? '[private]' : title,
      text,
      type: memory.type === undefined ? TYPE_DEFAULT : clean(memory.type),
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
