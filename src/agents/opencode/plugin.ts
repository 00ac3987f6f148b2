// The plugin that OpenCode loads: it has no other hooks. It runs inside the agent (in Bun), so it does as little as it
// can: it starts the capture script and waits for nothing but the context of a session, and that only for a short time.
// OpenCode awaits what the hooks return, except that of `event`, and what they throw reaches the agent: they throw
// nothing. What a payload means is decided by `read` (hooks.ts), so that an installed plugin need not change.
import { parseJson } from '../../../log/index.ts';

/** The capture script takes 2.5 s at most to answer. */
const CONTEXT_MS = 2_600;

export function pluginText(command: readonly string[]): string {
  return `// Annals: records what OpenCode does. Made by \`annals install\`; changes here are lost.
import { spawn } from 'node:child_process';

const capture = ${JSON.stringify(command)};
const contextMs = ${CONTEXT_MS};
${SOURCE}`;
}

/** The command in the text of a plugin. */
export function pluginCommand(text: string): readonly string[] | null {
  const parsed = parseJson(/^const capture = (.+);$/m.exec(text)?.[1] ?? '');
  if (!('value' in parsed) || !Array.isArray(parsed.value)) return null;
  return parsed.value.every((word) => typeof word === 'string') ? parsed.value : null;
}

// `opencode run` ends as soon as the agent rests, so a capture is started within the callback, and is detached. A session
// that is continued is not created: it is looked up when something is sent to it. What is older than a session was
// copied by a fork.
const SOURCE = `const lookUpMs = 1000;

export const Annals = async ({ client, directory }) => {
  const sessions = new Map();

  return {
    event: quiet(({ event: { type, properties } }) => {
      if (type === 'session.created') return begin(properties.info);
      if (type === 'message.updated') noteMessage(properties.info);
      if (type === 'message.part.updated') notePart(properties.part);
    }),

    'chat.message': quiet(async ({ sessionID }, { message, parts }) => {
      const session = sessions.get(sessionID) ?? (await lookUp(sessionID));
      const own = parts.filter((part) => !part.synthetic && ['text', 'subtask', 'file'].includes(part.type));
      if (!session?.context || own.length === 0) return;
      session.prompt = message.id;
      session.prompts.add(message.id);
      const sent = own.map(({ type, text, ignored, command, prompt, mime }) => ({
        ...{ type, text, ignored, mime },
        ...(type === 'subtask' ? { command, prompt } : {}),
      }));
      // The context tells what was done before, so it is made before this prompt is known.
      session.context.then(quiet(() => report(session, 'UserPromptSubmit', message.id, { parts: sent })));
    }),

    // Titles and summaries are made without the text about the environment.
    'experimental.chat.system.transform': quiet(async ({ sessionID }, { system }) => {
      const session = sessions.get(sessionID);
      if (!session?.context || !system.some((text) => text.includes('<env>'))) return;
      const context = await session.context;
      if (context) system.push(context);
    }),
  };

  function begin(info) {
    const since = info.time.created;
    if (!info.parentID || sessions.has(info.parentID)) return open(info, 'startup', since);
    return lookUp(info.id, since);
  }

  function open(info, source, since) {
    const known = sessions.get(info.id);
    if (known) return known;
    const session = { id: info.id, parent: knownMain(info.parentID), since, prompts: new Set() };
    sessions.set(info.id, session);
    if (!session.parent) session.context = within(contextMs, contextOf(session, source));
    return session;
  }

  /** Nothing is reported of a sub-agent whose main session cannot be found: that may have a private turn. */
  async function lookUp(id, since = Date.now()) {
    const found = await ask(id);
    const parentID = await mainOf(found?.parentID);
    if (!found || (found.parentID && !parentID)) return undefined;
    return open({ ...found, parentID }, 'resume', since);
  }

  async function ask(id) {
    const found = await within(lookUpMs, client.session.get({ path: { id } }));
    return found?.data?.id === id ? found.data : undefined;
  }

  /** A sub-agent may launch another: both belong to the session that a person talks to. */
  async function mainOf(parent) {
    if (!parent || sessions.has(parent)) return knownMain(parent);
    const found = await ask(parent);
    return found?.parentID ? mainOf(found.parentID) : found?.id;
  }

  function knownMain(parent) {
    return sessions.get(parent)?.parent ?? parent;
  }

  function noteMessage(info) {
    const session = sessions.get(info.sessionID);
    if (!session || info.role !== 'assistant') return;
    if (session.message?.id !== info.id) {
      const turn = session.prompts.has(info.parentID) ? info.parentID : (session.prompt ?? info.parentID);
      session.message = { id: info.id, turn, texts: new Map() };
    }
    const { completed } = info.time;
    const goesOn = !info.error && [undefined, 'tool-calls', 'unknown'].includes(info.finish);
    if (!completed || completed < session.since || goesOn || info.summary === true) return;
    if (session.stopped === info.id) return;
    session.stopped = info.id;
    report(session, 'Stop', session.message.turn, {
      agent_type: info.agent,
      last_assistant_message: [...session.message.texts.values()].join('\\n\\n'),
      error: info.error && { name: info.error.name, message: info.error.data?.message },
    });
  }

  function notePart(part) {
    const session = sessions.get(part.sessionID);
    if (!session) return;
    const message = session.message?.id === part.messageID ? session.message : undefined;
    if (part.type === 'text' && part.time?.end && !part.synthetic) message?.texts.set(part.id, part.text);
    if (part.type !== 'tool' || !['completed', 'error'].includes(part.state.status)) return;
    const { status, input, output, error, time, metadata = {} } = part.state;
    // The output of an old call was removed from the conversation.
    if (time.end < session.since || time.compacted) return;
    const { exit, sessionId } = metadata;
    report(session, 'PostToolUse', message?.turn ?? session.prompt, {
      tool_name: part.tool,
      call_id: part.callID,
      state: { status, input, output, error, time, metadata: { exit, sessionId } },
    });
  }

  function report(session, event, turn, fields) {
    start([], payloadOf(session, event, { ...(session.parent ? {} : { prompt_id: turn }), ...fields }));
  }

  function payloadOf({ id, parent }, event, fields) {
    const ids = parent ? { session_id: parent, agent_id: id } : { session_id: id };
    return { hook_event_name: event, ...ids, cwd: directory, ...fields };
  }

  async function contextOf(session, source) {
    const child = start(['session-start'], payloadOf(session, 'SessionStart', { source }));
    let answer = '';
    for await (const text of child.stdout.setEncoding('utf8')) answer += text;
    return JSON.parse(answer).hookSpecificOutput.additionalContext;
  }
};

function start(words, payload) {
  const [program, ...before] = capture;
  const output = words.length === 0 ? 'ignore' : 'pipe';
  const options = { detached: true, windowsHide: true, stdio: ['pipe', output, 'ignore'] };
  const child = spawn(program, [...before, ...words], options);
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(payload));
  child.unref();
  return child;
}

/** What a promise becomes within a time; undefined if it is late or fails. */
function within(ms, promise) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    promise.then(resolve, () => resolve()).finally(() => clearTimeout(timer));
  });
}

/** A hook that throws nothing. */
function quiet(hook) {
  return async (...words) => {
    try {
      await hook(...words);
    } catch {}
  };
}
`;
