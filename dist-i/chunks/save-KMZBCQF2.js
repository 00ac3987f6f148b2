import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  collect
} from "./chunk-33OXRW3Y.js";
import "./chunk-4WN6EROU.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";
import {
  defineCommand
} from "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";

// src/cli/commands/save.ts
var command = defineCommand({
  description: "Keeps something in your own words. The text comes from --text or from standard input. When the command returns, it is on disk and can be found. Secrets and <private> text are taken out first.",
  shape: (command2) => command2.requiredOption("--title <title>", "what it is, in one line").option("--text <text>", "the text itself (default: standard input)").option("--type <type>", "what kind of thing: decision, lesson, todo, or a word of your own").option("--project <name>", "the project it belongs to (default: this folder's)").option("--session <id>", "the session it belongs to").option("--file <path>", "a file it is about; may be given several times", collect).option("--concept <word>", "a word to find it by; may be given several times", collect),
  examples: [
    [
      'save --title "Feeding times are UTC" --type decision --text "Local time broke on 29 March."',
      "a decision"
    ],
    ['save --title "How to deploy" --file deploy.sh < notes.txt', "a longer text"],
    ['save --json --title "Build 512" --project birdfeeder < report.txt', 'from a script: prints {"id":\u2026}']
  ],
  async run(session, options) {
    const { terminal, world, json, name } = session;
    const { title, type, project, session: sessionId, file, concept } = options;
    if (options.text === void 0 && world.stdin.isTerminal)
      terminal.note("Type the text; end with Ctrl-D on an empty line.");
    const text = (options.text ?? await world.stdin.read()).trim();
    if (title.trim() === "") throw new AnnalsError("USAGE", "The title is empty.");
    if (text === "")
      throw new AnnalsError("USAGE", "There is no text: standard input is empty and --text is not given.", {
        hint: `For example: echo "the text" | ${name} save --title "the title"`
      });
    const { id } = await (await session.annals()).save({
      title,
      text,
      cwd: world.folder,
      ...type === void 0 ? {} : { type },
      ...project === void 0 ? {} : { project },
      ...sessionId === void 0 ? {} : { session: sessionId },
      ...file === void 0 ? {} : { files: file },
      ...concept === void 0 ? {} : { concepts: concept }
    });
    if (json) return terminal.json({ id });
    await terminal.line(`Saved as ${terminal.style.bold(id)}.`);
    terminal.tip(`${name} show ${id} opens it`);
  }
});
export {
  command
};
//# sourceMappingURL=save-KMZBCQF2.js.map
