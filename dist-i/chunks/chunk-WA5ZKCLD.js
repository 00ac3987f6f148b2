import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  objectOf,
  stringOf
} from "./chunk-UUIGHUSM.js";
import {
  randomBytes
} from "./chunk-MP3YNJYS.js";
import {
  spoolFolders,
  syncFolder
} from "./chunk-2OYYQARY.js";
import {
  AnnalsError
} from "./chunk-U2URHJCI.js";

// src/install/claude-code.ts
import { chmod, mkdir as mkdir2, rename as rename2, rm as rm2, rmdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname as dirname2, join as join2, resolve } from "node:path";

// src/capture/hook-script/script.ts
import { join } from "node:path";
function scriptPath(home) {
  return join(home, "bin", "capture");
}
function captureScript(home) {
  return `#!/bin/sh
[ -n "\${ANNALS_INTERNAL+set}" ] && exit 0
# Annals: keeps what a hook is told for the next reader. Made by \`annals install\`; changes here are lost.
umask 077
h=${shellQuote(home)}
s=$h/spool
{
	for d in "$h" "$s" "$s/tmp" "$s/new"; do
		[ -d "$d" ] || mkdir "$d"
		[ -O "$d" ] && [ ! -L "$d" ] || exit 0
	done
	case \${1-} in '' | *[!a-z0-9-]*) a=unknown ;; *) a=$1 ;; esac
	t=0.0
	[ -r /proc/uptime ] && read -r t _ </proc/uptime
	t=00000000\${t%.*}\${t#*.}
	p=000000$$
	n=$a-\${t#"\${t%??????????}"}-\${p#"\${p%???????}"}-\${RANDOM-0}
	i=0
	while [ -e "$s/tmp/$n-$i" ] || [ -e "$s/new/$n-$i" ]; do i=$((i + 1)); done
	n=$n-$i
	set -C
	cat >"$s/tmp/$n" && mv -f "$s/tmp/$n" "$s/new/$n"
} 2>/dev/null
exit 0
`;
}
function captureCommand(home, agent) {
  const script = shellQuote(scriptPath(home));
  return `[ -x ${script} ] && exec ${script} ${agent}; exit 0`;
}
function sessionStartCommand(home, agent, { node, cli }) {
  const call = [node, cli, "--home", home].map(shellQuote).join(" ");
  return `[ -x ${shellQuote(node)} ] && ${call} hook ${agent} session-start 2>/dev/null; exit 0`;
}
function shellQuote(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

// ../../main/node_modules/jsonc-parser/lib/esm/impl/scanner.js
function createScanner(text, ignoreTrivia = false) {
  const len = text.length;
  let pos = 0, value = "", tokenOffset = 0, token = 16, lineNumber = 0, lineStartOffset = 0, tokenLineStartOffset = 0, prevTokenLineStartOffset = 0, scanError = 0;
  function scanHexDigits(count, exact) {
    let digits = 0;
    let value2 = 0;
    while (digits < count || !exact) {
      let ch = text.charCodeAt(pos);
      if (ch >= 48 && ch <= 57) {
        value2 = value2 * 16 + ch - 48;
      } else if (ch >= 65 && ch <= 70) {
        value2 = value2 * 16 + ch - 65 + 10;
      } else if (ch >= 97 && ch <= 102) {
        value2 = value2 * 16 + ch - 97 + 10;
      } else {
        break;
      }
      pos++;
      digits++;
    }
    if (digits < count) {
      value2 = -1;
    }
    return value2;
  }
  function setPosition(newPosition) {
    pos = newPosition;
    value = "";
    tokenOffset = 0;
    token = 16;
    scanError = 0;
  }
  function scanNumber() {
    let start = pos;
    if (text.charCodeAt(pos) === 48) {
      pos++;
    } else {
      pos++;
      while (pos < text.length && isDigit(text.charCodeAt(pos))) {
        pos++;
      }
    }
    if (pos < text.length && text.charCodeAt(pos) === 46) {
      pos++;
      if (pos < text.length && isDigit(text.charCodeAt(pos))) {
        pos++;
        while (pos < text.length && isDigit(text.charCodeAt(pos))) {
          pos++;
        }
      } else {
        scanError = 3;
        return text.substring(start, pos);
      }
    }
    let end = pos;
    if (pos < text.length && (text.charCodeAt(pos) === 69 || text.charCodeAt(pos) === 101)) {
      pos++;
      if (pos < text.length && text.charCodeAt(pos) === 43 || text.charCodeAt(pos) === 45) {
        pos++;
      }
      if (pos < text.length && isDigit(text.charCodeAt(pos))) {
        pos++;
        while (pos < text.length && isDigit(text.charCodeAt(pos))) {
          pos++;
        }
        end = pos;
      } else {
        scanError = 3;
      }
    }
    return text.substring(start, end);
  }
  function scanString() {
    let result = "", start = pos;
    while (true) {
      if (pos >= len) {
        result += text.substring(start, pos);
        scanError = 2;
        break;
      }
      const ch = text.charCodeAt(pos);
      if (ch === 34) {
        result += text.substring(start, pos);
        pos++;
        break;
      }
      if (ch === 92) {
        result += text.substring(start, pos);
        pos++;
        if (pos >= len) {
          scanError = 2;
          break;
        }
        const ch2 = text.charCodeAt(pos++);
        switch (ch2) {
          case 34:
            result += '"';
            break;
          case 92:
            result += "\\";
            break;
          case 47:
            result += "/";
            break;
          case 98:
            result += "\b";
            break;
          case 102:
            result += "\f";
            break;
          case 110:
            result += "\n";
            break;
          case 114:
            result += "\r";
            break;
          case 116:
            result += "	";
            break;
          case 117:
            const ch3 = scanHexDigits(4, true);
            if (ch3 >= 0) {
              result += String.fromCharCode(ch3);
            } else {
              scanError = 4;
            }
            break;
          default:
            scanError = 5;
        }
        start = pos;
        continue;
      }
      if (ch >= 0 && ch <= 31) {
        if (isLineBreak(ch)) {
          result += text.substring(start, pos);
          scanError = 2;
          break;
        } else {
          scanError = 6;
        }
      }
      pos++;
    }
    return result;
  }
  function scanNext() {
    value = "";
    scanError = 0;
    tokenOffset = pos;
    lineStartOffset = lineNumber;
    prevTokenLineStartOffset = tokenLineStartOffset;
    if (pos >= len) {
      tokenOffset = len;
      return token = 17;
    }
    let code = text.charCodeAt(pos);
    if (isWhiteSpace(code)) {
      do {
        pos++;
        value += String.fromCharCode(code);
        code = text.charCodeAt(pos);
      } while (isWhiteSpace(code));
      return token = 15;
    }
    if (isLineBreak(code)) {
      pos++;
      value += String.fromCharCode(code);
      if (code === 13 && text.charCodeAt(pos) === 10) {
        pos++;
        value += "\n";
      }
      lineNumber++;
      tokenLineStartOffset = pos;
      return token = 14;
    }
    switch (code) {
      // tokens: []{}:,
      case 123:
        pos++;
        return token = 1;
      case 125:
        pos++;
        return token = 2;
      case 91:
        pos++;
        return token = 3;
      case 93:
        pos++;
        return token = 4;
      case 58:
        pos++;
        return token = 6;
      case 44:
        pos++;
        return token = 5;
      // strings
      case 34:
        pos++;
        value = scanString();
        return token = 10;
      // comments
      case 47:
        const start = pos - 1;
        if (text.charCodeAt(pos + 1) === 47) {
          pos += 2;
          while (pos < len) {
            if (isLineBreak(text.charCodeAt(pos))) {
              break;
            }
            pos++;
          }
          value = text.substring(start, pos);
          return token = 12;
        }
        if (text.charCodeAt(pos + 1) === 42) {
          pos += 2;
          const safeLength = len - 1;
          let commentClosed = false;
          while (pos < safeLength) {
            const ch = text.charCodeAt(pos);
            if (ch === 42 && text.charCodeAt(pos + 1) === 47) {
              pos += 2;
              commentClosed = true;
              break;
            }
            pos++;
            if (isLineBreak(ch)) {
              if (ch === 13 && text.charCodeAt(pos) === 10) {
                pos++;
              }
              lineNumber++;
              tokenLineStartOffset = pos;
            }
          }
          if (!commentClosed) {
            pos++;
            scanError = 1;
          }
          value = text.substring(start, pos);
          return token = 13;
        }
        value += String.fromCharCode(code);
        pos++;
        return token = 16;
      // numbers
      case 45:
        value += String.fromCharCode(code);
        pos++;
        if (pos === len || !isDigit(text.charCodeAt(pos))) {
          return token = 16;
        }
      // found a minus, followed by a number so
      // we fall through to proceed with scanning
      // numbers
      case 48:
      case 49:
      case 50:
      case 51:
      case 52:
      case 53:
      case 54:
      case 55:
      case 56:
      case 57:
        value += scanNumber();
        return token = 11;
      // literals and unknown symbols
      default:
        while (pos < len && isUnknownContentCharacter(code)) {
          pos++;
          code = text.charCodeAt(pos);
        }
        if (tokenOffset !== pos) {
          value = text.substring(tokenOffset, pos);
          switch (value) {
            case "true":
              return token = 8;
            case "false":
              return token = 9;
            case "null":
              return token = 7;
          }
          return token = 16;
        }
        value += String.fromCharCode(code);
        pos++;
        return token = 16;
    }
  }
  function isUnknownContentCharacter(code) {
    if (isWhiteSpace(code) || isLineBreak(code)) {
      return false;
    }
    switch (code) {
      case 125:
      case 93:
      case 123:
      case 91:
      case 34:
      case 58:
      case 44:
      case 47:
        return false;
    }
    return true;
  }
  function scanNextNonTrivia() {
    let result;
    do {
      result = scanNext();
    } while (result >= 12 && result <= 15);
    return result;
  }
  return {
    setPosition,
    getPosition: () => pos,
    scan: ignoreTrivia ? scanNextNonTrivia : scanNext,
    getToken: () => token,
    getTokenValue: () => value,
    getTokenOffset: () => tokenOffset,
    getTokenLength: () => pos - tokenOffset,
    getTokenStartLine: () => lineStartOffset,
    getTokenStartCharacter: () => tokenOffset - prevTokenLineStartOffset,
    getTokenError: () => scanError
  };
}
function isWhiteSpace(ch) {
  return ch === 32 || ch === 9;
}
function isLineBreak(ch) {
  return ch === 10 || ch === 13;
}
function isDigit(ch) {
  return ch >= 48 && ch <= 57;
}
var CharacterCodes;
(function(CharacterCodes2) {
  CharacterCodes2[CharacterCodes2["lineFeed"] = 10] = "lineFeed";
  CharacterCodes2[CharacterCodes2["carriageReturn"] = 13] = "carriageReturn";
  CharacterCodes2[CharacterCodes2["space"] = 32] = "space";
  CharacterCodes2[CharacterCodes2["_0"] = 48] = "_0";
  CharacterCodes2[CharacterCodes2["_1"] = 49] = "_1";
  CharacterCodes2[CharacterCodes2["_2"] = 50] = "_2";
  CharacterCodes2[CharacterCodes2["_3"] = 51] = "_3";
  CharacterCodes2[CharacterCodes2["_4"] = 52] = "_4";
  CharacterCodes2[CharacterCodes2["_5"] = 53] = "_5";
  CharacterCodes2[CharacterCodes2["_6"] = 54] = "_6";
  CharacterCodes2[CharacterCodes2["_7"] = 55] = "_7";
  CharacterCodes2[CharacterCodes2["_8"] = 56] = "_8";
  CharacterCodes2[CharacterCodes2["_9"] = 57] = "_9";
  CharacterCodes2[CharacterCodes2["a"] = 97] = "a";
  CharacterCodes2[CharacterCodes2["b"] = 98] = "b";
  CharacterCodes2[CharacterCodes2["c"] = 99] = "c";
  CharacterCodes2[CharacterCodes2["d"] = 100] = "d";
  CharacterCodes2[CharacterCodes2["e"] = 101] = "e";
  CharacterCodes2[CharacterCodes2["f"] = 102] = "f";
  CharacterCodes2[CharacterCodes2["g"] = 103] = "g";
  CharacterCodes2[CharacterCodes2["h"] = 104] = "h";
  CharacterCodes2[CharacterCodes2["i"] = 105] = "i";
  CharacterCodes2[CharacterCodes2["j"] = 106] = "j";
  CharacterCodes2[CharacterCodes2["k"] = 107] = "k";
  CharacterCodes2[CharacterCodes2["l"] = 108] = "l";
  CharacterCodes2[CharacterCodes2["m"] = 109] = "m";
  CharacterCodes2[CharacterCodes2["n"] = 110] = "n";
  CharacterCodes2[CharacterCodes2["o"] = 111] = "o";
  CharacterCodes2[CharacterCodes2["p"] = 112] = "p";
  CharacterCodes2[CharacterCodes2["q"] = 113] = "q";
  CharacterCodes2[CharacterCodes2["r"] = 114] = "r";
  CharacterCodes2[CharacterCodes2["s"] = 115] = "s";
  CharacterCodes2[CharacterCodes2["t"] = 116] = "t";
  CharacterCodes2[CharacterCodes2["u"] = 117] = "u";
  CharacterCodes2[CharacterCodes2["v"] = 118] = "v";
  CharacterCodes2[CharacterCodes2["w"] = 119] = "w";
  CharacterCodes2[CharacterCodes2["x"] = 120] = "x";
  CharacterCodes2[CharacterCodes2["y"] = 121] = "y";
  CharacterCodes2[CharacterCodes2["z"] = 122] = "z";
  CharacterCodes2[CharacterCodes2["A"] = 65] = "A";
  CharacterCodes2[CharacterCodes2["B"] = 66] = "B";
  CharacterCodes2[CharacterCodes2["C"] = 67] = "C";
  CharacterCodes2[CharacterCodes2["D"] = 68] = "D";
  CharacterCodes2[CharacterCodes2["E"] = 69] = "E";
  CharacterCodes2[CharacterCodes2["F"] = 70] = "F";
  CharacterCodes2[CharacterCodes2["G"] = 71] = "G";
  CharacterCodes2[CharacterCodes2["H"] = 72] = "H";
  CharacterCodes2[CharacterCodes2["I"] = 73] = "I";
  CharacterCodes2[CharacterCodes2["J"] = 74] = "J";
  CharacterCodes2[CharacterCodes2["K"] = 75] = "K";
  CharacterCodes2[CharacterCodes2["L"] = 76] = "L";
  CharacterCodes2[CharacterCodes2["M"] = 77] = "M";
  CharacterCodes2[CharacterCodes2["N"] = 78] = "N";
  CharacterCodes2[CharacterCodes2["O"] = 79] = "O";
  CharacterCodes2[CharacterCodes2["P"] = 80] = "P";
  CharacterCodes2[CharacterCodes2["Q"] = 81] = "Q";
  CharacterCodes2[CharacterCodes2["R"] = 82] = "R";
  CharacterCodes2[CharacterCodes2["S"] = 83] = "S";
  CharacterCodes2[CharacterCodes2["T"] = 84] = "T";
  CharacterCodes2[CharacterCodes2["U"] = 85] = "U";
  CharacterCodes2[CharacterCodes2["V"] = 86] = "V";
  CharacterCodes2[CharacterCodes2["W"] = 87] = "W";
  CharacterCodes2[CharacterCodes2["X"] = 88] = "X";
  CharacterCodes2[CharacterCodes2["Y"] = 89] = "Y";
  CharacterCodes2[CharacterCodes2["Z"] = 90] = "Z";
  CharacterCodes2[CharacterCodes2["asterisk"] = 42] = "asterisk";
  CharacterCodes2[CharacterCodes2["backslash"] = 92] = "backslash";
  CharacterCodes2[CharacterCodes2["closeBrace"] = 125] = "closeBrace";
  CharacterCodes2[CharacterCodes2["closeBracket"] = 93] = "closeBracket";
  CharacterCodes2[CharacterCodes2["colon"] = 58] = "colon";
  CharacterCodes2[CharacterCodes2["comma"] = 44] = "comma";
  CharacterCodes2[CharacterCodes2["dot"] = 46] = "dot";
  CharacterCodes2[CharacterCodes2["doubleQuote"] = 34] = "doubleQuote";
  CharacterCodes2[CharacterCodes2["minus"] = 45] = "minus";
  CharacterCodes2[CharacterCodes2["openBrace"] = 123] = "openBrace";
  CharacterCodes2[CharacterCodes2["openBracket"] = 91] = "openBracket";
  CharacterCodes2[CharacterCodes2["plus"] = 43] = "plus";
  CharacterCodes2[CharacterCodes2["slash"] = 47] = "slash";
  CharacterCodes2[CharacterCodes2["formFeed"] = 12] = "formFeed";
  CharacterCodes2[CharacterCodes2["tab"] = 9] = "tab";
})(CharacterCodes || (CharacterCodes = {}));

// ../../main/node_modules/jsonc-parser/lib/esm/impl/string-intern.js
var cachedSpaces = new Array(20).fill(0).map((_, index) => {
  return " ".repeat(index);
});
var maxCachedValues = 200;
var cachedBreakLinesWithSpaces = {
  " ": {
    "\n": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\n" + " ".repeat(index);
    }),
    "\r": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\r" + " ".repeat(index);
    }),
    "\r\n": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\r\n" + " ".repeat(index);
    })
  },
  "	": {
    "\n": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\n" + "	".repeat(index);
    }),
    "\r": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\r" + "	".repeat(index);
    }),
    "\r\n": new Array(maxCachedValues).fill(0).map((_, index) => {
      return "\r\n" + "	".repeat(index);
    })
  }
};

