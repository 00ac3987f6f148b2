import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  isoTime,
  itemOf
} from "./chunk-244UEZ4Z.js";
import "./chunk-3Q575QWH.js";
import "./chunk-4WN6EROU.js";
import "./chunk-U2URHJCI.js";
import "./chunk-BELT5PH7.js";
export {
  isoTime,
  itemOf
};
//# sourceMappingURL=item-LJ456XQG.js.map
