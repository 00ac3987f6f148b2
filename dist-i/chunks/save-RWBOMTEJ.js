import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  tellPlaces
} from "./chunk-GDXS7J7H.js";
import "./chunk-OPKWVCNO.js";
import {
  savedId
} from "./chunk-3Q575QWH.js";
import {
  array,
  json,
  number,
  strictObject,
  string
} from "./chunk-YLAJVCKN.js";
import {
  sanitizeText,
  sanitizeValue
} from "./chunk-JGLDXPJ5.js";
import "./chunk-4WN6EROU.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";
import "./chunk-BELT5PH7.js";

// src/operations/save.ts
var TEXT_BYTES_MAX = 256 * 1024;
var TITLE_CHARS_MAX = 500;
var LIST_MAX = 200;
var TYPE_DEFAULT = "change";
var saveInput = strictObject({
  title: string().trim().min(1).max(TITLE_CHARS_MAX),
  text: string(),
  type: string().trim().min(1).max(64).optional(),
  project: string().trim().min(1).max(500).optional(),
  session: string().trim().min(1).max(500).optional(),
  files: array(string()).max(LIST_MAX).optional(),
  concepts: array(string()).max(LIST_MAX).optional(),
  metadata: json().optional(),
  at: number().int().optional(),
  cwd: string().optional()
});
async function save(memories, opened, randomBytes) {
  const several = Array.isArray(memories);
  const all = several ? memories : [memories];
  const tellings = saveTellings(all, { now: opened.now, randomBytes });
  await opened.log.append(tellings);
  await tellPlaces(
    tellings.flatMap(({ body }) => body.cwd ?? []),
    opened
  );
  const saved = tellings.map((telling) => ({ id: savedId(telling) }));
  return several ? saved : saved[0];
}
function saveTellings(memories, world) {
  return memories.map((memory, index) => saveTelling(checked(memory, index, memories.length), index, world));
}
function checked(memory, index, of) {
  const parsed = saveInput.safeParse(memory);
  const which = of === 1 ? "The memory" : `Memory ${index + 1} of ${of}`;
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue.path.join(".") || "the memory itself";
    throw new AnnalsError("INPUT_INVALID", `${which} was not saved: ${field}: ${issue.message}.`, {
      hint: "A memory needs a title and a text; see `annals save --help`.",
      facts: { field, index }
    });
  }
  const bytes = Buffer.byteLength(parsed.data.text);
  if (bytes > TEXT_BYTES_MAX) {
    throw new AnnalsError(
      "INPUT_INVALID",
      `${which} was not saved: its text has ${bytes} bytes, at most ${TEXT_BYTES_MAX} are kept.`,
      {
        hint: "Save what is worth remembering of it, or name the file.",
        facts: { bytes, bytesMax: TEXT_BYTES_MAX }
      }
    );
  }
  return parsed.data;
}
function saveTelling(memory, index, world) {
  const clean = (text2) => sanitizeText(text2, { author: "person", clipBytes: TEXT_BYTES_MAX }).trim();
  const title = clean(memory.title);
  const text = clean(memory.text);
  return {
    type: "memory.saved",
    agent: "annals",
    session: memory.session === void 0 ? null : clean(memory.session),
    fact: Buffer.from(world.randomBytes(16)).toString("hex"),
    witness: "api",
    occurredAt: memory.at ?? world.now(),
    body: {
      title: title === "" ? "[private]" : title,
      text,
      type: memory.type === void 0 ? TYPE_DEFAULT : clean(memory.type),
      project: memory.project === void 0 ? null : clean(memory.project),
      cwd: memory.cwd === void 0 ? null : clean(memory.cwd),
      files: (memory.files ?? []).map(clean),
      concepts: (memory.concepts ?? []).map(clean),
      metadata: memory.metadata === void 0 ? null : sanitizeValue(memory.metadata, { author: "person", clipBytes: TEXT_BYTES_MAX }),
      author: "user",
      index
    }
  };
}
export {
  save
};
//# sourceMappingURL=save-RWBOMTEJ.js.map