// ../../main/node_modules/jsonc-parser/lib/esm/impl/parser.js
var ParseOptions;
(function(ParseOptions2) {
  ParseOptions2.DEFAULT = {
    allowTrailingComma: false
  };
})(ParseOptions || (ParseOptions = {}));
function parse(text, errors = [], options = ParseOptions.DEFAULT) {
  let currentProperty = null;
  let currentParent = [];
  const previousParents = [];
  function onValue(value) {
    if (Array.isArray(currentParent)) {
      currentParent.push(value);
    } else if (currentProperty !== null) {
      currentParent[currentProperty] = value;
    }
  }
  const visitor = {
    onObjectBegin: () => {
      const object = {};
      onValue(object);
      previousParents.push(currentParent);
      currentParent = object;
      currentProperty = null;
    },
    onObjectProperty: (name) => {
      currentProperty = name;
    },
    onObjectEnd: () => {
      currentParent = previousParents.pop();
    },
    onArrayBegin: () => {
      const array = [];
      onValue(array);
      previousParents.push(currentParent);
      currentParent = array;
      currentProperty = null;
    },
    onArrayEnd: () => {
      currentParent = previousParents.pop();
    },
    onLiteralValue: onValue,
    onError: (error, offset, length) => {
      errors.push({ error, offset, length });
    }
  };
  visit(text, visitor, options);
  return currentParent[0];
}
function parseTree(text, errors = [], options = ParseOptions.DEFAULT) {
  let currentParent = { type: "array", offset: -1, length: -1, children: [], parent: void 0 };
  function ensurePropertyComplete(endOffset) {
    if (currentParent.type === "property") {
      currentParent.length = endOffset - currentParent.offset;
      currentParent = currentParent.parent;
    }
  }
  function onValue(valueNode) {
    currentParent.children.push(valueNode);
    return valueNode;
  }
  const visitor = {
    onObjectBegin: (offset) => {
      currentParent = onValue({ type: "object", offset, length: -1, parent: currentParent, children: [] });
    },
    onObjectProperty: (name, offset, length) => {
      currentParent = onValue({ type: "property", offset, length: -1, parent: currentParent, children: [] });
      currentParent.children.push({ type: "string", value: name, offset, length, parent: currentParent });
    },
    onObjectEnd: (offset, length) => {
      ensurePropertyComplete(offset + length);
      currentParent.length = offset + length - currentParent.offset;
      currentParent = currentParent.parent;
      ensurePropertyComplete(offset + length);
    },
    onArrayBegin: (offset, length) => {
      currentParent = onValue({ type: "array", offset, length: -1, parent: currentParent, children: [] });
    },
    onArrayEnd: (offset, length) => {
      currentParent.length = offset + length - currentParent.offset;
      currentParent = currentParent.parent;
      ensurePropertyComplete(offset + length);
    },
    onLiteralValue: (value, offset, length) => {
      onValue({ type: getNodeType(value), offset, length, parent: currentParent, value });
      ensurePropertyComplete(offset + length);
    },
    onSeparator: (sep, offset, length) => {
      if (currentParent.type === "property") {
        if (sep === ":") {
          currentParent.colonOffset = offset;
        } else if (sep === ",") {
          ensurePropertyComplete(offset);
        }
      }
    },
    onError: (error, offset, length) => {
      errors.push({ error, offset, length });
    }
  };
  visit(text, visitor, options);
  const result = currentParent.children[0];
  if (result) {
    delete result.parent;
  }
  return result;
}
function findNodeAtLocation(root, path) {
  if (!root) {
    return void 0;
  }
  let node = root;
  for (let segment of path) {
    if (typeof segment === "string") {
      if (node.type !== "object" || !Array.isArray(node.children)) {
        return void 0;
      }
      let found = false;
      for (const propertyNode of node.children) {
        if (Array.isArray(propertyNode.children) && propertyNode.children[0].value === segment && propertyNode.children.length === 2) {
          node = propertyNode.children[1];
          found = true;
          break;
        }
      }
      if (!found) {
        return void 0;
      }
    } else {
      const index = segment;
      if (node.type !== "array" || index < 0 || !Array.isArray(node.children) || index >= node.children.length) {
        return void 0;
      }
      node = node.children[index];
    }
  }
  return node;
}
function visit(text, visitor, options = ParseOptions.DEFAULT) {
  const _scanner = createScanner(text, false);
  const _jsonPath = [];
  let suppressedCallbacks = 0;
  function toNoArgVisit(visitFunction) {
    return visitFunction ? () => suppressedCallbacks === 0 && visitFunction(_scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter()) : () => true;
  }
  function toOneArgVisit(visitFunction) {
    return visitFunction ? (arg) => suppressedCallbacks === 0 && visitFunction(arg, _scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter()) : () => true;
  }
  function toOneArgVisitWithPath(visitFunction) {
    return visitFunction ? (arg) => suppressedCallbacks === 0 && visitFunction(arg, _scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter(), () => _jsonPath.slice()) : () => true;
  }
  function toBeginVisit(visitFunction) {
    return visitFunction ? () => {
      if (suppressedCallbacks > 0) {
        suppressedCallbacks++;
      } else {
        let cbReturn = visitFunction(_scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter(), () => _jsonPath.slice());
        if (cbReturn === false) {
          suppressedCallbacks = 1;
        }
      }
    } : () => true;
  }
  function toEndVisit(visitFunction) {
    return visitFunction ? () => {
      if (suppressedCallbacks > 0) {
        suppressedCallbacks--;
      }
      if (suppressedCallbacks === 0) {
        visitFunction(_scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter());
      }
    } : () => true;
  }
  const onObjectBegin = toBeginVisit(visitor.onObjectBegin), onObjectProperty = toOneArgVisitWithPath(visitor.onObjectProperty), onObjectEnd = toEndVisit(visitor.onObjectEnd), onArrayBegin = toBeginVisit(visitor.onArrayBegin), onArrayEnd = toEndVisit(visitor.onArrayEnd), onLiteralValue = toOneArgVisitWithPath(visitor.onLiteralValue), onSeparator = toOneArgVisit(visitor.onSeparator), onComment = toNoArgVisit(visitor.onComment), onError = toOneArgVisit(visitor.onError);
  const disallowComments = options && options.disallowComments;
  const allowTrailingComma = options && options.allowTrailingComma;
  function scanNext() {
    while (true) {
      const token = _scanner.scan();
      switch (_scanner.getTokenError()) {
        case 4:
          handleError(
            14
            /* ParseErrorCode.InvalidUnicode */
          );
          break;
        case 5:
          handleError(
            15
            /* ParseErrorCode.InvalidEscapeCharacter */
          );
          break;
        case 3:
          handleError(
            13
            /* ParseErrorCode.UnexpectedEndOfNumber */
          );
          break;
        case 1:
          if (!disallowComments) {
            handleError(
              11
              /* ParseErrorCode.UnexpectedEndOfComment */
            );
          }
          break;
        case 2:
          handleError(
            12
            /* ParseErrorCode.UnexpectedEndOfString */
          );
          break;
        case 6:
          handleError(
            16
            /* ParseErrorCode.InvalidCharacter */
          );
          break;
      }
      switch (token) {
        case 12:
        case 13:
          if (disallowComments) {
            handleError(
              10
              /* ParseErrorCode.InvalidCommentToken */
            );
          } else {
            onComment();
          }
          break;
        case 16:
          handleError(
            1
            /* ParseErrorCode.InvalidSymbol */
          );
          break;
        case 15:
        case 14:
          break;
        default:
          return token;
      }
    }
  }
  function handleError(error, skipUntilAfter = [], skipUntil = []) {
    onError(error);
    if (skipUntilAfter.length + skipUntil.length > 0) {
      let token = _scanner.getToken();
      while (token !== 17) {
        if (skipUntilAfter.indexOf(token) !== -1) {
          scanNext();
          break;
        } else if (skipUntil.indexOf(token) !== -1) {
          break;
        }
        token = scanNext();
      }
    }
  }
  function parseString(isValue) {
    const value = _scanner.getTokenValue();
    if (isValue) {
      onLiteralValue(value);
    } else {
      onObjectProperty(value);
      _jsonPath.push(value);
    }
    scanNext();
    return true;
  }
  function parseLiteral() {
    switch (_scanner.getToken()) {
      case 11:
        const tokenValue = _scanner.getTokenValue();
        let value = Number(tokenValue);
        if (isNaN(value)) {
          handleError(
            2
            /* ParseErrorCode.InvalidNumberFormat */
          );
          value = 0;
        }
        onLiteralValue(value);
        break;
      case 7:
        onLiteralValue(null);
        break;
      case 8:
        onLiteralValue(true);
        break;
      case 9:
        onLiteralValue(false);
        break;
      default:
        return false;
    }
    scanNext();
    return true;
  }
  function parseProperty() {
    if (_scanner.getToken() !== 10) {
      handleError(3, [], [
        2,
        5
        /* SyntaxKind.CommaToken */
      ]);
      return false;
    }
    parseString(false);
    if (_scanner.getToken() === 6) {
      onSeparator(":");
      scanNext();
      if (!parseValue()) {
        handleError(4, [], [
          2,
          5
          /* SyntaxKind.CommaToken */
        ]);
      }
    } else {
      handleError(5, [], [
        2,
        5
        /* SyntaxKind.CommaToken */
      ]);
    }
    _jsonPath.pop();
    return true;
  }
  function parseObject() {
    onObjectBegin();
    scanNext();
    let needsComma = false;
    while (_scanner.getToken() !== 2 && _scanner.getToken() !== 17) {
      if (_scanner.getToken() === 5) {
        if (!needsComma) {
          handleError(4, [], []);
        }
        onSeparator(",");
        scanNext();
        if (_scanner.getToken() === 2 && allowTrailingComma) {
          break;
        }
      } else if (needsComma) {
        handleError(6, [], []);
      }
      if (!parseProperty()) {
        handleError(4, [], [
          2,
          5
          /* SyntaxKind.CommaToken */
        ]);
      }
      needsComma = true;
    }
    onObjectEnd();
    if (_scanner.getToken() !== 2) {
      handleError(7, [
        2
        /* SyntaxKind.CloseBraceToken */
      ], []);
    } else {
      scanNext();
    }
    return true;
  }
  function parseArray() {
    onArrayBegin();
    scanNext();
    let isFirstElement = true;
    let needsComma = false;
    while (_scanner.getToken() !== 4 && _scanner.getToken() !== 17) {
      if (_scanner.getToken() === 5) {
        if (!needsComma) {
          handleError(4, [], []);
        }
        onSeparator(",");
        scanNext();
        if (_scanner.getToken() === 4 && allowTrailingComma) {
          break;
        }
      } else if (needsComma) {
        handleError(6, [], []);
      }
      if (isFirstElement) {
        _jsonPath.push(0);
        isFirstElement = false;
      } else {
        _jsonPath[_jsonPath.length - 1]++;
      }
      if (!parseValue()) {
        handleError(4, [], [
          4,
          5
          /* SyntaxKind.CommaToken */
        ]);
      }
      needsComma = true;
    }
    onArrayEnd();
    if (!isFirstElement) {
      _jsonPath.pop();
    }
    if (_scanner.getToken() !== 4) {
      handleError(8, [
        4
        /* SyntaxKind.CloseBracketToken */
      ], []);
    } else {
      scanNext();
    }
    return true;
  }
  function parseValue() {
    switch (_scanner.getToken()) {
      case 3:
        return parseArray();
      case 1:
        return parseObject();
      case 10:
        return parseString(true);
      default:
        return parseLiteral();
    }
  }
  scanNext();
  if (_scanner.getToken() === 17) {
    if (options.allowEmptyContent) {
      return true;
    }
    handleError(4, [], []);
    return false;
  }
  if (!parseValue()) {
    handleError(4, [], []);
    return false;
  }
  if (_scanner.getToken() !== 17) {
    handleError(9, [], []);
  }
  return true;
}
function getNodeType(value) {
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "number":
      return "number";
    case "string":
      return "string";
    case "object": {
      if (!value) {
        return "null";
      } else if (Array.isArray(value)) {
        return "array";
      }
      return "object";
    }
    default:
      return "null";
  }
}

