// Records what a real agent sends to hooks, and names the unknown parts.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS, mayBeTranscript } from '../../src/agents/index.ts';
import { EVENTS_NOT_KEPT, KEPT_EVENTS } from '../helpers/hooks/known-hook-events.ts';
import { unknownInPayload } from '../helpers/hooks/known-hook-fields.ts';
import type { Payload } from '../helpers/spool.ts';
import { readWhole } from '../helpers/transcripts.ts';

/** A hook for WorktreeCreate replaces what git does; MessageDisplay fires for each piece of text. */
const NOT_RECORDED = ['WorktreeCreate', 'MessageDisplay'];

/**
 * Settings of Claude Code with a hook for each event that both we and this version know, which writes the payload into
 * a folder. A version that finds an unknown event asks about it before the first prompt.
 */
export function recordingSettings(payloads: string, program: string): object {
  const offered = new Set(eventsInProgram(program));
  const events = [...KEPT_EVENTS, ...Object.keys(EVENTS_NOT_KEPT)].filter(
    (name) => offered.has(name) && !NOT_RECORDED.includes(name),
  );
  const command = `umask 077; f=$(mktemp '${payloads}/.XXXXXXXXXX') && cat >"$f" && mv "$f" '${payloads}'/"\${f##*/.}"`;
  return {
    hooks: Object.fromEntries(events.map((event) => [event, [{ hooks: [{ type: 'command', command }] }]])),
  };
}

/** In the order of their times. */
export function recordedPayloads(payloads: string): readonly Payload[] {
  return readdirSync(payloads)
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(payloads, name))
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as Payload);
}

/** Each unknown thing, once. */
export function unknownInPayloads(payloads: readonly Payload[]): readonly string[] {
  return [...new Set(payloads.flatMap(unknownInPayload))].sort();
}

/** Names of hook events in the agent's program: the lists of strings that begin with PreToolUse. */
export function eventsInProgram(program: string): readonly string[] {
  const bytes = readFileSync(program);
  const names = new Set<string>();
  for (let at = bytes.indexOf('["PreToolUse"'); at >= 0; at = bytes.indexOf('["PreToolUse"', at + 1)) {
    const [list] = /^\[(?:"[A-Za-z]+",?)+\]/.exec(bytes.toString('latin1', at, at + 4_000)) ?? [];
    for (const name of list === undefined ? [] : (JSON.parse(list) as string[])) names.add(name);
  }
  return [...names].sort();
}

/** Unknown line types, attachments and system subtypes, each once. */
export function unknownInTranscripts(folder: string): readonly string[] {
  const names = transcriptFiles(folder).flatMap((path) => {
    const { counts } = readWhole(readFileSync(path), { name: path }).state;
    const unknown = Object.entries(counts).filter(([count]) => count.startsWith('unknown'));
    return unknown.flatMap(([count, found]) => Object.keys(found).map((name) => `${count}: ${name}`));
  });
  return [...new Set(names)].sort();
}

/** Transcripts below a folder, sorted by path. */
export function transcriptFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => mayBeTranscript(path, AGENTS))
    .sort();
}
