import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  find,
  nameOf
} from "./chunk-DOAZHVTA.js";
import "./chunk-3Q575QWH.js";
import "./chunk-4WN6EROU.js";
import "./chunk-U2URHJCI.js";
import "./chunk-BELT5PH7.js";
export {
  find,
  nameOf
};
//# sourceMappingURL=find-5MSUNVAI.js.map
