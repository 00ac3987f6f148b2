import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  command,
  importPaths
} from "./chunk-SQI5ZWMB.js";
import "./chunk-FPUP7VSA.js";
import "./chunk-D3BEVKT5.js";
import "./chunk-AGD3NGDP.js";
import "./chunk-J4PDMW5Z.js";
import "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";
export {
  command,
  importPaths
};
//# sourceMappingURL=import-FUQBIZGH.js.map
