import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  placeFiles,
  seePlace
} from "./chunk-OPKWVCNO.js";
import {
  canonicalJson,
  key
} from "./chunk-3Q575QWH.js";
import {
  loadCatalog
} from "./chunk-4WN6EROU.js";

// src/operations/places.ts
import { createHash } from "node:crypto";
async function tellPlaces(cwds, { log, runner, views, now }) {
  const looks = [...new Set(cwds)].map((cwd) => seePlace(cwd, placeFiles)).filter((look) => look !== null);
  if (looks.length === 0) return;
  await runner.catchUp();
  const { body: schema } = (await loadCatalog())["place.seen"];
  for (const look of looks) {
    const body = schema.parse(look);
    const last = await views.projects.get(key("seen", body.cwd));
    const seen = canonicalJson(body);
    if (last !== void 0 && canonicalJson(last.body) === seen) continue;
    const fact = createHash("sha256").update(`${last?.id ?? ""}
${seen}`).digest("hex").slice(0, 32);
    await log.append([
      { type: "place.seen", agent: "annals", session: null, fact, witness: "cli", occurredAt: now(), body }
    ]);
  }
}

export {
  tellPlaces
};
//# sourceMappingURL=chunk-GDXS7J7H.js.map
