// Makes events of the records of any agent. Of a private turn only the fact that it took place is recorded: a run is
// private from its private prompt on, with the sub-agents that it launched. Calls are joined with their results,
// whichever comes first; the side seen first is remembered by its location and read again. All text leaves here
// sanitized.
import type { NewEvent } from '../../../log/index.ts';
import type { Line } from '../../capture/transcripts/line-splitter.ts';
import { callKey } from './call-key.ts';
import { countableName } from './countable-name.ts';
import { readEachLine } from './each-line.ts';
import { type JsonObject, parseTranscriptLine } from './json-fields.ts';
import { RecordEvents, type RecordWorld, uuidOf } from './record-events.ts';
import { LiveRecordState, type OpenCall, type RecordState } from './record-state.ts';
import type {
  CallRecord,
  PromptRecord,
  ReplyRecord,
  ResultRecord,
  SessionRecord,
  StopRecord,
  TranscriptRecord,
} from './records.ts';
import { detailOf } from './tool-detail.ts';

/** A pure state machine: the same bytes give the same events in the same order, however they are split. */
export function readRecords(
  state: RecordState,
  lines: readonly Line[],
  world: RecordWorld,
): { readonly events: readonly NewEvent[]; readonly state: RecordState } {
  const live = new LiveRecordState(state);
  const { events } = readEachLine(live, lines, (parsed, line, emit) => {
    const { records, memory } = world.format.records(parsed, live.memory, {
      offset: line.offset,
      path: world.path,
    });
    live.memory = memory;
    if (records.every(({ kind }) => kind !== 'unknown')) live.counts.known += 1;
    for (const [index, record] of records.entries()) new Reading(live, world, line, index, emit).take(record);
  });
  return { events, state: live.toJSON() };
}

/** One record while it is being read. */
class Reading extends RecordEvents {
  take(record: TranscriptRecord): void {
    const live = this.live;
    if (record.kind === 'unknown') {
      live.countUnknown('unknownLines', countableName(record.name));
      return;
    }
    if (record.kind === 'ignored') {
      live.countRefused(record.reason);
      return;
    }
    const before = live.time;
    live.time = record.at ?? before;
    if (this.world.privatePrompts.hidesRun(live.run.turn, before, live.time)) live.hideRun();
    if (record.kind === 'session') {
      this.#session(record);
      return;
    }
    live.session ??= this.world.fallbackSession;
    if (live.session === null) return;
    if (typeof record.cwd === 'string') this.#workIn(record.cwd);
    switch (record.kind) {
      case 'workdir':
        if (record.branch !== undefined) live.origin = { ...live.origin, branch: this.name(record.branch) };
        return;
      case 'prompt':
        this.#prompt(record);
        return;
      case 'call':
        this.#call(record);
        return;
      case 'result':
        this.#result(record);
        return;
      case 'reply':
        this.#reply(record);
        return;
      case 'stop':
        this.#stop(record);
        return;
      case 'end':
        this.event(record, 'session.ended', `end:${this.order}`, {
          reason: record.reason,
          ...this.workdir(),
          ...this.place(record),
        });
        return;
      case 'title':
        // A title is made from the whole session, so one private turn suppresses it.
        if (!live.anyPrivate)
          this.event(record, 'session.titled', `${record.source}:${this.order}`, {
            source: record.source,
            title: this.clean(record.title, record.source === 'custom' ? 'person' : 'agent'),
            offset: this.order,
          });
    }
  }