// ../../main/node_modules/jsonc-parser/lib/esm/main.js
var ScanError;
(function(ScanError2) {
  ScanError2[ScanError2["None"] = 0] = "None";
  ScanError2[ScanError2["UnexpectedEndOfComment"] = 1] = "UnexpectedEndOfComment";
  ScanError2[ScanError2["UnexpectedEndOfString"] = 2] = "UnexpectedEndOfString";
  ScanError2[ScanError2["UnexpectedEndOfNumber"] = 3] = "UnexpectedEndOfNumber";
  ScanError2[ScanError2["InvalidUnicode"] = 4] = "InvalidUnicode";
  ScanError2[ScanError2["InvalidEscapeCharacter"] = 5] = "InvalidEscapeCharacter";
  ScanError2[ScanError2["InvalidCharacter"] = 6] = "InvalidCharacter";
})(ScanError || (ScanError = {}));
var SyntaxKind;
(function(SyntaxKind2) {
  SyntaxKind2[SyntaxKind2["OpenBraceToken"] = 1] = "OpenBraceToken";
  SyntaxKind2[SyntaxKind2["CloseBraceToken"] = 2] = "CloseBraceToken";
  SyntaxKind2[SyntaxKind2["OpenBracketToken"] = 3] = "OpenBracketToken";
  SyntaxKind2[SyntaxKind2["CloseBracketToken"] = 4] = "CloseBracketToken";
  SyntaxKind2[SyntaxKind2["CommaToken"] = 5] = "CommaToken";
  SyntaxKind2[SyntaxKind2["ColonToken"] = 6] = "ColonToken";
  SyntaxKind2[SyntaxKind2["NullKeyword"] = 7] = "NullKeyword";
  SyntaxKind2[SyntaxKind2["TrueKeyword"] = 8] = "TrueKeyword";
  SyntaxKind2[SyntaxKind2["FalseKeyword"] = 9] = "FalseKeyword";
  SyntaxKind2[SyntaxKind2["StringLiteral"] = 10] = "StringLiteral";
  SyntaxKind2[SyntaxKind2["NumericLiteral"] = 11] = "NumericLiteral";
  SyntaxKind2[SyntaxKind2["LineCommentTrivia"] = 12] = "LineCommentTrivia";
  SyntaxKind2[SyntaxKind2["BlockCommentTrivia"] = 13] = "BlockCommentTrivia";
  SyntaxKind2[SyntaxKind2["LineBreakTrivia"] = 14] = "LineBreakTrivia";
  SyntaxKind2[SyntaxKind2["Trivia"] = 15] = "Trivia";
  SyntaxKind2[SyntaxKind2["Unknown"] = 16] = "Unknown";
  SyntaxKind2[SyntaxKind2["EOF"] = 17] = "EOF";
})(SyntaxKind || (SyntaxKind = {}));
var parse2 = parse;
var parseTree2 = parseTree;
var findNodeAtLocation2 = findNodeAtLocation;
var ParseErrorCode;
(function(ParseErrorCode2) {
  ParseErrorCode2[ParseErrorCode2["InvalidSymbol"] = 1] = "InvalidSymbol";
  ParseErrorCode2[ParseErrorCode2["InvalidNumberFormat"] = 2] = "InvalidNumberFormat";
  ParseErrorCode2[ParseErrorCode2["PropertyNameExpected"] = 3] = "PropertyNameExpected";
  ParseErrorCode2[ParseErrorCode2["ValueExpected"] = 4] = "ValueExpected";
  ParseErrorCode2[ParseErrorCode2["ColonExpected"] = 5] = "ColonExpected";
  ParseErrorCode2[ParseErrorCode2["CommaExpected"] = 6] = "CommaExpected";
  ParseErrorCode2[ParseErrorCode2["CloseBraceExpected"] = 7] = "CloseBraceExpected";
  ParseErrorCode2[ParseErrorCode2["CloseBracketExpected"] = 8] = "CloseBracketExpected";
  ParseErrorCode2[ParseErrorCode2["EndOfFileExpected"] = 9] = "EndOfFileExpected";
  ParseErrorCode2[ParseErrorCode2["InvalidCommentToken"] = 10] = "InvalidCommentToken";
  ParseErrorCode2[ParseErrorCode2["UnexpectedEndOfComment"] = 11] = "UnexpectedEndOfComment";
  ParseErrorCode2[ParseErrorCode2["UnexpectedEndOfString"] = 12] = "UnexpectedEndOfString";
  ParseErrorCode2[ParseErrorCode2["UnexpectedEndOfNumber"] = 13] = "UnexpectedEndOfNumber";
  ParseErrorCode2[ParseErrorCode2["InvalidUnicode"] = 14] = "InvalidUnicode";
  ParseErrorCode2[ParseErrorCode2["InvalidEscapeCharacter"] = 15] = "InvalidEscapeCharacter";
  ParseErrorCode2[ParseErrorCode2["InvalidCharacter"] = 16] = "InvalidCharacter";
})(ParseErrorCode || (ParseErrorCode = {}));
function printParseErrorCode(code) {
  switch (code) {
    case 1:
      return "InvalidSymbol";
    case 2:
      return "InvalidNumberFormat";
    case 3:
      return "PropertyNameExpected";
    case 4:
      return "ValueExpected";
    case 5:
      return "ColonExpected";
    case 6:
      return "CommaExpected";
    case 7:
      return "CloseBraceExpected";
    case 8:
      return "CloseBracketExpected";
    case 9:
      return "EndOfFileExpected";
    case 10:
      return "InvalidCommentToken";
    case 11:
      return "UnexpectedEndOfComment";
    case 12:
      return "UnexpectedEndOfString";
    case 13:
      return "UnexpectedEndOfNumber";
    case 14:
      return "InvalidUnicode";
    case 15:
      return "InvalidEscapeCharacter";
    case 16:
      return "InvalidCharacter";
  }
  return "<unknown ParseErrorCode>";
}

