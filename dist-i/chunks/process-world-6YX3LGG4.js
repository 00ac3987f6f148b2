import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  now
} from "./chunk-2KWEB5KP.js";
import "./chunk-BELT5PH7.js";

// src/cli/process-world.ts
import { homedir } from "node:os";
import { createInterface } from "node:readline";
function processWorld() {
  return {
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    stdin: { isTerminal: process.stdin.isTTY === true, read: readStdin, readLine },
    environment: process.env,
    folder: process.cwd(),
    userHome: homedir(),
    now,
    open: async (options) => (await import("../index.js")).openAnnals(options),
    onInterrupt: listenForInterrupt
  };
}
function outputTo(stream) {
  let closed = false;
  stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
    closed = true;
    process.exit(0);
  });
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY === true ? stream.columns : null;
    },
    write: (text) => new Promise((resolve) => {
      if (closed || stream.write(text)) resolve();
      else stream.once("drain", () => resolve());
    })
  };
}
async function readStdin() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
function readLine() {
  const lines = createInterface({ input: process.stdin });
  return new Promise((resolve) => {
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    lines.once("close", () => resolve(""));
  });
}
function listenForInterrupt(listener) {
  let interrupts = 0;
  const onSignal = () => {
    interrupts += 1;
    if (interrupts > 1) process.exit(130);
    listener();
  };
  process.on("SIGINT", onSignal);
  return () => process.off("SIGINT", onSignal);
}
export {
  processWorld
};
//# sourceMappingURL=process-world-6YX3LGG4.js.map