  #session(record: SessionRecord): void {
    const live = this.live;
    const launcher = record.parentSession ?? null;
    const main = launcher === null ? null : this.world.mainSessionOf(launcher);
    const session = this.name(main) ?? this.name(record.session);
    if (session === null) return;
    const agentId = launcher === null ? null : this.name(record.session);
    live.session = session;
    live.origin = {
      agentId,
      cwd: this.name(record.cwd) ?? live.origin.cwd,
      branch: this.name(record.branch) ?? live.origin.branch,
      model: record.model ?? live.origin.model,
      agentVersion: record.agentVersion ?? live.origin.agentVersion,
      entrypoint: record.entrypoint ?? live.origin.entrypoint,
    };
    live.speaks(session, agentId, live.origin.cwd);
    const isKnown = live.started.has(session);
    live.started.add(session);
    if (agentId !== null || (isKnown && (record.source ?? null) === null)) return;
    this.event(record, 'session.started', `start:${isKnown ? this.order : session}`, {
      source: record.source ?? null,
      model: live.origin.model,
      ...this.workdir(),
      ...this.program(),
      ...this.place(record),
    });
  }

  #workIn(folder: string): void {
    const live = this.live;
    const cwd = this.name(folder);
    live.origin = { ...live.origin, cwd };
    live.speaks(live.session!, live.origin.agentId, cwd);
  }

  #prompt(record: PromptRecord): void {
    const live = this.live;
    if (this.agentOf(record) !== null) {
      live.countRefused('prompt of a sub-agent');
      return;
    }
    const turn = record.turn ?? null;
    const uuid = uuidOf(record.uuid);
    const isPrivate = this.world.sanitizer.isPrivate(record.text) || this.#isKnownPrivate(record, turn, uuid);
    this.#unanswered();
    live.openRun(turn, uuid, isPrivate);
    this.event(record, 'prompt.submitted', record.id, {
      text: isPrivate ? null : this.clean(record.text, 'person'),
      private: isPrivate,
      via: 'line',
      source: record.source ?? null,
      images: isPrivate ? 0 : (record.images ?? 0),
      ...this.workdir(),
      ...this.program(),
      ...this.place(record),
    });
  }

  /** Whether a hook says that this prompt is private. */
  #isKnownPrivate(record: PromptRecord, turn: string | null, uuid: string | null): boolean {
    const live = this.live;
    return this.world.privatePrompts.includes({
      agent: this.world.agent,
      session: live.session!,
      uuid,
      promptId: turn,
      at: record.at,
      opensRun: turn !== null && !live.runs.has(turn),
      privateAt: live.privateAt,
      text: () => this.clean(record.text, 'person'),
    });
  }

  #call(record: CallRecord): void {
    const live = this.live;
    const { id } = record;
    const waiting = live.open.get(id);
    if (waiting?.side === 'call' || live.closed.has(id)) return;
    live.run = { ...live.run, atRest: false };
    const call = this.#openCall(record, 'call');
    if (waiting === undefined) {
      live.hold(call);
      live.atHand.set(id, record);
      return;
    }
    const result = this.#again(waiting);
    live.close(id);
    if (result?.kind === 'result') this.#close(call, record, result, waiting);
  }

  #result(record: ResultRecord): void {
    const live = this.live;
    const { id } = record;
    const waiting = live.open.get(id);
    if (waiting?.side === 'result' || live.closed.has(id)) return;
    live.run = { ...live.run, atRest: false };
    if (waiting === undefined) {
      live.hold(this.#openCall(record, 'result'));
      live.atHand.set(id, record);
      return;
    }
    const call = this.#again(waiting);
    live.close(id);
    if (call?.kind === 'call') this.#close(waiting, call, record, this.#openCall(record, 'result'));
  }

  #close(call: OpenCall, use: CallRecord, result: ResultRecord, end: OpenCall): void {
    const live = this.live;
    const launched = this.name(result.launchedAgentId);
    if (launched !== null) live.launched(launched, call.private);
    if (call.private) return;
    const { sanitizer } = this.world;
    const text = result.text === null ? null : this.clean(result.text, 'tool');
    this.emitUse('tool.used', call, {
      ...this.#useBody(call, use),
      outcome: result.outcome,
      result: text,
      detail: sanitizer.value(detailOf(result.detail ?? null, use.input, result.text), 'tool'),
      error: result.outcome === 'ok' ? null : text,
      durationMs: result.durationMs ?? null,
      launchedAgentId: launched,
      resultUuid: uuidOf(result.uuid),
      resultOffset: end.order,
      endedAt: end.at,
    });
  }

  /** The person went on while calls of the main thread had no result. Emitted once for each. */
  #unanswered(): void {
    const live = this.live;
    for (const call of live.open.values()) {
      if (call.side !== 'call' || call.agentId !== null || call.reported) continue;
      live.open.set(call.id, { ...call, reported: true });
      const use = call.private ? null : this.#again(call);
      if (use?.kind === 'call') this.emitUse('tool.unanswered', call, this.#useBody(call, use));
    }
  }

  #useBody(call: OpenCall, use: CallRecord) {
    return {
      toolUseId: callKey(call.session, call.id),
      name: this.name(use.name) ?? '',
      input: this.world.sanitizer.value(use.input, 'tool'),
      messageId: use.messageId ?? null,
      model: use.model ?? this.live.origin.model,
      usage: use.usage ?? null,
      cwd: call.cwd,
      branch: this.live.origin.branch,
      ...this.program(),
      uuid: uuidOf(use.uuid),
      offset: call.order,
      promptId: call.turn,
      promptUuid: call.promptUuid,
      agentId: call.agentId,
      sidechain: call.agentId !== null,
    };
  }

  #reply(record: ReplyRecord): void {
    const live = this.live;
    const isHidden = this.#isPrivate(record) || (record.compaction === true && live.anyPrivate);
    if (this.agentOf(record) === null) live.run = { ...live.run, atRest: true };
    if (isHidden) return;
    this.event(record, 'agent.replied', record.id, {
      messageId: record.messageId ?? null,
      text: record.text === null ? null : this.clean(record.text, 'agent'),
      model: record.model ?? live.origin.model,
      usage: record.usage ?? null,
      compaction: record.compaction ?? false,
      ...(record.goesOn === true ? { stopReason: 'tool_use' } : {}),
      ...this.workdir(),
      ...this.program(),
      ...this.place(record),
      ...this.subagent(record),
    });
  }

  #stop(record: StopRecord): void {
    const live = this.live;
    if (this.agentOf(record) === null) live.run = { ...live.run, atRest: true };
    if (this.#isPrivate(record)) return;
    this.event(record, 'agent.stopped', record.id, {
      reason: record.reason,
      error: record.error === undefined || record.error === null ? null : this.clean(record.error, 'tool'),
      text: record.text === undefined || record.text === null ? null : this.clean(record.text, 'agent'),
      durationMs: record.durationMs ?? null,
      ...this.workdir(),
      ...this.place(record),
      ...this.subagent(record),
    });
  }

  /** Whether a record belongs to a private turn. A sub-agent with an unknown launcher does, if anything here is private. */
  #isPrivate(record: TranscriptRecord): boolean {
    const live = this.live;
    const agentId = record.agentId ?? null;
    if (agentId !== null) return live.launchedTasks.get(agentId) ?? live.anyPrivate;
    const turn = record.turn ?? null;
    return turn === null || turn === live.run.turn ? live.run.private : live.isPrivateTurn(turn);
  }

  #openCall(record: CallRecord | ResultRecord, side: OpenCall['side']): OpenCall {
    const live = this.live;
    return {
      id: record.id,
      side,
      offset: this.line.offset,
      length: this.line.length,
      order: this.order,
      at: record.at ?? live.time,
      session: live.session!,
      agentId: this.agentOf(record),
      turn: record.turn ?? live.run.turn,
      promptUuid: live.run.promptUuid,
      cwd: live.origin.cwd,
      private: this.#isPrivate(record),
      reported: false,
    };
  }

  /** The record of the side that was seen first. */
  #again(call: OpenCall): TranscriptRecord | null {
    const live = this.live;
    const atHand = live.atHand.get(call.id);
    if (atHand !== undefined) {
      live.atHand.delete(call.id);
      return atHand;
    }
    const bytes = this.world.lineAt(call.offset, call.length);
    const line: JsonObject | null = bytes === null ? null : parseTranscriptLine(bytes);
    const location = { offset: call.offset, path: this.world.path };
    const records = line === null ? [] : this.world.format.records(line, live.memory, location).records;
    const found = records.find((one) => one.kind === call.side && one.id === call.id);
    if (found === undefined)
      live.park({
        offset: call.offset,
        length: call.length,
        reason: 'an open tool use could not be read again',
      });
    return found ?? null;
  }
}