// src/install/json-text.ts
function append(text, container, key, value) {
  const node = nodeAt(text, container);
  const eol = eolOf(text);
  const unit = indentUnit(text);
  const close = node.offset + node.length - 1;
  const last = node.children?.at(-1);
  const outer = lineIndent(text, node.offset);
  const indent = last !== void 0 && startsLine(text, last.offset) ? lineIndent(text, last.offset) : outer + unit;
  const body = JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
  const item = key === null ? body : `${JSON.stringify(key)}: ${body}`;
  const from = last === void 0 ? node.offset + 1 : last.offset + last.length;
  const between = text.slice(from, close);
  const at = from + between.trimEnd().length;
  const tail = text.slice(at, close);
  const closing = tail.includes("\n") ? tail : eol + outer;
  const comma = last !== void 0 && commaAfter(text, from, close) === null ? "," : "";
  return `${text.slice(0, from)}${comma}${text.slice(from, at)}${eol}${indent}${item}${closing}${text.slice(close)}`;
}
function remove(text, path) {
  const value = nodeAt(text, path);
  const node = typeof path.at(-1) === "string" ? value.parent : value;
  const siblings = node.parent.children;
  const end = node.parent.offset + node.parent.length - 1;
  const index = siblings.indexOf(node);
  const behind = node.offset + node.length;
  const ownComma = commaAfter(text, behind, siblings[index + 1]?.offset ?? end);
  const previous = siblings[index - 1];
  const stop = ownComma === null ? behind : ownComma + 1;
  const apart = ownComma === null ? "" : text.slice(behind, ownComma);
  const before = text.slice(0, node.offset);
  const start = /^[ \t]*\r?\n/.test(text.slice(stop)) ? before.trimEnd().length : node.offset;
  const edited = `${text.slice(0, start)}${apart}${text.slice(stop)}`;
  if (ownComma !== null || previous === void 0) return edited;
  const comma = commaAfter(text, previous.offset + previous.length, node.offset);
  return edited.slice(0, comma) + edited.slice(comma + 1);
}
function eolOf(text) {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
function nodeAt(text, path) {
  const root = parseTree2(text, [], { allowTrailingComma: true });
  const node = root === void 0 ? void 0 : findNodeAtLocation2(root, path);
  if (node === void 0) throw new TypeError(`nothing at ${path.join(".")}`);
  return node;
}
function commaAfter(text, from, to) {
  for (let at = from; at < to; at++) {
    if (text.startsWith("//", at)) at = text.indexOf("\n", at);
    else if (text.startsWith("/*", at)) at = text.indexOf("*/", at) + 1;
    else if (text[at] === ",") return at;
  }
  return null;
}
function startsLine(text, offset) {
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, offset));
}
function lineIndent(text, offset) {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}
function indentUnit(text) {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}

