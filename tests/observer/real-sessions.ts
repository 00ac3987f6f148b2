// Ten real sessions of five agents, short and long, for what costs and for the observer from end to end. They are not part of
// the repository (see tests/helpers/shared-data.ts).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sharedData } from '../helpers/shared-data.ts';

const FILES = [
  'data/transcripts/claude-code/JanDeDobbeleer__oh-my-posh/8521e3ab-d00f-4fdc-b013-609c00860cc3.jsonl',
  'data/transcripts/claude-code/marot__spotter/258c7280-ae70-4798-800f-63464d01a85d.jsonl',
  'data/transcripts/claude-code/entireio__cli/f736da47-b2ca-4f86-bb32-a1bbe582e464.jsonl',
  'data/transcripts/claude-code/d-kimuson__claude-code-viewer/fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl',
  'data/transcripts/claude-code/EntityProcess__agentv/f6b7329a-914c-4f62-8090-4e29b032b173.jsonl',
  'data/more/claude-code/PackmindHub__context-evaluator/4799f814-b4e5-4026-a103-c25a2d038398.jsonl',
  'data/transcripts/codex/EntityProcess__agentv/rollout-019ed50c-2fb3-7002-a384-360bea6e7f04.jsonl',
  'data/transcripts/gemini-cli/Mai0313__VibeCodingTracker/gemini.jsonl',
  'data/transcripts/copilot-cli/EntityProcess__agentv/10fb4666-56f0-4352-90fc-715caf95b418.events.jsonl',
  'data/transcripts/opencode/dayhaysoos__nimbus/ses_30bfbb6f4ffeJ2960akRy1tOR3.json',
];

/** Their paths, or null when this machine does not have all of them. */
export const tenSessions: readonly string[] | null = found();

function found(): string[] | null {
  if (sharedData === null) return null;
  const paths = FILES.map((file) => join(sharedData!, file));
  return paths.every((path) => existsSync(path)) ? paths : null;
}
