// Writes transcript lines in the format of Claude Code 2.1.2xx: one content block per line, chained by parentUuid,
// results joined by tool_use_id. Ids are hashes of a counter and the clock is simulated, so the same story gives the
// same bytes.
import { createHash } from 'node:crypto';

const VERSION = '2.1.219';
const MODEL = 'claude-opus-5';

/** A recorder for one transcript file. `start` is an ISO time; every line advances the clock. */
export function createRecorder({ session, start, cwd, branch, agentId = null, context = 12_000 }) {
  const lines = [];
  let time = Date.parse(start);
  let parent = null;
  let promptId = null;
  let tokens = context;
  let made = 0;

  const hash = (what) => createHash('sha256').update(`${session} ${agentId} ${what} ${made++}`).digest('hex');

  const uuid = () => {
    const hex = hash('uuid');
    const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`];
    return `${parts.join('-')}-${hex.slice(20, 32)}`;
  };

  const envelope = () => ({
    userType: 'external',
    entrypoint: 'cli',
    cwd,
    sessionId: session,
    version: VERSION,
    gitBranch: branch,
    ...(agentId === null ? {} : { agentId }),
  });

  /** Writes a line with a uuid, chained to the previous one. */
  function line(fields, seconds) {
    time += seconds * 1_000 + (made % 7) * 91;
    const id = uuid();
    lines.push({
      parentUuid: parent,
      isSidechain: agentId !== null,
      ...fields,
      uuid: id,
      timestamp: new Date(time).toISOString(),
      ...envelope(),
    });
    parent = id;
    return id;
  }

  /** Writes one API message: one line per block, with growing usage. */
  function message(blocks, stopReason) {
    const id = `msg_01${hash('message').slice(0, 22)}`;
    const requestId = `req_01${hash('request').slice(0, 22)}`;
    let output = 0;
    tokens += 850;
    return blocks.map((block) => {
      output += Math.ceil(JSON.stringify(block).length / 4);
      const usage = {
        input_tokens: 4,
        cache_creation_input_tokens: 850,
        cache_read_input_tokens: tokens,
        output_tokens: output,
        service_tier: 'standard',
      };
      const body = {
        model: MODEL,
        id,
        type: 'message',
        role: 'assistant',
        content: [block],
        stop_reason: stopReason,
        stop_sequence: null,
        usage,
      };
      return line({ message: body, requestId, type: 'assistant' }, 3);
    });
  }

  return {
    lines,
    /** Writes a line without uuid: titles, modes, the last prompt. */
    meta: (fields) => lines.push({ ...fields, sessionId: session }),

    prompt(text, seconds = 40) {
      promptId = uuid();
      line(
        {
          promptId,
          type: 'user',
          message: { role: 'user', content: text },
          permissionMode: 'default',
          origin: { kind: 'human' },
          promptSource: 'typed',
        },
        seconds,
      );
      return promptId;
    },

    /** Writes the instruction of a sub-agent, with the prompt id of its parent. */
    instruction(text, parentPromptId) {
      promptId = parentPromptId;
      line({ promptId, type: 'user', message: { role: 'user', content: text } }, 1);
    },

    say: (text) => message([{ type: 'text', text }], 'end_turn'),

    /** Writes an optional text, a tool use and its result. */
    use({ say = null, name, input, result, detail, failed = false, seconds = 2 }) {
      const toolUseId = `toolu_01${hash('tool').slice(0, 22)}`;
      const blocks = [
        ...(say === null ? [] : [{ type: 'text', text: say }]),
        { type: 'tool_use', id: toolUseId, name, input, caller: { type: 'direct' } },
      ];
      const use = message(blocks, 'tool_use').at(-1);
      const content = [{ tool_use_id: toolUseId, type: 'tool_result', content: result, is_error: failed }];
      line(
        {
          promptId,
          type: 'user',
          message: { role: 'user', content },
          toolUseResult:
            detail ??
            (failed
              ? `Error: ${result}`
              : { stdout: result, stderr: '', interrupted: false, isImage: false }),
          sourceToolAssistantUUID: use,
        },
        seconds,
      );
      return toolUseId;
    },

    turnEnds(durationMs) {
      line({ type: 'system', subtype: 'turn_duration', durationMs, isMeta: false }, 0);
    },

    toString: () => lines.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
  };
}

/** The tools of the stories, with results in Claude Code's format. */
export const tools = {
  read: (file, content, say = null) => ({
    say,
    name: 'Read',
    input: { file_path: file },
    result: content
      .split('\n')
      .map((text, index) => `${String(index + 1).padStart(6)}\t${text}`)
      .join('\n'),
    detail: {
      type: 'text',
      file: {
        filePath: file,
        content,
        numLines: content.split('\n').length,
        startLine: 1,
        totalLines: content.split('\n').length,
      },
    },
  }),
  edit: (file, oldString, newString, say = null) => ({
    say,
    name: 'Edit',
    input: { file_path: file, old_string: oldString, new_string: newString, replace_all: false },
    result: `The file ${file} has been updated successfully.`,
    detail: {
      filePath: file,
      oldString,
      newString,
      structuredPatch: [],
      userModified: false,
      replaceAll: false,
    },
  }),
  write: (file, content, say = null) => ({
    say,
    name: 'Write',
    input: { file_path: file, content },
    result: `File created successfully at: ${file}`,
    detail: { type: 'create', filePath: file, content, structuredPatch: [], originalFile: null },
  }),
  bash: (command, description, result, say = null) => ({
    say,
    name: 'Bash',
    input: { command, description },
    result,
    seconds: 4,
  }),
  bashFails: (command, description, result, exitCode = 1, say = null) => ({
    say,
    name: 'Bash',
    input: { command, description },
    result: `Exit code ${exitCode}\n${result}`,
    failed: true,
    seconds: 6,
  }),
  grep: (pattern, files, say = null) => ({
    say,
    name: 'Grep',
    input: { pattern, output_mode: 'files_with_matches' },
    result: `Found ${files.length} files\n${files.join('\n')}`,
    detail: { mode: 'files_with_matches', filenames: files, numFiles: files.length },
  }),
};