// src/install/claude-settings.ts
function withHooks(text, wanted, path) {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + withHooks(text.slice(1), wanted, path);
  const start = text.trim() === "" ? `{}${eolOf(text)}` : text;
  if (isInstalled(settingsOf(start, path), wanted)) return text;
  let edited = withoutHooks(start, path);
  for (const { event, matcher, handler } of wanted) {
    const group = { ...matcher === null ? {} : { matcher }, hooks: [handler] };
    const hooks = objectOf(settingsOf(edited, path).hooks);
    if (hooks === null) edited = append(edited, [], "hooks", { [event]: [group] });
    else if (hooks[event] === void 0) edited = append(edited, ["hooks"], event, [group]);
    else edited = append(edited, ["hooks", event], null, group);
  }
  if (!isInstalled(settingsOf(edited, path), wanted))
    throw unusable(path, "its hooks could not be edited safely");
  return edited;
}
function withoutHooks(text, path) {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + withoutHooks(text.slice(1), path);
  if (text.trim() === "") return text;
  let edited = text;
  for (let found = ours(settingsOf(edited, path))[0]; found !== void 0; ) {
    edited = remove(edited, emptied(settingsOf(edited, path), found));
    found = ours(settingsOf(edited, path))[0];
  }
  return edited;
}
function ourCommands(text, path) {
  const plain = text.replace(BYTE_ORDER_MARK, "");
  if (plain.trim() === "") return [];
  const settings = settingsOf(plain, path);
  return ours(settings).map(
    ({ event, group, handler }) => commandOf(objectOf(hooksOf(groupsOf(settings, event)[group])[handler]))
  );
}
var BYTE_ORDER_MARK = "\uFEFF";
function ours(settings) {
  return Object.keys(objectOf(settings.hooks) ?? {}).flatMap(
    (event) => groupsOf(settings, event).flatMap(
      (group, groupIndex) => hooksOf(group).flatMap(
        (handler, index) => isOurs(commandOf(objectOf(handler))) ? [{ event, group: groupIndex, handler: index }] : []
      )
    )
  );
}
var CAPTURE = /^\[ -x '.*\/bin\/capture' \] && exec '.*\/bin\/capture' claude-code; exit 0$/s;
var CLIENT = / hook claude-code(?: session-start)?(?: 2>\/dev\/null; exit 0)?$/;
function isOurs(command) {
  return CAPTURE.test(command) || CLIENT.test(command) && command.includes("--home");
}
function commandOf(handler) {
  const words = [handler?.command, ...Array.isArray(handler?.args) ? handler.args : []];
  return words.map((word) => stringOf(word) ?? "").join(" ");
}
function emptied(settings, { event, group, handler }) {
  const groups = groupsOf(settings, event);
  if (hooksOf(groups[group]).length > 1) return ["hooks", event, group, "hooks", handler];
  if (groups.length > 1) return ["hooks", event, group];
  if (Object.keys(objectOf(settings.hooks) ?? {}).length > 1) return ["hooks", event];
  return ["hooks"];
}
function isInstalled(settings, wanted) {
  const found = ours(settings).map(({ event, group, handler }) => {
    const inGroup = objectOf(groupsOf(settings, event)[group]);
    return JSON.stringify([event, inGroup?.matcher ?? null, hooksOf(inGroup)[handler]]);
  });
  const due = wanted.map(({ event, matcher, handler }) => JSON.stringify([event, matcher, handler]));
  return JSON.stringify(found.sort()) === JSON.stringify(due.sort());
}
function settingsOf(text, path) {
  const errors = [];
  const value = parse2(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== void 0) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw unusable(path, `line ${line} cannot be parsed (${printParseErrorCode(error.error)})`);
  }
  const settings = objectOf(value);
  if (settings === null) throw unusable(path, "it holds no object");
  const hooks = objectOf(settings.hooks === void 0 ? {} : settings.hooks);
  if (hooks === null) throw unusable(path, '"hooks" is no object');
  for (const [event, groups] of Object.entries(hooks))
    if (!Array.isArray(groups)) throw unusable(path, `"hooks" \u2192 "${event}" is no list`);
  return settings;
}
function groupsOf(settings, event) {
  const groups = objectOf(settings.hooks)?.[event];
  return Array.isArray(groups) ? groups : [];
}
function hooksOf(group) {
  const hooks = objectOf(group)?.hooks;
  return Array.isArray(hooks) ? hooks : [];
}
function unusable(path, reason) {
  return new AnnalsError("INPUT_INVALID", `The settings file ${path} was not changed: ${reason}.`, {
    hint: "Mend it (Claude Code reads it too), then try again.",
    facts: { path }
  });
}

