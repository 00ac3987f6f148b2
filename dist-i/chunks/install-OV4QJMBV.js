import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  agreed,
  command,
  expectClaudeCode,
  report,
  requestOf
} from "./chunk-SKMRBN7A.js";
import "./chunk-WA5ZKCLD.js";
import "./chunk-UUIGHUSM.js";
import "./chunk-JGLDXPJ5.js";
import "./chunk-XCJCHAAL.js";
import "./chunk-AMKOORB4.js";
import "./chunk-MP3YNJYS.js";
import "./chunk-2OYYQARY.js";
import "./chunk-4WN6EROU.js";
import "./chunk-U2URHJCI.js";
import "./chunk-GQYTMT3U.js";
import "./chunk-J4PDMW5Z.js";
import "./chunk-NDFEGYHO.js";
import "./chunk-BELT5PH7.js";
export {
  agreed,
  command,
  expectClaudeCode,
  report,
  requestOf
};
//# sourceMappingURL=install-OV4QJMBV.js.map
