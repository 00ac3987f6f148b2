import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  CONTEXT_OCCASIONS
} from "./chunk-IWVMYO6Y.js";
import {
  homePath
} from "./chunk-AMKOORB4.js";
import {
  randomBytes
} from "./chunk-MP3YNJYS.js";
import {
  spoolFolders
} from "./chunk-2OYYQARY.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";

// src/cli/commands/hook.ts
import { uptime } from "node:os";
import { resolve } from "node:path";

// src/capture/spool/write.ts
import { lstatSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
function writeToSpool({ home, agent, payload, uptime: uptime2, processId, random }) {
  const folders = spoolFolders(home);
  for (const folder of [home, join(home, "spool"), folders.tmp, folders.new]) {
    mkdirSync(folder, { recursive: true, mode: 448 });
    if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is a link`);
  }
  const time = String(Math.floor(uptime2) % 1e10).padStart(10, "0");
  const name = `${agent}-${time}-${String(processId).padStart(7, "0")}-${random}-0`;
  writeFileSync(join(folders.tmp, name), payload, { flag: "wx", mode: 384 });
  renameSync(join(folders.tmp, name), join(folders.new, name));
  return name;
}

// src/cli/commands/hook.ts
var LOCK_WAIT_MS = 500;
var SESSION_START_MS = 2500;
var MESSAGE_WIDTH = 96;
var MESSAGE_CHARS_MAX = 9e3;
var command = defineCommand({
  description: "Called by hooks, not by people. Reads what the agent says from standard input and leaves it in the spool; `session-start` takes the spool into the log instead. Always ends with exit code 0.",
  shape: (command2) => command2.argument("[agent]", "claude-code").argument("[event]", "session-start").allowUnknownOption().allowExcessArguments(),
  examples: [["hook claude-code < payload.json", "what the capture script does, on Windows"]],
  async run(session, options, [agent = "", event]) {
    if (session.world.environment.ANNALS_INTERNAL !== void 0) return;
    try {
      if (event === "session-start") await startSession(session);
      else await capture(session, agent, options.home);
    } catch {
    }
  }
});
async function capture({ world }, agent, home) {
  if (!/^[a-z0-9-]{1,40}$/.test(agent)) return;
  const payload = await world.stdin.read();
  writeToSpool({
    home: home === void 0 ? homePath(world.environment, world.userHome) : resolve(world.folder, home),
    agent,
    payload,
    uptime: uptime() * 100,
    processId: process.pid,
    random: Buffer.from(randomBytes(4)).toString("hex")
  });
}
async function startSession(session) {
  const limit = setTimeout(() => process.exit(0), SESSION_START_MS);
  try {
    const { cwd, kind, id } = startOf(await session.world.stdin.read(), session.world.folder);
    const annals = await session.annals({ lockTimeoutMs: LOCK_WAIT_MS });
    const asked = { cwd, kind, ...id === null ? {} : { session: id } };
    const { text } = await annals.context({ ...asked, form: "agent" });
    if (text === "") return;
    const person = await annals.context({ ...asked, form: "person", width: MESSAGE_WIDTH, color: true });
    const output = {
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text },
      ...person.text === "" ? {} : { systemMessage: clippedMessage(person.text) }
    };
    await session.world.stdout.write(`${JSON.stringify(output)}
`);
  } finally {
    clearTimeout(limit);
  }
}
function startOf(payload, folder) {
  let said;
  try {
    said = JSON.parse(payload);
  } catch {
    said = null;
  }
  const {
    cwd,
    source,
    session_id: id
  } = typeof said === "object" && said !== null ? said : {};
  return {
    cwd: typeof cwd === "string" && cwd !== "" ? cwd : folder,
    kind: CONTEXT_OCCASIONS.find((occasion) => occasion === source) ?? "startup",
    id: typeof id === "string" && id !== "" ? id : null
  };
}
function clippedMessage(text) {
  if (text.length <= MESSAGE_CHARS_MAX) return text;
  return `${text.slice(0, text.lastIndexOf("\n", MESSAGE_CHARS_MAX))}
`;
}
export {
  command
};
//# sourceMappingURL=hook-BUWBMUBL.js.map
