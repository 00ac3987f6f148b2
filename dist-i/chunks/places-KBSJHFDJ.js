import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  tellPlaces
} from "./chunk-GDXS7J7H.js";
import "./chunk-OPKWVCNO.js";
import "./chunk-3Q575QWH.js";
import "./chunk-JGLDXPJ5.js";
import "./chunk-4WN6EROU.js";
import "./chunk-U2URHJCI.js";
import "./chunk-BELT5PH7.js";
export {
  tellPlaces
};
//# sourceMappingURL=places-KBSJHFDJ.js.map