// src/install/settings-file.ts
import { lstat, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
async function readSettings(path) {
  const link = await lstat(path).catch(() => null);
  const isLink = link?.isSymbolicLink() === true;
  let target = path;
  try {
    target = await realpath(path);
    const found = await stat(target);
    if (!found.isFile()) throw new AnnalsError("INPUT_INVALID", `${path} is no file.`, { facts: { path } });
    const bytes = await readFile(target);
    const text = bytes.toString("utf8");
    if (!Buffer.from(text).equals(bytes))
      throw new AnnalsError("INPUT_INVALID", `The settings file ${path} was not changed: it is not UTF-8.`, {
        facts: { path }
      });
    const owner = { user: found.uid, group: found.gid };
    return { path, target, isLink, exists: true, text, mode: found.mode & 511, owner };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (error instanceof AnnalsError) throw error;
    if (code === "ENOENT" && !isLink)
      return { path, target, isLink, exists: false, text: "", mode: 384, owner: null };
    const why = isLink ? "it is a link that leads nowhere" : code;
    throw new AnnalsError("INPUT_UNREADABLE", `The settings file ${path} cannot be read: ${why}.`, {
      facts: { path, system: code },
      cause: error
    });
  }
}
async function writeSettings(file, text, now) {
  if (text === file.text) return null;
  const stamp = new Date(now).toISOString().replace(/[:.]/g, "-");
  const backup = file.exists ? `${file.target}.before-annals-${stamp}` : null;
  try {
    await mkdir(dirname(file.target), { recursive: true, mode: 448 });
    if (backup !== null) await writeWhole(backup, file.text, file);
    await writeWhole(file.target, text, file);
    return backup;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new AnnalsError(
      "INPUT_UNREADABLE",
      `The settings file ${file.path} could not be written (${code}); it is as it was.`,
      { facts: { path: file.path, system: code }, cause: error }
    );
  }
}
async function writeWhole(path, text, { mode, owner }) {
  const aside = `${path}.${Buffer.from(randomBytes(6)).toString("hex")}.tmp`;
  try {
    const out = await open(aside, "wx", mode);
    try {
      await out.writeFile(text);
      await out.chmod(mode);
      await keepOwner(out, owner);
      await out.sync();
    } finally {
      await out.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}
async function keepOwner(file, owner) {
  if (owner === null || process.getuid?.() !== 0) return;
  await file.chown(owner.user, owner.group);
}

// src/install/claude-code.ts
var AGENT = "claude-code";
var CAPTURE_SECONDS = 10;
function claudeFolder(environment = process.env, userHome = homedir()) {
  const chosen = environment.CLAUDE_CONFIG_DIR;
  return chosen === void 0 || chosen === "" ? join2(userHome, ".claude") : resolve(chosen);
}
function settingsPath(folder) {
  return join2(folder, "settings.json");
}
async function planInstall(request) {
  const settings = await readSettings(settingsPath(request.claudeFolder));
  return { settings, text: withHooks(settings.text, wantedHooks(request), settings.path) };
}
async function planUninstall(folder) {
  const settings = await readSettings(settingsPath(folder));
  return { settings, text: withoutHooks(settings.text, settings.path) };
}
async function install(request, plan, now) {
  if (!request.windows) await writeScript(request.home);
  const folders = spoolFolders(request.home);
  for (const folder of [folders.tmp, folders.new]) await mkdir2(folder, { recursive: true, mode: 448 });
  return writeSettings(plan.settings, plan.text, now);
}
async function uninstall(home, plan, now) {
  const backup = await writeSettings(plan.settings, plan.text, now);
  await rm2(scriptPath(home), { force: true });
  await rmdir(dirname2(scriptPath(home))).catch(() => void 0);
  return backup;
}
function wantedHooks({ home, program, windows }) {
  const capture = (event, matcher = null) => ({
    event,
    matcher,
    handler: { type: "command", ...captureWords(home, program, windows), timeout: CAPTURE_SECONDS }
  });
  const client = {
    event: "SessionStart",
    matcher: null,
    handler: { type: "command", ...clientWords(home, program, windows), timeout: CAPTURE_SECONDS }
  };
  return [
    capture("SessionStart"),
    client,
    capture("UserPromptSubmit"),
    capture("PostToolUse", "*"),
    capture("PostToolUseFailure", "*"),
    capture("SubagentStop"),
    capture("Stop"),
    capture("StopFailure"),
    capture("SessionEnd")
  ];
}
function captureWords(home, { node, cli }, windows) {
  if (!windows) return { command: captureCommand(home, AGENT) };
  return { command: node, args: [cli, "--home", home, "hook", AGENT] };
}
function clientWords(home, program, windows) {
  if (!windows) return { command: sessionStartCommand(home, AGENT, program) };
  return { command: program.node, args: [program.cli, "--home", home, "hook", AGENT, "session-start"] };
}
async function writeScript(home) {
  const path = scriptPath(home);
  await mkdir2(dirname2(path), { recursive: true, mode: 448 });
  const aside = `${path}.new`;
  await writeFile(aside, captureScript(home), { mode: 448 });
  await chmod(aside, 448);
  await rename2(aside, path);
}

export {
  scriptPath,
  captureCommand,
  shellQuote,
  ourCommands,
  readSettings,
  claudeFolder,
  settingsPath,
  planInstall,
  planUninstall,
  install,
  uninstall
};
//# sourceMappingURL=chunk-WA5ZKCLD.js.map
