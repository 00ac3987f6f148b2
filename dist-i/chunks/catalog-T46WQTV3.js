import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  CATALOG
} from "./chunk-TYXJTTDK.js";
import "./chunk-YLAJVCKN.js";
import "./chunk-BELT5PH7.js";
export {
  CATALOG
};
//# sourceMappingURL=catalog-T46WQTV3.js.map
