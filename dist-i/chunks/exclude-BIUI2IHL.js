import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  exclusionPatterns,
  isExcluded
} from "./chunk-F6IYDGGW.js";
import "./chunk-BELT5PH7.js";
export {
  exclusionPatterns,
  isExcluded
};
//# sourceMappingURL=exclude-BIUI2IHL.js.map
