// The events of a record, with the fields that most events take from their place in the file.
import type { NewEvent } from '../../../log/index.ts';
import type { PrivatePrompts } from '../../capture/private/private-prompts.ts';
import { callKey } from './call-key.ts';
import type { LiveRecordState, OpenCall } from './record-state.ts';
import type { TranscriptFormat, TranscriptRecord } from './records.ts';
import { type Author, type Sanitizer, sanitizeTranscriptText } from './sanitizer.ts';

export interface RecordWorld {
  readonly agent: string;
  readonly format: TranscriptFormat;
  readonly path: string;
  readonly sanitizer: Sanitizer;
  /** Session of a file that names none. */
  readonly fallbackSession: string | null;
  /** The session that a sub-agent works for, from the session or the sub-agent that launched it. */
  readonly mainSessionOf: (launcher: string) => string;
  readonly privatePrompts: Pick<PrivatePrompts, 'includes' | 'hidesRun'>;
  /** Reads part of the same file again. Null when it is not there. */
  readonly lineAt: (offset: number, length: number) => Uint8Array | null;
}

/** One record while it is being read. */
export class RecordEvents {
  protected readonly live: LiveRecordState;
  protected readonly world: RecordWorld;
  protected readonly line: { readonly offset: number; readonly length: number };
  /** Of the record in its file. A line has more bytes than records. */
  protected readonly order: number;
  protected readonly emit: (event: NewEvent) => void;

  constructor(
    live: LiveRecordState,
    world: RecordWorld,
    line: { readonly offset: number; readonly length: number },
    index: number,
    emit: (event: NewEvent) => void,
  ) {
    this.live = live;
    this.world = world;
    this.line = line;
    this.order = line.offset + index;
    this.emit = emit;
  }

  protected place(record: TranscriptRecord) {
    const { run } = this.live;
    return {
      uuid: uuidOf(record.uuid),
      offset: this.order,
      promptId: record.turn ?? run.turn,
      promptUuid: run.promptUuid,
    };
  }

  protected workdir() {
    const { cwd, branch } = this.live.origin;
    return { cwd, branch };
  }

  protected program() {
    const { agentVersion, entrypoint } = this.live.origin;
    return { agentVersion, entrypoint };
  }

  protected subagent(record: TranscriptRecord) {
    const agentId = this.agentOf(record);
    return { agentId, sidechain: agentId !== null };
  }

  protected agentOf(record: TranscriptRecord): string | null {
    return this.name(record.agentId) ?? this.live.origin.agentId;
  }

  protected name(value: string | null | undefined): string | null {
    return typeof value === 'string' && value !== '' ? this.clean(value, 'tool') : null;
  }

  protected clean(text: string, author: Author): string {
    return sanitizeTranscriptText(this.world.sanitizer, text, author);
  }

  protected event<T extends NewEvent['type']>(
    record: TranscriptRecord,
    type: T,
    dedupeKey: string,
    body: NewEvent<T>['body'],
  ): void {
    const live = this.live;
    live.speaks(live.session!, this.agentOf(record), null);
    this.emit({
      agent: this.world.agent,
      session: live.session!,
      channel: 'transcript',
      occurredAt: record.at ?? live.time,
      type,
      dedupeKey,
      body,
    } as NewEvent);
  }

  protected emitUse(type: 'tool.used' | 'tool.unanswered', call: OpenCall, body: NewEvent['body']): void {
    this.emit({
      agent: this.world.agent,
      session: call.session,
      channel: 'transcript',
      occurredAt: call.at,
      type,
      dedupeKey: callKey(call.session, call.id),
      body,
    } as NewEvent);
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Only a real uuid names a line in every session: two lines with the same one are copies. */
export function uuidOf(uuid: string | null | undefined): string | null {
  return typeof uuid === 'string' && UUID.test(uuid) ? uuid : null;
}
