import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url);
import {
  AnnalsError,
  WITNESSES,
  eventId
} from "./chunk-U2URHJCI.js";
import {
  __commonJS,
  __require,
  __toESM
} from "./chunk-BELT5PH7.js";

// ../../main/node_modules/level-supports/index.js
var require_level_supports = __commonJS({
  "../../main/node_modules/level-supports/index.js"(exports) {
    "use strict";
    exports.supports = function supports(...manifests) {
      const manifest = manifests.reduce((acc, m) => Object.assign(acc, m), {});
      const implicitSnapshots = manifest.implicitSnapshots || manifest.snapshots || false;
      const explicitSnapshots = manifest.explicitSnapshots || false;
      return Object.assign(manifest, {
        implicitSnapshots,
        explicitSnapshots,
        snapshots: implicitSnapshots,
        has: manifest.has || false,
        permanence: manifest.permanence || false,
        seek: manifest.seek || false,
        createIfMissing: manifest.createIfMissing || false,
        errorIfExists: manifest.errorIfExists || false,
        deferredOpen: manifest.deferredOpen || false,
        streams: manifest.streams || false,
        encodings: Object.assign({}, manifest.encodings),
        events: Object.assign({}, manifest.events),
        additionalMethods: Object.assign({}, manifest.additionalMethods),
        signals: Object.assign({}, manifest.signals)
      });
    };
  }
});

// ../../main/node_modules/module-error/index.js
var require_module_error = __commonJS({
  "../../main/node_modules/module-error/index.js"(exports, module) {
    "use strict";
    module.exports = class ModuleError extends Error {
      /**
       * @param {string} message Error message
       * @param {{ code?: string, cause?: Error, expected?: boolean, transient?: boolean }} [options]
       */
      constructor(message, options) {
        super(message || "");
        if (typeof options === "object" && options !== null) {
          if (options.code) this.code = String(options.code);
          if (options.expected) this.expected = true;
          if (options.transient) this.transient = true;
          if (options.cause) this.cause = options.cause;
        }
        if (Error.captureStackTrace) {
          Error.captureStackTrace(this, this.constructor);
        }
      }
    };
  }
});

// ../../main/node_modules/level-transcoder/lib/text-endec.js
var require_text_endec = __commonJS({
  "../../main/node_modules/level-transcoder/lib/text-endec.js"(exports, module) {
    "use strict";
    var lazy = null;
    module.exports = function() {
      if (lazy === null) {
        lazy = {
          textEncoder: new TextEncoder(),
          textDecoder: new TextDecoder()
        };
      }
      return lazy;
    };
  }
});

// ../../main/node_modules/level-transcoder/lib/encoding.js
var require_encoding = __commonJS({
  "../../main/node_modules/level-transcoder/lib/encoding.js"(exports) {
    "use strict";
    var ModuleError = require_module_error();
    var formats = /* @__PURE__ */ new Set(["buffer", "view", "utf8"]);
    var Encoding = class {
      /**
       * @param {IEncoding<TIn,TFormat,TOut>} options
       */
      constructor(options) {
        this.encode = options.encode || this.encode;
        this.decode = options.decode || this.decode;
        this.name = options.name || this.name;
        this.format = options.format || this.format;
        if (typeof this.encode !== "function") {
          throw new TypeError("The 'encode' property must be a function");
        }
        if (typeof this.decode !== "function") {
          throw new TypeError("The 'decode' property must be a function");
        }
        this.encode = this.encode.bind(this);
        this.decode = this.decode.bind(this);
        if (typeof this.name !== "string" || this.name === "") {
          throw new TypeError("The 'name' property must be a string");
        }
        if (typeof this.format !== "string" || !formats.has(this.format)) {
          throw new TypeError("The 'format' property must be one of 'buffer', 'view', 'utf8'");
        }
        if (options.createViewTranscoder) {
          this.createViewTranscoder = options.createViewTranscoder;
        }
        if (options.createBufferTranscoder) {
          this.createBufferTranscoder = options.createBufferTranscoder;
        }
        if (options.createUTF8Transcoder) {
          this.createUTF8Transcoder = options.createUTF8Transcoder;
        }
      }
      get commonName() {
        return (
          /** @type {string} */
          this.name.split("+")[0]
        );
      }
      /** @return {BufferFormat<TIn,TOut>} */
      createBufferTranscoder() {
        throw new ModuleError(`Encoding '${this.name}' cannot be transcoded to 'buffer'`, {
          code: "LEVEL_ENCODING_NOT_SUPPORTED"
        });
      }
      /** @return {ViewFormat<TIn,TOut>} */
      createViewTranscoder() {
        throw new ModuleError(`Encoding '${this.name}' cannot be transcoded to 'view'`, {
          code: "LEVEL_ENCODING_NOT_SUPPORTED"
        });
      }
      /** @return {UTF8Format<TIn,TOut>} */
      createUTF8Transcoder() {
        throw new ModuleError(`Encoding '${this.name}' cannot be transcoded to 'utf8'`, {
          code: "LEVEL_ENCODING_NOT_SUPPORTED"
        });
      }
    };
    exports.Encoding = Encoding;
  }
});

// ../../main/node_modules/level-transcoder/lib/formats.js
var require_formats = __commonJS({
  "../../main/node_modules/level-transcoder/lib/formats.js"(exports) {
    "use strict";
    var { Buffer: Buffer2 } = __require("buffer") || {};
    var { Encoding } = require_encoding();
    var textEndec = require_text_endec();
    var BufferFormat = class extends Encoding {
      /**
       * @param {Omit<IEncoding<TIn, Buffer, TOut>, 'format'>} options
       */
      constructor(options) {
        super({ ...options, format: "buffer" });
      }
      /** @override */
      createViewTranscoder() {
        return new ViewFormat({
          encode: this.encode,
          // Buffer is a view (UInt8Array)
          decode: (data) => this.decode(
            Buffer2.from(data.buffer, data.byteOffset, data.byteLength)
          ),
          name: `${this.name}+view`
        });
      }
      /** @override */
      createBufferTranscoder() {
        return this;
      }
    };
    var ViewFormat = class extends Encoding {
      /**
       * @param {Omit<IEncoding<TIn, Uint8Array, TOut>, 'format'>} options
       */
      constructor(options) {
        super({ ...options, format: "view" });
      }
      /** @override */
      createBufferTranscoder() {
        return new BufferFormat({
          encode: (data) => {
            const view = this.encode(data);
            return Buffer2.from(view.buffer, view.byteOffset, view.byteLength);
          },
          decode: this.decode,
          // Buffer is a view (UInt8Array)
          name: `${this.name}+buffer`
        });
      }
      /** @override */
      createViewTranscoder() {
        return this;
      }
    };
    var UTF8Format = class extends Encoding {
      /**
       * @param {Omit<IEncoding<TIn, string, TOut>, 'format'>} options
       */
      constructor(options) {
        super({ ...options, format: "utf8" });
      }
      /** @override */
      createBufferTranscoder() {
        return new BufferFormat({
          encode: (data) => Buffer2.from(this.encode(data), "utf8"),
          decode: (data) => this.decode(data.toString("utf8")),
          name: `${this.name}+buffer`
        });
      }
      /** @override */
      createViewTranscoder() {
        const { textEncoder, textDecoder } = textEndec();
        return new ViewFormat({
          encode: (data) => textEncoder.encode(this.encode(data)),
          decode: (data) => this.decode(textDecoder.decode(data)),
          name: `${this.name}+view`
        });
      }
      /** @override */
      createUTF8Transcoder() {
        return this;
      }
    };
    exports.BufferFormat = BufferFormat;
    exports.ViewFormat = ViewFormat;
    exports.UTF8Format = UTF8Format;
  }
});

// ../../main/node_modules/level-transcoder/lib/encodings.js
var require_encodings = __commonJS({
  "../../main/node_modules/level-transcoder/lib/encodings.js"(exports) {
    "use strict";
    var { Buffer: Buffer2 } = __require("buffer") || { Buffer: { isBuffer: () => false } };
    var { textEncoder, textDecoder } = require_text_endec()();
    var { BufferFormat, ViewFormat, UTF8Format } = require_formats();
    var identity = (v) => v;
    exports.utf8 = new UTF8Format({
      encode: function(data) {
        return Buffer2.isBuffer(data) ? data.toString("utf8") : ArrayBuffer.isView(data) ? textDecoder.decode(data) : String(data);
      },
      decode: identity,
      name: "utf8",
      createViewTranscoder() {
        return new ViewFormat({
          encode: function(data) {
            return ArrayBuffer.isView(data) ? data : textEncoder.encode(data);
          },
          decode: function(data) {
            return textDecoder.decode(data);
          },
          name: `${this.name}+view`
        });
      },
      createBufferTranscoder() {
        return new BufferFormat({
          encode: function(data) {
            return Buffer2.isBuffer(data) ? data : ArrayBuffer.isView(data) ? Buffer2.from(data.buffer, data.byteOffset, data.byteLength) : Buffer2.from(String(data), "utf8");
          },
          decode: function(data) {
            return data.toString("utf8");
          },
          name: `${this.name}+buffer`
        });
      }
    });
    exports.json = new UTF8Format({
      encode: JSON.stringify,
      decode: JSON.parse,
      name: "json"
    });
    exports.buffer = new BufferFormat({
      encode: function(data) {
        return Buffer2.isBuffer(data) ? data : ArrayBuffer.isView(data) ? Buffer2.from(data.buffer, data.byteOffset, data.byteLength) : Buffer2.from(String(data), "utf8");
      },
      decode: identity,
      name: "buffer",
      createViewTranscoder() {
        return new ViewFormat({
          encode: function(data) {
            return ArrayBuffer.isView(data) ? data : Buffer2.from(String(data), "utf8");
          },
          decode: function(data) {
            return Buffer2.from(data.buffer, data.byteOffset, data.byteLength);
          },
          name: `${this.name}+view`
        });
      }
    });
    exports.view = new ViewFormat({
      encode: function(data) {
        return ArrayBuffer.isView(data) ? data : textEncoder.encode(data);
      },
      decode: identity,
      name: "view",
      createBufferTranscoder() {
        return new BufferFormat({
          encode: function(data) {
            return Buffer2.isBuffer(data) ? data : ArrayBuffer.isView(data) ? Buffer2.from(data.buffer, data.byteOffset, data.byteLength) : Buffer2.from(String(data), "utf8");
          },
          decode: identity,
          name: `${this.name}+buffer`
        });
      }
    });
    exports.hex = new BufferFormat({
      encode: function(data) {
        return Buffer2.isBuffer(data) ? data : Buffer2.from(String(data), "hex");
      },
      decode: function(buffer) {
        return buffer.toString("hex");
      },
      name: "hex"
    });
    exports.base64 = new BufferFormat({
      encode: function(data) {
        return Buffer2.isBuffer(data) ? data : Buffer2.from(String(data), "base64");
      },
      decode: function(buffer) {
        return buffer.toString("base64");
      },
      name: "base64"
    });
  }
});

// ../../main/node_modules/level-transcoder/index.js
var require_level_transcoder = __commonJS({
  "../../main/node_modules/level-transcoder/index.js"(exports) {
    "use strict";
    var ModuleError = require_module_error();
    var encodings = require_encodings();
    var { Encoding } = require_encoding();
    var { BufferFormat, ViewFormat, UTF8Format } = require_formats();
    var kFormats = /* @__PURE__ */ Symbol("formats");
    var kEncodings = /* @__PURE__ */ Symbol("encodings");
    var validFormats = /* @__PURE__ */ new Set(["buffer", "view", "utf8"]);
    var Transcoder = class {
      /**
       * @param {Array<'buffer'|'view'|'utf8'>} formats
       */
      constructor(formats) {
        if (!Array.isArray(formats)) {
          throw new TypeError("The first argument 'formats' must be an array");
        } else if (!formats.every((f) => validFormats.has(f))) {
          throw new TypeError("Format must be one of 'buffer', 'view', 'utf8'");
        }
        this[kEncodings] = /* @__PURE__ */ new Map();
        this[kFormats] = new Set(formats);
        for (const k in encodings) {
          try {
            this.encoding(k);
          } catch (err) {
            if (err.code !== "LEVEL_ENCODING_NOT_SUPPORTED") throw err;
          }
        }
      }
      /**
       * @returns {Array<Encoding<any,T,any>>}
       */
      encodings() {
        return Array.from(new Set(this[kEncodings].values()));
      }
      /**
       * @param {string|MixedEncoding<any, any, any>} encoding
       * @returns {Encoding<any, T, any>}
       */
      encoding(encoding) {
        let resolved = this[kEncodings].get(encoding);
        if (resolved === void 0) {
          if (typeof encoding === "string" && encoding !== "") {
            resolved = lookup[encoding];
            if (!resolved) {
              throw new ModuleError(`Encoding '${encoding}' is not found`, {
                code: "LEVEL_ENCODING_NOT_FOUND"
              });
            }
          } else if (typeof encoding !== "object" || encoding === null) {
            throw new TypeError("First argument 'encoding' must be a string or object");
          } else {
            resolved = from(encoding);
          }
          const { name, format } = resolved;
          if (!this[kFormats].has(format)) {
            if (this[kFormats].has("view")) {
              resolved = resolved.createViewTranscoder();
            } else if (this[kFormats].has("buffer")) {
              resolved = resolved.createBufferTranscoder();
            } else if (this[kFormats].has("utf8")) {
              resolved = resolved.createUTF8Transcoder();
            } else {
              throw new ModuleError(`Encoding '${name}' cannot be transcoded`, {
                code: "LEVEL_ENCODING_NOT_SUPPORTED"
              });
            }
          }
          for (const k of [encoding, name, resolved.name, resolved.commonName]) {
            this[kEncodings].set(k, resolved);
          }
        }
        return resolved;
      }
    };
    exports.Transcoder = Transcoder;
    function from(options) {
      if (options instanceof Encoding) {
        return options;
      }
      const maybeType = "type" in options && typeof options.type === "string" ? options.type : void 0;
      const name = options.name || maybeType || `anonymous-${anonymousCount++}`;
      switch (detectFormat(options)) {
        case "view":
          return new ViewFormat({ ...options, name });
        case "utf8":
          return new UTF8Format({ ...options, name });
        case "buffer":
          return new BufferFormat({ ...options, name });
        default: {
          throw new TypeError("Format must be one of 'buffer', 'view', 'utf8'");
        }
      }
    }
    function detectFormat(options) {
      if ("format" in options && options.format !== void 0) {
        return options.format;
      } else if ("buffer" in options && typeof options.buffer === "boolean") {
        return options.buffer ? "buffer" : "utf8";
      } else if ("code" in options && Number.isInteger(options.code)) {
        return "view";
      } else {
        return "buffer";
      }
    }
    var aliases = {
      binary: encodings.buffer,
      "utf-8": encodings.utf8
    };
    var lookup = {
      ...encodings,
      ...aliases
    };
    var anonymousCount = 0;
  }
});

// ../../main/node_modules/maybe-combine-errors/index.js
var require_maybe_combine_errors = __commonJS({
  "../../main/node_modules/maybe-combine-errors/index.js"(exports, module) {
    "use strict";
    var kErrors = /* @__PURE__ */ Symbol("kErrors");
    module.exports = function(errors) {
      errors = errors.filter(defined);
      if (errors.length === 0) return;
      if (errors.length === 1) return errors[0];
      return new CombinedError(errors);
    };
    var CombinedError = class extends Error {
      constructor(errors) {
        const unique = new Set(errors.map(getMessage).filter(Boolean));
        const message = Array.from(unique).join("; ");
        super(message);
        value(this, "name", "CombinedError");
        value(this, kErrors, errors);
        getter(this, "stack", () => errors.map(getStack).join("\n\n"));
        getter(this, "transient", () => errors.length > 0 && errors.every(transient));
        getter(this, "expected", () => errors.length > 0 && errors.every(expected));
      }
      [Symbol.iterator]() {
        return this[kErrors][Symbol.iterator]();
      }
    };
    function value(obj, prop, value2) {
      Object.defineProperty(obj, prop, { value: value2 });
    }
    function getter(obj, prop, get) {
      Object.defineProperty(obj, prop, { get });
    }
    function defined(err) {
      return err != null;
    }
    function getMessage(err) {
      return err.message;
    }
    function getStack(err) {
      return err.stack;
    }
    function transient(err) {
      return err.transient === true;
    }
    function expected(err) {
      return err.expected === true;
    }
  }
});

// ../../main/node_modules/abstract-level/lib/common.js
var require_common = __commonJS({
  "../../main/node_modules/abstract-level/lib/common.js"(exports) {
    "use strict";
    var ModuleError = require_module_error();
    var deprecations = /* @__PURE__ */ new Set();
    exports.getOptions = function(options, def) {
      if (typeof options === "object" && options !== null) {
        return options;
      }
      if (def !== void 0) {
        return def;
      }
      return {};
    };
    exports.emptyOptions = Object.freeze({});
    exports.noop = function() {
    };
    exports.resolvedPromise = Promise.resolve();
    exports.deprecate = function(message) {
      if (!deprecations.has(message)) {
        deprecations.add(message);
        const c = globalThis.console;
        if (typeof c !== "undefined" && typeof c.warn === "function") {
          c.warn(new ModuleError(message, { code: "LEVEL_LEGACY" }));
        }
      }
    };
  }
});

// ../../main/node_modules/abstract-level/lib/errors.js
var require_errors = __commonJS({
  "../../main/node_modules/abstract-level/lib/errors.js"(exports) {
    "use strict";
    var ModuleError = require_module_error();
    var AbortError = class extends ModuleError {
      constructor(cause) {
        super("Operation has been aborted", {
          code: "LEVEL_ABORTED",
          cause
        });
      }
      // Set name to AbortError for web compatibility. See:
      // https://dom.spec.whatwg.org/#aborting-ongoing-activities
      // https://github.com/nodejs/node/pull/35911#discussion_r515779306
      get name() {
        return "AbortError";
      }
    };
    exports.AbortError = AbortError;
  }
});

// ../../main/node_modules/abstract-level/abstract-iterator.js
var require_abstract_iterator = __commonJS({
  "../../main/node_modules/abstract-level/abstract-iterator.js"(exports) {
    "use strict";
    var ModuleError = require_module_error();
    var combineErrors = require_maybe_combine_errors();
    var { getOptions, emptyOptions, noop } = require_common();
    var { AbortError } = require_errors();
    var kDecodeOne = /* @__PURE__ */ Symbol("decodeOne");
    var kDecodeMany = /* @__PURE__ */ Symbol("decodeMany");
    var kKeyEncoding = /* @__PURE__ */ Symbol("keyEncoding");
    var kValueEncoding = /* @__PURE__ */ Symbol("valueEncoding");
    var CommonIterator = class {
      #working = false;
      #pendingClose = null;
      #closingPromise = null;
      #count = 0;
      #signal;
      #limit;
      #ended;
      #snapshot;
      constructor(db, options) {
        if (typeof db !== "object" || db === null) {
          const hint = db === null ? "null" : typeof db;
          throw new TypeError(`The first argument must be an abstract-level database, received ${hint}`);
        }
        if (typeof options !== "object" || options === null) {
          throw new TypeError("The second argument must be an options object");
        }
        this[kKeyEncoding] = options[kKeyEncoding];
        this[kValueEncoding] = options[kValueEncoding];
        this.#limit = Number.isInteger(options.limit) && options.limit >= 0 ? options.limit : Infinity;
        this.#signal = options.signal != null ? options.signal : null;
        this.#snapshot = options.snapshot != null ? options.snapshot : null;
        this.#ended = false;
        this.db = db;
        this.db.attachResource(this);
      }
      get count() {
        return this.#count;
      }
      get limit() {
        return this.#limit;
      }
      async next() {
        this.#startWork();
        try {
          if (this.#ended || this.#count >= this.#limit) {
            this.#ended = true;
            return void 0;
          }
          let item = await this._next();
          if (item === void 0) {
            this.#ended = true;
            return void 0;
          }
          try {
            item = this[kDecodeOne](item);
          } catch (err) {
            throw new IteratorDecodeError(err);
          }
          this.#count++;
          return item;
        } finally {
          this.#endWork();
        }
      }
      async _next() {
      }
      async nextv(size, options) {
        if (!Number.isInteger(size)) {
          throw new TypeError("The first argument 'size' must be an integer");
        }
        options = getOptions(options, emptyOptions);
        if (size < 1) size = 1;
        if (this.#limit < Infinity) size = Math.min(size, this.#limit - this.#count);
        this.#startWork();
        try {
          if (this.#ended || size <= 0) {
            this.#ended = true;
            return [];
          }
          const items = await this._nextv(size, options);
          if (items.length === 0) {
            this.#ended = true;
            return items;
          }
          try {
            this[kDecodeMany](items);
          } catch (err) {
            throw new IteratorDecodeError(err);
          }
          this.#count += items.length;
          return items;
        } finally {
          this.#endWork();
        }
      }
      async _nextv(size, options) {
        const acc = [];
        while (acc.length < size) {
          const item = await this._next(options);
          if (item !== void 0) {
            acc.push(item);
          } else {
            this.#ended = true;
            break;
          }
        }
        return acc;
      }
      async all(options) {
        options = getOptions(options, emptyOptions);
        this.#startWork();
        try {
          if (this.#ended || this.#count >= this.#limit) {
            return [];
          }
          const items = await this._all(options);
          try {
            this[kDecodeMany](items);
          } catch (err) {
            throw new IteratorDecodeError(err);
          }
          this.#count += items.length;
          return items;
        } catch (err) {
          this.#endWork();
          await this.#destroy(err);
        } finally {
          this.#ended = true;
          if (this.#working) {
            this.#endWork();
            await this.close();
          }
        }
      }
      async _all(options) {
        let count2 = this.#count;
        const acc = [];
        while (true) {
          const size = this.#limit < Infinity ? Math.min(1e3, this.#limit - count2) : 1e3;
          if (size <= 0) {
            return acc;
          }
          const items = await this._nextv(size, options);
          if (items.length === 0) {
            return acc;
          }
          acc.push.apply(acc, items);
          count2 += items.length;
        }
      }
      seek(target, options) {
        options = getOptions(options, emptyOptions);
        if (this.#closingPromise !== null) {
        } else if (this.#working) {
          throw new ModuleError("Iterator is busy: cannot call seek() until next() has completed", {
            code: "LEVEL_ITERATOR_BUSY"
          });
        } else {
          const keyEncoding = this.db.keyEncoding(options.keyEncoding || this[kKeyEncoding]);
          const keyFormat = keyEncoding.format;
          if (options.keyEncoding !== keyFormat) {
            options = { ...options, keyEncoding: keyFormat };
          }
          const mapped = this.db.prefixKey(keyEncoding.encode(target), keyFormat, false);
          this._seek(mapped, options);
          this.#ended = false;
        }
      }
      _seek(target, options) {
        throw new ModuleError("Iterator does not implement seek()", {
          code: "LEVEL_NOT_SUPPORTED"
        });
      }
      async close() {
        if (this.#closingPromise !== null) {
          return this.#closingPromise.catch(noop);
        }
        this.#closingPromise = new Promise((resolve, reject) => {
          this.#pendingClose = () => {
            this.#pendingClose = null;
            this.#privateClose().then(resolve, reject);
          };
        });
        if (!this.#working) {
          this.#pendingClose();
        }
        return this.#closingPromise;
      }
      async _close() {
      }
      async *[Symbol.asyncIterator]() {
        try {
          let item;
          while ((item = await this.next()) !== void 0) {
            yield item;
          }
        } catch (err) {
          await this.#destroy(err);
        } finally {
          await this.close();
        }
      }
      #startWork() {
        if (this.#closingPromise !== null) {
          throw new ModuleError("Iterator is not open: cannot read after close()", {
            code: "LEVEL_ITERATOR_NOT_OPEN"
          });
        } else if (this.#working) {
          throw new ModuleError("Iterator is busy: cannot read until previous read has completed", {
            code: "LEVEL_ITERATOR_BUSY"
          });
        } else if (this.#signal?.aborted) {
          throw new AbortError();
        }
        this.#snapshot?.ref();
        this.#working = true;
      }
      #endWork() {
        this.#working = false;
        this.#pendingClose?.();
        this.#snapshot?.unref();
      }
      async #privateClose() {
        await this._close();
        this.db.detachResource(this);
      }
      async #destroy(err) {
        try {
          await this.close();
        } catch (closeErr) {
          throw combineErrors([err, closeErr]);
        }
        throw err;
      }
    };
    if (typeof Symbol.asyncDispose === "symbol") {
      CommonIterator.prototype[Symbol.asyncDispose] = async function() {
        return this.close();
      };
    }
    var AbstractIterator = class extends CommonIterator {
      #keys;
      #values;
      constructor(db, options) {
        super(db, options);
        this.#keys = options.keys !== false;
        this.#values = options.values !== false;
      }
      [kDecodeOne](entry) {
        const key = entry[0];
        const value = entry[1];
        if (key !== void 0) {
          entry[0] = this.#keys ? this[kKeyEncoding].decode(key) : void 0;
        }
        if (value !== void 0) {
          entry[1] = this.#values ? this[kValueEncoding].decode(value) : void 0;
        }
        return entry;
      }
      [kDecodeMany](entries) {
        const keyEncoding = this[kKeyEncoding];
        const valueEncoding = this[kValueEncoding];
        for (const entry of entries) {
          const key = entry[0];
          const value = entry[1];
          if (key !== void 0) entry[0] = this.#keys ? keyEncoding.decode(key) : void 0;
          if (value !== void 0) entry[1] = this.#values ? valueEncoding.decode(value) : void 0;
        }
      }
    };
    var AbstractKeyIterator = class extends CommonIterator {
      [kDecodeOne](key) {
        return this[kKeyEncoding].decode(key);
      }
      [kDecodeMany](keys) {
        const keyEncoding = this[kKeyEncoding];
        for (let i = 0; i < keys.length; i++) {
          const key = keys[i];
          if (key !== void 0) keys[i] = keyEncoding.decode(key);
        }
      }
    };
    var AbstractValueIterator = class extends CommonIterator {
      [kDecodeOne](value) {
        return this[kValueEncoding].decode(value);
      }
      [kDecodeMany](values) {
        const valueEncoding = this[kValueEncoding];
        for (let i = 0; i < values.length; i++) {
          const value = values[i];
          if (value !== void 0) values[i] = valueEncoding.decode(value);
        }
      }
    };
    var IteratorDecodeError = class extends ModuleError {
      constructor(cause) {
        super("Iterator could not decode data", {
          code: "LEVEL_DECODE_ERROR",
          cause
        });
      }
    };
    AbstractIterator.keyEncoding = kKeyEncoding;
    AbstractIterator.valueEncoding = kValueEncoding;
    exports.AbstractIterator = AbstractIterator;
    exports.AbstractKeyIterator = AbstractKeyIterator;
    exports.AbstractValueIterator = AbstractValueIterator;
  }
});

// ../../main/node_modules/abstract-level/lib/default-kv-iterator.js
var require_default_kv_iterator = __commonJS({
  "../../main/node_modules/abstract-level/lib/default-kv-iterator.js"(exports) {
    "use strict";
    var { AbstractKeyIterator, AbstractValueIterator } = require_abstract_iterator();
    var kIterator = /* @__PURE__ */ Symbol("iterator");
    var kHandleOne = /* @__PURE__ */ Symbol("handleOne");
    var kHandleMany = /* @__PURE__ */ Symbol("handleMany");
    var DefaultKeyIterator = class extends AbstractKeyIterator {
      constructor(db, options) {
        super(db, options);
        this[kIterator] = db.iterator({ ...options, keys: true, values: false });
      }
      [kHandleOne](entry) {
        return entry[0];
      }
      [kHandleMany](entries) {
        for (let i = 0; i < entries.length; i++) {
          entries[i] = entries[i][0];
        }
      }
    };
    var DefaultValueIterator = class extends AbstractValueIterator {
      constructor(db, options) {
        super(db, options);
        this[kIterator] = db.iterator({ ...options, keys: false, values: true });
      }
      [kHandleOne](entry) {
        return entry[1];
      }
      [kHandleMany](entries) {
        for (let i = 0; i < entries.length; i++) {
          entries[i] = entries[i][1];
        }
      }
    };
    for (const Iterator of [DefaultKeyIterator, DefaultValueIterator]) {
      Iterator.prototype._next = async function() {
        const entry = await this[kIterator].next();
        return entry === void 0 ? entry : this[kHandleOne](entry);
      };
      Iterator.prototype._nextv = async function(size, options) {
        const entries = await this[kIterator].nextv(size, options);
        this[kHandleMany](entries);
        return entries;
      };
      Iterator.prototype._all = async function(options) {
        const entries = await this[kIterator].all(options);
        this[kHandleMany](entries);
        return entries;
      };
      Iterator.prototype._seek = function(target, options) {
        this[kIterator].seek(target, options);
      };
      Iterator.prototype._close = async function() {
        return this[kIterator].close();
      };
    }
    exports.DefaultKeyIterator = DefaultKeyIterator;
    exports.DefaultValueIterator = DefaultValueIterator;
  }
});

// ../../main/node_modules/abstract-level/lib/deferred-iterator.js
var require_deferred_iterator = __commonJS({
  "../../main/node_modules/abstract-level/lib/deferred-iterator.js"(exports) {
    "use strict";
    var { AbstractIterator, AbstractKeyIterator, AbstractValueIterator } = require_abstract_iterator();
    var ModuleError = require_module_error();
    var kNut = /* @__PURE__ */ Symbol("nut");
    var kUndefer = /* @__PURE__ */ Symbol("undefer");
    var kFactory = /* @__PURE__ */ Symbol("factory");
    var kSignalOptions = /* @__PURE__ */ Symbol("signalOptions");
    var DeferredIterator = class extends AbstractIterator {
      constructor(db, options) {
        super(db, options);
        this[kNut] = null;
        this[kFactory] = () => db.iterator(options);
        this[kSignalOptions] = { signal: options.signal };
        this.db.defer(() => this[kUndefer](), this[kSignalOptions]);
      }
    };
    var DeferredKeyIterator = class extends AbstractKeyIterator {
      constructor(db, options) {
        super(db, options);
        this[kNut] = null;
        this[kFactory] = () => db.keys(options);
        this[kSignalOptions] = { signal: options.signal };
        this.db.defer(() => this[kUndefer](), this[kSignalOptions]);
      }
    };
    var DeferredValueIterator = class extends AbstractValueIterator {
      constructor(db, options) {
        super(db, options);
        this[kNut] = null;
        this[kFactory] = () => db.values(options);
        this[kSignalOptions] = { signal: options.signal };
        this.db.defer(() => this[kUndefer](), this[kSignalOptions]);
      }
    };
    for (const Iterator of [DeferredIterator, DeferredKeyIterator, DeferredValueIterator]) {
      Iterator.prototype[kUndefer] = function() {
        if (this.db.status === "open") {
          this[kNut] = this[kFactory]();
        }
      };
      Iterator.prototype._next = async function() {
        if (this[kNut] !== null) {
          return this[kNut].next();
        } else if (this.db.status === "opening") {
          return this.db.deferAsync(() => this._next(), this[kSignalOptions]);
        } else {
          throw new ModuleError("Iterator is not open: cannot call next() after close()", {
            code: "LEVEL_ITERATOR_NOT_OPEN"
          });
        }
      };
      Iterator.prototype._nextv = async function(size, options) {
        if (this[kNut] !== null) {
          return this[kNut].nextv(size, options);
        } else if (this.db.status === "opening") {
          return this.db.deferAsync(() => this._nextv(size, options), this[kSignalOptions]);
        } else {
          throw new ModuleError("Iterator is not open: cannot call nextv() after close()", {
            code: "LEVEL_ITERATOR_NOT_OPEN"
          });
        }
      };
      Iterator.prototype._all = async function(options) {
        if (this[kNut] !== null) {
          return this[kNut].all();
        } else if (this.db.status === "opening") {
          return this.db.deferAsync(() => this._all(options), this[kSignalOptions]);
        } else {
          throw new ModuleError("Iterator is not open: cannot call all() after close()", {
            code: "LEVEL_ITERATOR_NOT_OPEN"
          });
        }
      };
      Iterator.prototype._seek = function(target, options) {
        if (this[kNut] !== null) {
          this[kNut]._seek(target, options);
        } else if (this.db.status === "opening") {
          this.db.defer(() => this._seek(target, options), this[kSignalOptions]);
        }
      };
      Iterator.prototype._close = async function() {
        if (this[kNut] !== null) {
          return this[kNut].close();
        } else if (this.db.status === "opening") {
          return this.db.deferAsync(() => this._close());
        }
      };
    }
    exports.DeferredIterator = DeferredIterator;
    exports.DeferredKeyIterator = DeferredKeyIterator;
    exports.DeferredValueIterator = DeferredValueIterator;
  }
});

// ../../main/node_modules/abstract-level/lib/prefixes.js
var require_prefixes = __commonJS({
  "../../main/node_modules/abstract-level/lib/prefixes.js"(exports) {
    "use strict";
    exports.prefixDescendantKey = function(key, keyFormat, descendant, ancestor) {
      while (descendant !== null && descendant !== ancestor) {
        key = descendant.prefixKey(key, keyFormat, true);
        descendant = descendant.parent;
      }
      return key;
    };
    exports.isDescendant = function(db, ancestor) {
      while (true) {
        if (db.parent == null) return false;
        if (db.parent === ancestor) return true;
        db = db.parent;
      }
    };
  }
});

// ../../main/node_modules/abstract-level/lib/prewrite-batch.js
var require_prewrite_batch = __commonJS({
  "../../main/node_modules/abstract-level/lib/prewrite-batch.js"(exports) {
    "use strict";
    var { prefixDescendantKey, isDescendant } = require_prefixes();
    var PrewriteBatch = class {
      #db;
      #privateOperations;
      #publicOperations;
      constructor(db, privateOperations, publicOperations) {
        this.#db = db;
        this.#privateOperations = privateOperations;
        this.#publicOperations = publicOperations;
      }
      add(op) {
        const isPut = op.type === "put";
        const delegated = op.sublevel != null;
        const db = delegated ? op.sublevel : this.#db;
        db._assertValidKey(op.key);
        op.keyEncoding = db.keyEncoding(op.keyEncoding);
        if (isPut) {
          db._assertValidValue(op.value);
          op.valueEncoding = db.valueEncoding(op.valueEncoding);
        } else if (op.type !== "del") {
          throw new TypeError("A batch operation must have a type property that is 'put' or 'del'");
        }
        const keyEncoding = op.keyEncoding;
        const preencodedKey = keyEncoding.encode(op.key);
        const keyFormat = keyEncoding.format;
        const siblings = delegated && !isDescendant(op.sublevel, this.#db) && op.sublevel !== this.#db;
        const encodedKey = delegated && !siblings ? prefixDescendantKey(preencodedKey, keyFormat, db, this.#db) : preencodedKey;
        if (delegated && !siblings) {
          op.sublevel = null;
        }
        let publicOperation = null;
        if (this.#publicOperations !== null && !siblings) {
          publicOperation = { ...op };
          publicOperation.encodedKey = encodedKey;
          if (delegated) {
            publicOperation.key = encodedKey;
            publicOperation.keyEncoding = this.#db.keyEncoding(keyFormat);
          }
          this.#publicOperations.push(publicOperation);
        }
        op.key = siblings ? encodedKey : this.#db.prefixKey(encodedKey, keyFormat, true);
        op.keyEncoding = keyFormat;
        if (isPut) {
          const valueEncoding = op.valueEncoding;
          const encodedValue = valueEncoding.encode(op.value);
          const valueFormat = valueEncoding.format;
          op.value = encodedValue;
          op.valueEncoding = valueFormat;
          if (publicOperation !== null) {
            publicOperation.encodedValue = encodedValue;
            if (delegated) {
              publicOperation.value = encodedValue;
              publicOperation.valueEncoding = this.#db.valueEncoding(valueFormat);
            }
          }
        }
        this.#privateOperations.push(op);
        return this;
      }
    };
    exports.PrewriteBatch = PrewriteBatch;
  }
});

// ../../main/node_modules/abstract-level/abstract-chained-batch.js
var require_abstract_chained_batch = __commonJS({
  "../../main/node_modules/abstract-level/abstract-chained-batch.js"(exports) {
    "use strict";
    var combineErrors = require_maybe_combine_errors();
    var ModuleError = require_module_error();
    var { getOptions, emptyOptions, noop } = require_common();
    var { prefixDescendantKey, isDescendant } = require_prefixes();
    var { PrewriteBatch } = require_prewrite_batch();
    var kPublicOperations = /* @__PURE__ */ Symbol("publicOperations");
    var kPrivateOperations = /* @__PURE__ */ Symbol("privateOperations");
    var AbstractChainedBatch = class {
      #status = "open";
      #length = 0;
      #closePromise = null;
      #publicOperations;
      #prewriteRun;
      #prewriteBatch;
      #prewriteData;
      #addMode;
      constructor(db, options) {
        if (typeof db !== "object" || db === null) {
          const hint = db === null ? "null" : typeof db;
          throw new TypeError(`The first argument must be an abstract-level database, received ${hint}`);
        }
        const enableWriteEvent = db.listenerCount("write") > 0;
        const enablePrewriteHook = !db.hooks.prewrite.noop;
        this.#publicOperations = enableWriteEvent ? [] : null;
        this.#addMode = getOptions(options, emptyOptions).add === true;
        if (enablePrewriteHook) {
          const data = new PrewriteData([], enableWriteEvent ? [] : null);
          this.#prewriteData = data;
          this.#prewriteBatch = new PrewriteBatch(db, data[kPrivateOperations], data[kPublicOperations]);
          this.#prewriteRun = db.hooks.prewrite.run;
        } else {
          this.#prewriteData = null;
          this.#prewriteBatch = null;
          this.#prewriteRun = null;
        }
        this.db = db;
        this.db.attachResource(this);
      }
      get length() {
        if (this.#prewriteData !== null) {
          return this.#length + this.#prewriteData.length;
        } else {
          return this.#length;
        }
      }
      put(key, value, options) {
        this.#assertStatus();
        options = getOptions(options, emptyOptions);
        const delegated = options.sublevel != null;
        const db = delegated ? options.sublevel : this.db;
        db._assertValidKey(key);
        db._assertValidValue(value);
        const op = {
          ...options,
          type: "put",
          key,
          value,
          keyEncoding: db.keyEncoding(options.keyEncoding),
          valueEncoding: db.valueEncoding(options.valueEncoding)
        };
        if (this.#prewriteRun !== null) {
          try {
            this.#prewriteRun(op, this.#prewriteBatch);
            op.keyEncoding = db.keyEncoding(op.keyEncoding);
            op.valueEncoding = db.valueEncoding(op.valueEncoding);
          } catch (err) {
            throw new ModuleError("The prewrite hook failed on batch.put()", {
              code: "LEVEL_HOOK_ERROR",
              cause: err
            });
          }
        }
        const keyEncoding = op.keyEncoding;
        const preencodedKey = keyEncoding.encode(op.key);
        const keyFormat = keyEncoding.format;
        const siblings = delegated && !isDescendant(op.sublevel, this.db) && op.sublevel !== this.db;
        const encodedKey = delegated && !siblings ? prefixDescendantKey(preencodedKey, keyFormat, db, this.db) : preencodedKey;
        const valueEncoding = op.valueEncoding;
        const encodedValue = valueEncoding.encode(op.value);
        const valueFormat = valueEncoding.format;
        if (delegated && !siblings) {
          op.sublevel = null;
        }
        if (this.#publicOperations !== null && !siblings) {
          const publicOperation = { ...op };
          publicOperation.encodedKey = encodedKey;
          publicOperation.encodedValue = encodedValue;
          if (delegated) {
            publicOperation.key = encodedKey;
            publicOperation.value = encodedValue;
            publicOperation.keyEncoding = this.db.keyEncoding(keyFormat);
            publicOperation.valueEncoding = this.db.valueEncoding(valueFormat);
          }
          this.#publicOperations.push(publicOperation);
        }
        op.key = siblings ? encodedKey : this.db.prefixKey(encodedKey, keyFormat, true);
        op.value = encodedValue;
        op.keyEncoding = keyFormat;
        op.valueEncoding = valueFormat;
        if (this.#addMode) {
          this._add(op);
        } else {
          this._put(op.key, encodedValue, op);
        }
        this.#length++;
        return this;
      }
      _put(key, value, options) {
      }
      del(key, options) {
        this.#assertStatus();
        options = getOptions(options, emptyOptions);
        const delegated = options.sublevel != null;
        const db = delegated ? options.sublevel : this.db;
        db._assertValidKey(key);
        const op = {
          ...options,
          type: "del",
          key,
          keyEncoding: db.keyEncoding(options.keyEncoding)
        };
        if (this.#prewriteRun !== null) {
          try {
            this.#prewriteRun(op, this.#prewriteBatch);
            op.keyEncoding = db.keyEncoding(op.keyEncoding);
          } catch (err) {
            throw new ModuleError("The prewrite hook failed on batch.del()", {
              code: "LEVEL_HOOK_ERROR",
              cause: err
            });
          }
        }
        const keyEncoding = op.keyEncoding;
        const preencodedKey = keyEncoding.encode(op.key);
        const keyFormat = keyEncoding.format;
        const encodedKey = delegated ? prefixDescendantKey(preencodedKey, keyFormat, db, this.db) : preencodedKey;
        if (delegated) op.sublevel = null;
        if (this.#publicOperations !== null) {
          const publicOperation = { ...op };
          publicOperation.encodedKey = encodedKey;
          if (delegated) {
            publicOperation.key = encodedKey;
            publicOperation.keyEncoding = this.db.keyEncoding(keyFormat);
          }
          this.#publicOperations.push(publicOperation);
        }
        op.key = this.db.prefixKey(encodedKey, keyFormat, true);
        op.keyEncoding = keyFormat;
        if (this.#addMode) {
          this._add(op);
        } else {
          this._del(op.key, op);
        }
        this.#length++;
        return this;
      }
      _del(key, options) {
      }
      _add(op) {
      }
      clear() {
        this.#assertStatus();
        this._clear();
        if (this.#publicOperations !== null) this.#publicOperations = [];
        if (this.#prewriteData !== null) this.#prewriteData.clear();
        this.#length = 0;
        return this;
      }
      _clear() {
      }
      async write(options) {
        this.#assertStatus();
        options = getOptions(options);
        if (this.#length === 0) {
          return this.close();
        } else {
          this.#status = "writing";
          const close = this.#prepareClose();
          try {
            if (this.#prewriteData !== null) {
              const publicOperations = this.#prewriteData[kPublicOperations];
              const privateOperations = this.#prewriteData[kPrivateOperations];
              const length = this.#prewriteData.length;
              for (let i = 0; i < length; i++) {
                const op = privateOperations[i];
                if (this.#addMode) {
                  this._add(op);
                } else if (op.type === "put") {
                  this._put(op.key, op.value, op);
                } else {
                  this._del(op.key, op);
                }
              }
              if (publicOperations !== null && length !== 0) {
                this.#publicOperations = this.#publicOperations.concat(publicOperations);
              }
            }
            await this._write(options);
          } catch (err) {
            close();
            try {
              await this.#closePromise;
            } catch (closeErr) {
              err = combineErrors([err, closeErr]);
            }
            throw err;
          }
          close();
          if (this.#publicOperations !== null) {
            this.db.emit("write", this.#publicOperations);
          }
          return this.#closePromise;
        }
      }
      async _write(options) {
      }
      async close() {
        if (this.#closePromise !== null) {
          return this.#closePromise.catch(noop);
        } else {
          this.#prepareClose()();
          return this.#closePromise;
        }
      }
      async _close() {
      }
      #assertStatus() {
        if (this.#status !== "open") {
          throw new ModuleError("Batch is not open: cannot change operations after write() or close()", {
            code: "LEVEL_BATCH_NOT_OPEN"
          });
        }
        if (this.db.status !== "open") {
          throw new ModuleError("Database is not open", {
            code: "LEVEL_DATABASE_NOT_OPEN"
          });
        }
      }
      #prepareClose() {
        let close;
        this.#closePromise = new Promise((resolve, reject) => {
          close = () => {
            this.#privateClose().then(resolve, reject);
          };
        });
        return close;
      }
      async #privateClose() {
        this.#status = "closing";
        await this._close();
        this.db.detachResource(this);
      }
    };
    if (typeof Symbol.asyncDispose === "symbol") {
      AbstractChainedBatch.prototype[Symbol.asyncDispose] = async function() {
        return this.close();
      };
    }
    var PrewriteData = class {
      constructor(privateOperations, publicOperations) {
        this[kPrivateOperations] = privateOperations;
        this[kPublicOperations] = publicOperations;
      }
      get length() {
        return this[kPrivateOperations].length;
      }
      clear() {
        for (const k of [kPublicOperations, kPrivateOperations]) {
          const ops = this[k];
          if (ops !== null) {
            ops.splice(0, ops.length);
          }
        }
      }
    };
    exports.AbstractChainedBatch = AbstractChainedBatch;
  }
});

// ../../main/node_modules/abstract-level/lib/default-chained-batch.js
var require_default_chained_batch = __commonJS({
  "../../main/node_modules/abstract-level/lib/default-chained-batch.js"(exports) {
    "use strict";
    var { AbstractChainedBatch } = require_abstract_chained_batch();
    var DefaultChainedBatch = class extends AbstractChainedBatch {
      #encoded = [];
      constructor(db) {
        super(db, { add: true });
      }
      _add(op) {
        this.#encoded.push(op);
      }
      _clear() {
        this.#encoded = [];
      }
      async _write(options) {
        return this.db._batch(this.#encoded, options);
      }
    };
    exports.DefaultChainedBatch = DefaultChainedBatch;
  }
});

// ../../main/node_modules/abstract-level/lib/hooks.js
var require_hooks = __commonJS({
  "../../main/node_modules/abstract-level/lib/hooks.js"(exports) {
    "use strict";
    var { noop } = require_common();
    var DatabaseHooks = class {
      constructor() {
        this.postopen = new Hook({ async: true });
        this.prewrite = new Hook({ async: false });
        this.newsub = new Hook({ async: false });
      }
    };
    var Hook = class {
      #functions = /* @__PURE__ */ new Set();
      #isAsync;
      constructor(options) {
        this.#isAsync = options.async;
        this.noop = true;
        this.run = this.#runner();
      }
      add(fn) {
        assertFunction(fn);
        this.#functions.add(fn);
        this.noop = false;
        this.run = this.#runner();
      }
      delete(fn) {
        assertFunction(fn);
        this.#functions.delete(fn);
        this.noop = this.#functions.size === 0;
        this.run = this.#runner();
      }
      #runner() {
        if (this.noop) {
          return noop;
        } else if (this.#functions.size === 1) {
          const [fn] = this.#functions;
          return fn;
        } else if (this.#isAsync) {
          const run = async function(functions, ...args) {
            for (const fn of functions) {
              await fn(...args);
            }
          };
          return run.bind(null, Array.from(this.#functions));
        } else {
          const run = function(functions, ...args) {
            for (const fn of functions) {
              fn(...args);
            }
          };
          return run.bind(null, Array.from(this.#functions));
        }
      }
    };
    var assertFunction = function(fn) {
      if (typeof fn !== "function") {
        const hint = fn === null ? "null" : typeof fn;
        throw new TypeError(`The first argument must be a function, received ${hint}`);
      }
    };
    exports.DatabaseHooks = DatabaseHooks;
  }
});

// ../../main/node_modules/abstract-level/lib/event-monitor.js
var require_event_monitor = __commonJS({
  "../../main/node_modules/abstract-level/lib/event-monitor.js"(exports) {
    "use strict";
    var { deprecate } = require_common();
    exports.EventMonitor = class EventMonitor {
      constructor(emitter) {
        this.write = false;
        const beforeAdded = (name) => {
          if (name === "write") {
            this.write = true;
          }
          if (name === "put" || name === "del" || name === "batch") {
            deprecate(`The '${name}' event has been removed in favor of 'write'`);
          }
        };
        const afterRemoved = (name) => {
          if (name === "write") {
            this.write = emitter.listenerCount("write") > 0;
          }
        };
        emitter.on("newListener", beforeAdded);
        emitter.on("removeListener", afterRemoved);
      }
    };
  }
});

// ../../main/node_modules/abstract-level/lib/deferred-queue.js
var require_deferred_queue = __commonJS({
  "../../main/node_modules/abstract-level/lib/deferred-queue.js"(exports) {
    "use strict";
    var { getOptions, emptyOptions } = require_common();
    var { AbortError } = require_errors();
    var DeferredOperation = class {
      constructor(fn, signal) {
        this.fn = fn;
        this.signal = signal;
      }
    };
    var DeferredQueue = class {
      #operations;
      #signals;
      constructor() {
        this.#operations = [];
        this.#signals = /* @__PURE__ */ new Set();
      }
      add(fn, options) {
        options = getOptions(options, emptyOptions);
        const signal = options.signal;
        if (signal == null) {
          this.#operations.push(new DeferredOperation(fn, null));
          return;
        }
        if (signal.aborted) {
          fn(new AbortError());
          return;
        }
        if (!this.#signals.has(signal)) {
          this.#signals.add(signal);
          signal.addEventListener("abort", this.#handleAbort, { once: true });
        }
        this.#operations.push(new DeferredOperation(fn, signal));
      }
      drain() {
        const operations = this.#operations;
        const signals = this.#signals;
        this.#operations = [];
        this.#signals = /* @__PURE__ */ new Set();
        for (const signal of signals) {
          signal.removeEventListener("abort", this.#handleAbort);
        }
        for (const operation of operations) {
          operation.fn.call(null);
        }
      }
      #handleAbort = (ev) => {
        const signal = ev.target;
        const err = new AbortError();
        const aborted = [];
        this.#operations = this.#operations.filter(function(operation) {
          if (operation.signal !== null && operation.signal === signal) {
            aborted.push(operation);
            return false;
          } else {
            return true;
          }
        });
        this.#signals.delete(signal);
        for (const operation of aborted) {
          operation.fn.call(null, err);
        }
      };
    };
    exports.DeferredQueue = DeferredQueue;
  }
});

// ../../main/node_modules/abstract-level/lib/range-options.js
var require_range_options = __commonJS({
  "../../main/node_modules/abstract-level/lib/range-options.js"(exports, module) {
    "use strict";
    var hasOwnProperty = Object.prototype.hasOwnProperty;
    var rangeOptions = /* @__PURE__ */ new Set(["lt", "lte", "gt", "gte"]);
    module.exports = function(options, keyEncoding) {
      const result = {};
      for (const k in options) {
        if (!hasOwnProperty.call(options, k)) continue;
        if (k === "keyEncoding" || k === "valueEncoding") continue;
        if (rangeOptions.has(k)) {
          result[k] = keyEncoding.encode(options[k]);
        } else {
          result[k] = options[k];
        }
      }
      result.reverse = !!result.reverse;
      result.limit = Number.isInteger(result.limit) && result.limit >= 0 ? result.limit : -1;
      return result;
    };
  }
});

// ../../main/node_modules/abstract-level/lib/abstract-sublevel-iterator.js
var require_abstract_sublevel_iterator = __commonJS({
  "../../main/node_modules/abstract-level/lib/abstract-sublevel-iterator.js"(exports) {
    "use strict";
    var { AbstractIterator, AbstractKeyIterator, AbstractValueIterator } = require_abstract_iterator();
    var AbstractSublevelIterator = class extends AbstractIterator {
      #iterator;
      #unfix;
      constructor(db, options, iterator, unfix) {
        super(db, options);
        this.#iterator = iterator;
        this.#unfix = unfix;
      }
      async _next() {
        const entry = await this.#iterator.next();
        if (entry !== void 0) {
          const key = entry[0];
          if (key !== void 0) entry[0] = this.#unfix(key);
        }
        return entry;
      }
      async _nextv(size, options) {
        const entries = await this.#iterator.nextv(size, options);
        const unfix = this.#unfix;
        for (const entry of entries) {
          const key = entry[0];
          if (key !== void 0) entry[0] = unfix(key);
        }
        return entries;
      }
      async _all(options) {
        const entries = await this.#iterator.all(options);
        const unfix = this.#unfix;
        for (const entry of entries) {
          const key = entry[0];
          if (key !== void 0) entry[0] = unfix(key);
        }
        return entries;
      }
      _seek(target, options) {
        this.#iterator.seek(target, options);
      }
      async _close() {
        return this.#iterator.close();
      }
    };
    var AbstractSublevelKeyIterator = class extends AbstractKeyIterator {
      #iterator;
      #unfix;
      constructor(db, options, iterator, unfix) {
        super(db, options);
        this.#iterator = iterator;
        this.#unfix = unfix;
      }
      async _next() {
        const key = await this.#iterator.next();
        return key === void 0 ? key : this.#unfix(key);
      }
      async _nextv(size, options) {
        const keys = await this.#iterator.nextv(size, options);
        const unfix = this.#unfix;
        for (let i = 0; i < keys.length; i++) {
          const key = keys[i];
          if (key !== void 0) keys[i] = unfix(key);
        }
        return keys;
      }
      async _all(options) {
        const keys = await this.#iterator.all(options);
        const unfix = this.#unfix;
        for (let i = 0; i < keys.length; i++) {
          const key = keys[i];
          if (key !== void 0) keys[i] = unfix(key);
        }
        return keys;
      }
      _seek(target, options) {
        this.#iterator.seek(target, options);
      }
      async _close() {
        return this.#iterator.close();
      }
    };
    var AbstractSublevelValueIterator = class extends AbstractValueIterator {
      #iterator;
      constructor(db, options, iterator) {
        super(db, options);
        this.#iterator = iterator;
      }
      async _next() {
        return this.#iterator.next();
      }
      async _nextv(size, options) {
        return this.#iterator.nextv(size, options);
      }
      async _all(options) {
        return this.#iterator.all(options);
      }
      _seek(target, options) {
        this.#iterator.seek(target, options);
      }
      async _close() {
        return this.#iterator.close();
      }
    };
    exports.AbstractSublevelIterator = AbstractSublevelIterator;
    exports.AbstractSublevelKeyIterator = AbstractSublevelKeyIterator;
    exports.AbstractSublevelValueIterator = AbstractSublevelValueIterator;
  }
});

// ../../main/node_modules/abstract-level/lib/abstract-sublevel.js
var require_abstract_sublevel = __commonJS({
  "../../main/node_modules/abstract-level/lib/abstract-sublevel.js"(exports, module) {
    "use strict";
    var ModuleError = require_module_error();
    var { Buffer: Buffer2 } = __require("buffer") || {};
    var {
      AbstractSublevelIterator,
      AbstractSublevelKeyIterator,
      AbstractSublevelValueIterator
    } = require_abstract_sublevel_iterator();
    var kRoot = /* @__PURE__ */ Symbol("root");
    var textEncoder = new TextEncoder();
    var defaults = { separator: "!" };
    module.exports = function({ AbstractLevel }) {
      class AbstractSublevel extends AbstractLevel {
        #globalPrefix;
        #localPrefix;
        #localPath;
        #globalPath;
        #globalUpperBound;
        #parent;
        #unfix;
        static defaults(options) {
          if (options == null) {
            return defaults;
          } else if (!options.separator) {
            return { ...options, separator: "!" };
          } else {
            return options;
          }
        }
        constructor(db, name, options) {
          const { separator, manifest, ...forward } = AbstractSublevel.defaults(options);
          const names = [].concat(name).map((name2) => trim(name2, separator));
          const reserved = separator.charCodeAt(0) + 1;
          const root = db[kRoot] || db;
          if (!names.every((name2) => textEncoder.encode(name2).every((x) => x > reserved && x < 127))) {
            throw new ModuleError(`Sublevel name must use bytes > ${reserved} < ${127}`, {
              code: "LEVEL_INVALID_PREFIX"
            });
          }
          super(mergeManifests(db, manifest), forward);
          const localPrefix = names.map((name2) => separator + name2 + separator).join("");
          const globalPrefix = (db.prefix || "") + localPrefix;
          const globalUpperBound = globalPrefix.slice(0, -1) + String.fromCharCode(reserved);
          this[kRoot] = root;
          this.#parent = db;
          this.#localPath = names;
          this.#globalPath = db.prefix ? db.path().concat(names) : names;
          this.#globalPrefix = new MultiFormat(globalPrefix);
          this.#globalUpperBound = new MultiFormat(globalUpperBound);
          this.#localPrefix = new MultiFormat(localPrefix);
          this.#unfix = new Unfixer();
        }
        prefixKey(key, keyFormat, local) {
          const prefix = local ? this.#localPrefix : this.#globalPrefix;
          if (keyFormat === "utf8") {
            return prefix.utf8 + key;
          } else if (key.byteLength === 0) {
            return prefix[keyFormat];
          } else if (keyFormat === "view") {
            const view = prefix.view;
            const result = new Uint8Array(view.byteLength + key.byteLength);
            result.set(view, 0);
            result.set(key, view.byteLength);
            return result;
          } else {
            const buffer = prefix.buffer;
            return Buffer2.concat([buffer, key], buffer.byteLength + key.byteLength);
          }
        }
        // Not exposed for now.
        #prefixRange(range, keyFormat) {
          if (range.gte !== void 0) {
            range.gte = this.prefixKey(range.gte, keyFormat, false);
          } else if (range.gt !== void 0) {
            range.gt = this.prefixKey(range.gt, keyFormat, false);
          } else {
            range.gte = this.#globalPrefix[keyFormat];
          }
          if (range.lte !== void 0) {
            range.lte = this.prefixKey(range.lte, keyFormat, false);
          } else if (range.lt !== void 0) {
            range.lt = this.prefixKey(range.lt, keyFormat, false);
          } else {
            range.lte = this.#globalUpperBound[keyFormat];
          }
        }
        get prefix() {
          return this.#globalPrefix.utf8;
        }
        get db() {
          return this[kRoot];
        }
        get parent() {
          return this.#parent;
        }
        path(local = false) {
          return local ? this.#localPath : this.#globalPath;
        }
        async _open(options) {
          await this.#parent.open({ passive: true });
          this.#parent.attachResource(this);
        }
        async _close() {
          this.#parent.detachResource(this);
        }
        async _put(key, value, options) {
          return this.#parent.put(key, value, options);
        }
        async _get(key, options) {
          return this.#parent.get(key, options);
        }
        _getSync(key, options) {
          return this.#parent.getSync(key, options);
        }
        async _getMany(keys, options) {
          return this.#parent.getMany(keys, options);
        }
        async _has(key, options) {
          return this.#parent.has(key, options);
        }
        async _hasMany(keys, options) {
          return this.#parent.hasMany(keys, options);
        }
        async _del(key, options) {
          return this.#parent.del(key, options);
        }
        async _batch(operations, options) {
          return this.#parent.batch(operations, options);
        }
        // TODO: call parent instead of root
        async _clear(options) {
          this.#prefixRange(options, options.keyEncoding);
          return this[kRoot].clear(options);
        }
        // TODO: call parent instead of root
        _iterator(options) {
          this.#prefixRange(options, options.keyEncoding);
          const iterator = this[kRoot].iterator(options);
          const unfix = this.#unfix.get(this.#globalPrefix.utf8.length, options.keyEncoding);
          return new AbstractSublevelIterator(this, options, iterator, unfix);
        }
        _keys(options) {
          this.#prefixRange(options, options.keyEncoding);
          const iterator = this[kRoot].keys(options);
          const unfix = this.#unfix.get(this.#globalPrefix.utf8.length, options.keyEncoding);
          return new AbstractSublevelKeyIterator(this, options, iterator, unfix);
        }
        _values(options) {
          this.#prefixRange(options, options.keyEncoding);
          const iterator = this[kRoot].values(options);
          return new AbstractSublevelValueIterator(this, options, iterator);
        }
        _snapshot(options) {
          return this[kRoot].snapshot(options);
        }
      }
      return { AbstractSublevel };
    };
    var mergeManifests = function(parent, manifest) {
      return {
        // Inherit manifest of parent db
        ...parent.supports,
        // Disable unsupported features
        createIfMissing: false,
        errorIfExists: false,
        // Unset additional events because we're not forwarding them
        events: {},
        // Unset additional methods (like approximateSize) which we can't support here unless
        // the AbstractSublevel class is overridden by an implementation of `abstract-level`.
        additionalMethods: {},
        // Inherit manifest of custom AbstractSublevel subclass. Such a class is not
        // allowed to override encodings.
        ...manifest,
        encodings: {
          utf8: supportsEncoding(parent, "utf8"),
          buffer: supportsEncoding(parent, "buffer"),
          view: supportsEncoding(parent, "view")
        }
      };
    };
    var supportsEncoding = function(parent, encoding) {
      return parent.supports.encodings[encoding] ? parent.keyEncoding(encoding).name === encoding : false;
    };
    var MultiFormat = class {
      constructor(key) {
        this.utf8 = key;
        this.view = textEncoder.encode(key);
        this.buffer = Buffer2 ? Buffer2.from(this.view.buffer, 0, this.view.byteLength) : {};
      }
    };
    var Unfixer = class {
      constructor() {
        this.cache = /* @__PURE__ */ new Map();
      }
      get(prefixLength, keyFormat) {
        let unfix = this.cache.get(keyFormat);
        if (unfix === void 0) {
          if (keyFormat === "view") {
            unfix = function(prefixLength2, key) {
              return key.subarray(prefixLength2);
            }.bind(null, prefixLength);
          } else {
            unfix = function(prefixLength2, key) {
              return key.slice(prefixLength2);
            }.bind(null, prefixLength);
          }
          this.cache.set(keyFormat, unfix);
        }
        return unfix;
      }
    };
    var trim = function(str, char) {
      let start = 0;
      let end = str.length;
      while (start < end && str[start] === char) start++;
      while (end > start && str[end - 1] === char) end--;
      return str.slice(start, end);
    };
  }
});

// ../../main/node_modules/abstract-level/abstract-level.js
var require_abstract_level = __commonJS({
  "../../main/node_modules/abstract-level/abstract-level.js"(exports) {
    "use strict";
    var { supports } = require_level_supports();
    var { Transcoder } = require_level_transcoder();
    var { EventEmitter } = __require("events");
    var ModuleError = require_module_error();
    var combineErrors = require_maybe_combine_errors();
    var { AbstractIterator } = require_abstract_iterator();
    var { DefaultKeyIterator, DefaultValueIterator } = require_default_kv_iterator();
    var { DeferredIterator, DeferredKeyIterator, DeferredValueIterator } = require_deferred_iterator();
    var { DefaultChainedBatch } = require_default_chained_batch();
    var { DatabaseHooks } = require_hooks();
    var { PrewriteBatch } = require_prewrite_batch();
    var { EventMonitor } = require_event_monitor();
    var { getOptions, noop, emptyOptions, resolvedPromise } = require_common();
    var { prefixDescendantKey, isDescendant } = require_prefixes();
    var { DeferredQueue } = require_deferred_queue();
    var rangeOptions = require_range_options();
    var AbstractLevel = class extends EventEmitter {
      #status = "opening";
      #deferOpen = true;
      #statusChange = null;
      #statusLocked = false;
      #resources;
      #queue;
      #options;
      #defaultOptions;
      #transcoder;
      #keyEncoding;
      #valueEncoding;
      #eventMonitor;
      constructor(manifest, options) {
        super();
        if (typeof manifest !== "object" || manifest === null) {
          throw new TypeError("The first argument 'manifest' must be an object");
        }
        options = getOptions(options);
        const { keyEncoding, valueEncoding, passive, ...forward } = options;
        this.#resources = /* @__PURE__ */ new Set();
        this.#queue = new DeferredQueue();
        this.#options = forward;
        const implicitSnapshots = manifest.snapshots !== false && manifest.implicitSnapshots !== false;
        this.hooks = new DatabaseHooks();
        this.supports = supports(manifest, {
          deferredOpen: true,
          seek: true,
          implicitSnapshots,
          permanence: manifest.permanence !== false,
          encodings: manifest.encodings || {},
          events: {
            ...manifest.events,
            opening: true,
            open: true,
            closing: true,
            closed: true,
            write: true,
            clear: true
          }
        });
        this.#eventMonitor = new EventMonitor(this);
        this.#transcoder = new Transcoder(formats(this));
        this.#keyEncoding = this.#transcoder.encoding(keyEncoding || "utf8");
        this.#valueEncoding = this.#transcoder.encoding(valueEncoding || "utf8");
        for (const encoding of this.#transcoder.encodings()) {
          if (!this.supports.encodings[encoding.commonName]) {
            this.supports.encodings[encoding.commonName] = true;
          }
        }
        this.#defaultOptions = {
          empty: emptyOptions,
          entry: Object.freeze({
            keyEncoding: this.#keyEncoding.commonName,
            valueEncoding: this.#valueEncoding.commonName
          }),
          entryFormat: Object.freeze({
            keyEncoding: this.#keyEncoding.format,
            valueEncoding: this.#valueEncoding.format
          }),
          key: Object.freeze({
            keyEncoding: this.#keyEncoding.commonName
          }),
          keyFormat: Object.freeze({
            keyEncoding: this.#keyEncoding.format
          }),
          owner: Object.freeze({
            owner: this
          })
        };
        queueMicrotask(() => {
          if (this.#deferOpen) {
            this.open({ passive: false }).catch(noop);
          }
        });
      }
      get status() {
        return this.#status;
      }
      get parent() {
        return null;
      }
      keyEncoding(encoding) {
        return this.#transcoder.encoding(encoding ?? this.#keyEncoding);
      }
      valueEncoding(encoding) {
        return this.#transcoder.encoding(encoding ?? this.#valueEncoding);
      }
      async open(options) {
        options = { ...this.#options, ...getOptions(options) };
        options.createIfMissing = options.createIfMissing !== false;
        options.errorIfExists = !!options.errorIfExists;
        const postopen = this.hooks.postopen.noop ? null : this.hooks.postopen.run;
        const passive = options.passive;
        if (passive && this.#deferOpen) {
          await void 0;
        }
        this.#assertUnlocked();
        while (this.#statusChange !== null) await this.#statusChange.catch(noop);
        this.#assertUnlocked();
        if (passive) {
          if (this.#status !== "open") throw new NotOpenError();
        } else if (this.#status === "closed" || this.#deferOpen) {
          this.#deferOpen = false;
          this.#statusChange = resolvedPromise;
          this.#statusChange = (async () => {
            this.#status = "opening";
            try {
              this.emit("opening");
              await this._open(options);
            } catch (err) {
              this.#status = "closed";
              this.#queue.drain();
              try {
                await this.#closeResources();
              } catch (resourceErr) {
                err = combineErrors([err, resourceErr]);
              }
              throw new NotOpenError(err);
            }
            this.#status = "open";
            if (postopen !== null) {
              let hookErr;
              try {
                this.#statusLocked = true;
                await postopen(options);
              } catch (err) {
                hookErr = convertRejection(err);
              } finally {
                this.#statusLocked = false;
              }
              if (hookErr) {
                this.#status = "closing";
                this.#queue.drain();
                try {
                  await this.#closeResources();
                  await this._close();
                } catch (closeErr) {
                  this.#statusLocked = true;
                  hookErr = combineErrors([hookErr, closeErr]);
                }
                this.#status = "closed";
                throw new ModuleError("The postopen hook failed on open()", {
                  code: "LEVEL_HOOK_ERROR",
                  cause: hookErr
                });
              }
            }
            this.#queue.drain();
            this.emit("open");
          })();
          try {
            await this.#statusChange;
          } finally {
            this.#statusChange = null;
          }
        } else if (this.#status !== "open") {
          throw new NotOpenError();
        }
      }
      async _open(options) {
      }
      async close() {
        this.#assertUnlocked();
        while (this.#statusChange !== null) await this.#statusChange.catch(noop);
        this.#assertUnlocked();
        if (this.#status === "open" || this.#deferOpen) {
          const fromInitial = this.#deferOpen;
          this.#deferOpen = false;
          this.#statusChange = resolvedPromise;
          this.#statusChange = (async () => {
            this.#status = "closing";
            this.#queue.drain();
            try {
              this.emit("closing");
              await this.#closeResources();
              if (!fromInitial) await this._close();
            } catch (err) {
              this.#status = "open";
              this.#queue.drain();
              throw new NotClosedError(err);
            }
            this.#status = "closed";
            this.#queue.drain();
            this.emit("closed");
          })();
          try {
            await this.#statusChange;
          } finally {
            this.#statusChange = null;
          }
        } else if (this.#status !== "closed") {
          throw new NotClosedError();
        }
      }
      async #closeResources() {
        if (this.#resources.size === 0) {
          return;
        }
        const resources = Array.from(this.#resources);
        const promises = resources.map(closeResource);
        const results = await Promise.allSettled(promises);
        const errors = [];
        for (let i = 0; i < results.length; i++) {
          if (results[i].status === "fulfilled") {
            this.#resources.delete(resources[i]);
          } else {
            errors.push(convertRejection(results[i].reason));
          }
        }
        if (errors.length > 0) {
          throw combineErrors(errors);
        }
      }
      async _close() {
      }
      async get(key, options) {
        options = getOptions(options, this.#defaultOptions.entry);
        if (this.#status === "opening") {
          return this.deferAsync(() => this.get(key, options));
        }
        this.#assertOpen();
        this._assertValidKey(key);
        const snapshot = options.snapshot;
        const keyEncoding = this.keyEncoding(options.keyEncoding);
        const valueEncoding = this.valueEncoding(options.valueEncoding);
        const keyFormat = keyEncoding.format;
        const valueFormat = valueEncoding.format;
        if (options === this.#defaultOptions.entry) {
          options = this.#defaultOptions.entryFormat;
        } else if (options.keyEncoding !== keyFormat || options.valueEncoding !== valueFormat) {
          options = { ...options, keyEncoding: keyFormat, valueEncoding: valueFormat };
        }
        const encodedKey = keyEncoding.encode(key);
        const mappedKey = this.prefixKey(encodedKey, keyFormat, true);
        snapshot?.ref();
        let value;
        try {
          value = await this._get(mappedKey, options);
        } finally {
          snapshot?.unref();
        }
        try {
          return value === void 0 ? value : valueEncoding.decode(value);
        } catch (err) {
          throw new ModuleError("Could not decode value", {
            code: "LEVEL_DECODE_ERROR",
            cause: err
          });
        }
      }
      async _get(key, options) {
        return void 0;
      }
      getSync(key, options) {
        if (this.status !== "open") {
          throw new ModuleError("Database is not open", {
            code: "LEVEL_DATABASE_NOT_OPEN"
          });
        }
        this._assertValidKey(key);
        if (options == null) {
          const encodedKey2 = this.#keyEncoding.encode(key);
          const mappedKey2 = this.prefixKey(encodedKey2, this.#keyEncoding.format, true);
          const value2 = this._getSync(mappedKey2, this.#defaultOptions.entryFormat);
          try {
            return value2 !== void 0 ? this.#valueEncoding.decode(value2) : void 0;
          } catch (err) {
            throw new ModuleError("Could not decode value", {
              code: "LEVEL_DECODE_ERROR",
              cause: err
            });
          }
        }
        const snapshot = options.snapshot;
        const keyEncoding = this.keyEncoding(options.keyEncoding);
        const valueEncoding = this.valueEncoding(options.valueEncoding);
        const keyFormat = keyEncoding.format;
        const valueFormat = valueEncoding.format;
        if (options.keyEncoding !== keyFormat || options.valueEncoding !== valueFormat) {
          options = { ...options, keyEncoding: keyFormat, valueEncoding: valueFormat };
        }
        const encodedKey = keyEncoding.encode(key);
        const mappedKey = this.prefixKey(encodedKey, keyFormat, true);
        let value;
        snapshot?.ref();
        try {
          value = this._getSync(mappedKey, options);
        } finally {
          snapshot?.unref();
        }
        try {
          return value !== void 0 ? valueEncoding.decode(value) : void 0;
        } catch (err) {
          throw new ModuleError("Could not decode value", {
            code: "LEVEL_DECODE_ERROR",
            cause: err
          });
        }
      }
      _getSync(key, options) {
        throw new ModuleError("Database does not support getSync()", {
          code: "LEVEL_NOT_SUPPORTED"
        });
      }
      async getMany(keys, options) {
        options = getOptions(options, this.#defaultOptions.entry);
        if (this.#status === "opening") {
          return this.deferAsync(() => this.getMany(keys, options));
        }
        this.#assertOpen();
        if (!Array.isArray(keys)) {
          throw new TypeError("The first argument 'keys' must be an array");
        }
        if (keys.length === 0) {
          return [];
        }
        const snapshot = options.snapshot;
        const keyEncoding = this.keyEncoding(options.keyEncoding);
        const valueEncoding = this.valueEncoding(options.valueEncoding);
        const keyFormat = keyEncoding.format;
        const valueFormat = valueEncoding.format;
        if (options === this.#defaultOptions.entry) {
          options = this.#defaultOptions.entryFormat;
        } else if (options.keyEncoding !== keyFormat || options.valueEncoding !== valueFormat) {
          options = { ...options, keyEncoding: keyFormat, valueEncoding: valueFormat };
        }
        const mappedKeys = new Array(keys.length);
        for (let i = 0; i < keys.length; i++) {
          const key = keys[i];
          this._assertValidKey(key);
          mappedKeys[i] = this.prefixKey(keyEncoding.encode(key), keyFormat, true);
        }
        snapshot?.ref();
        let values;
        try {
          values = await this._getMany(mappedKeys, options);
        } finally {
          snapshot?.unref();
        }
        try {
          for (let i = 0; i < values.length; i++) {
            if (values[i] !== void 0) {
              values[i] = valueEncoding.decode(values[i]);
            }
          }
        } catch (err) {
          throw new ModuleError(`Could not decode one or more of ${values.length} value(s)`, {
            code: "LEVEL_DECODE_ERROR",
            cause: err
          });
        }
        return values;
      }
      async _getMany(keys, options) {
        return new Array(keys.length).fill(void 0);
      }
      async has(key, options) {
        options = getOptions(options, this.#defaultOptions.key);
        if (this.#status === "opening") {
          return this.deferAsync(() => this.has(key, options));
        }
        this.#assertOpen();
        this._assertValidKey(key);
        const snapshot = options.snapshot;
        const keyEncoding = this.keyEncoding(options.keyEncoding);
        const keyFormat = keyEncoding.format;
        if (options === this.#defaultOptions.key) {
          options = this.#defaultOptions.keyFormat;
        } else if (options.keyEncoding !== keyFormat) {
          options = { ...options, keyEncoding: keyFormat };
        }
        const encodedKey = keyEncoding.encode(key);
        const mappedKey = this.prefixKey(encodedKey, keyFormat, true);
        snapshot?.ref();
        try {
          return this._has(mappedKey, options);
        } finally {
          snapshot?.unref();
        }
      }
      async _has(key, options) {
        throw new ModuleError("Database does not support has()", {
          code: "LEVEL_NOT_SUPPORTED"
        });
      }
      async hasMany(keys, options) {
        options = getOptions(options, this.#defaultOptions.key);
        if (this.#status === "opening") {
          return this.deferAsync(() => this.hasMany(keys, options));
        }
        this.#assertOpen();
        if (!Array.isArray(keys)) {
          throw new TypeError("The first argument 'keys' must be an array");
        }
        if (keys.length === 0) {
          return [];
        }
        const snapshot = options.snapshot;
        const keyEncoding = this.keyEncoding(options.keyEncoding);
        const keyFormat = keyEncoding.format;
        if (options === this.#defaultOptions.key) {
          options = this.#defaultOptions.keyFormat;
        } else if (options.keyEncoding !== keyFormat) {
          options = { ...options, keyEncoding: keyFormat };
        }
        const mappedKeys = new Array(keys.length);
        for (let i = 0; i < keys.length; i++) {
          const key = keys[i];
          this._assertValidKey(key);
          mappedKeys[i] = this.prefixKey(keyEncoding.encode(key), keyFormat, true);
        }
        snapshot?.ref();
        try {
          return this._hasMany(mappedKeys, options);
        } finally {
          snapshot?.unref();
        }
      }
      async _hasMany(keys, options) {
        throw new ModuleError("Database does not support hasMany()", {
          code: "LEVEL_NOT_SUPPORTED"
        });
      }
      async put(key, value, options) {
        if (!this.hooks.prewrite.noop) {
          return this.batch([{ type: "put", key, value }], options);
        }
        options = getOptions(options, this.#defaultOptions.entry);
        if (this.#status === "opening") {
          return this.deferAsync(() => this.put(key, value, options));
        }
        this.#assertOpen();
        this._assertValidKey(key);
        this._assertValidValue(value);
        const keyEncoding = this.keyEncoding(options.keyEncoding);
        const valueEncoding = this.valueEncoding(options.valueEncoding);
        const keyFormat = keyEncoding.format;
        const valueFormat = valueEncoding.format;
        const enableWriteEvent = this.#eventMonitor.write;
        const original = options;
        if (options === this.#defaultOptions.entry) {
          options = this.#defaultOptions.entryFormat;
        } else if (options.keyEncoding !== keyFormat || options.valueEncoding !== valueFormat) {
          options = { ...options, keyEncoding: keyFormat, valueEncoding: valueFormat };
        }
        const encodedKey = keyEncoding.encode(key);
        const prefixedKey = this.prefixKey(encodedKey, keyFormat, true);
        const encodedValue = valueEncoding.encode(value);
        await this._put(prefixedKey, encodedValue, options);
        if (enableWriteEvent) {
          const op = {
            ...original,
            type: "put",
            key,
            value,
            keyEncoding,
            valueEncoding,
            encodedKey,
            encodedValue
          };
          this.emit("write", [op]);
        }
      }
      async _put(key, value, options) {
      }
      async del(key, options) {
        if (!this.hooks.prewrite.noop) {
          return this.batch([{ type: "del", key }], options);
        }
        options = getOptions(options, this.#defaultOptions.key);
        if (this.#status === "opening") {
          return this.deferAsync(() => this.del(key, options));
        }
        this.#assertOpen();
        this._assertValidKey(key);
        const keyEncoding = this.keyEncoding(options.keyEncoding);
        const keyFormat = keyEncoding.format;
        const enableWriteEvent = this.#eventMonitor.write;
        const original = options;
        if (options === this.#defaultOptions.key) {
          options = this.#defaultOptions.keyFormat;
        } else if (options.keyEncoding !== keyFormat) {
          options = { ...options, keyEncoding: keyFormat };
        }
        const encodedKey = keyEncoding.encode(key);
        const prefixedKey = this.prefixKey(encodedKey, keyFormat, true);
        await this._del(prefixedKey, options);
        if (enableWriteEvent) {
          const op = {
            ...original,
            type: "del",
            key,
            keyEncoding,
            encodedKey
          };
          this.emit("write", [op]);
        }
      }
      async _del(key, options) {
      }
      // TODO (future): add way for implementations to declare which options are for the
      // whole batch rather than defaults for individual operations. E.g. the sync option
      // of classic-level, that should not be copied to individual operations.
      batch(operations, options) {
        if (!arguments.length) {
          this.#assertOpen();
          return this._chainedBatch();
        }
        options = getOptions(options, this.#defaultOptions.empty);
        return this.#arrayBatch(operations, options);
      }
      // Wrapped for async error handling
      async #arrayBatch(operations, options) {
        if (this.#status === "opening") {
          return this.deferAsync(() => this.#arrayBatch(operations, options));
        }
        this.#assertOpen();
        if (!Array.isArray(operations)) {
          throw new TypeError("The first argument 'operations' must be an array");
        }
        if (operations.length === 0) {
          return;
        }
        const length = operations.length;
        const enablePrewriteHook = !this.hooks.prewrite.noop;
        const enableWriteEvent = this.#eventMonitor.write;
        const publicOperations = enableWriteEvent ? new Array(length) : null;
        const privateOperations = new Array(length);
        const prewriteBatch = enablePrewriteHook ? new PrewriteBatch(this, privateOperations, publicOperations) : null;
        for (let i = 0; i < length; i++) {
          const op = { ...options, ...operations[i] };
          const isPut = op.type === "put";
          const delegated = op.sublevel != null;
          const db = delegated ? op.sublevel : this;
          db._assertValidKey(op.key);
          op.keyEncoding = db.keyEncoding(op.keyEncoding);
          if (isPut) {
            db._assertValidValue(op.value);
            op.valueEncoding = db.valueEncoding(op.valueEncoding);
          } else if (op.type !== "del") {
            throw new TypeError("A batch operation must have a type property that is 'put' or 'del'");
          }
          if (enablePrewriteHook) {
            try {
              this.hooks.prewrite.run(op, prewriteBatch);
              op.keyEncoding = db.keyEncoding(op.keyEncoding);
              if (isPut) op.valueEncoding = db.valueEncoding(op.valueEncoding);
            } catch (err) {
              throw new ModuleError("The prewrite hook failed on batch()", {
                code: "LEVEL_HOOK_ERROR",
                cause: err
              });
            }
          }
          const keyEncoding = op.keyEncoding;
          const preencodedKey = keyEncoding.encode(op.key);
          const keyFormat = keyEncoding.format;
          const siblings = delegated && !isDescendant(op.sublevel, this) && op.sublevel !== this;
          const encodedKey = delegated && !siblings ? prefixDescendantKey(preencodedKey, keyFormat, db, this) : preencodedKey;
          if (delegated && !siblings) {
            op.sublevel = null;
          }
          let publicOperation = null;
          if (enableWriteEvent && !siblings) {
            publicOperation = { ...op };
            publicOperation.encodedKey = encodedKey;
            if (delegated) {
              publicOperation.key = encodedKey;
              publicOperation.keyEncoding = this.keyEncoding(keyFormat);
            }
            publicOperations[i] = publicOperation;
          }
          op.key = siblings ? encodedKey : this.prefixKey(encodedKey, keyFormat, true);
          op.keyEncoding = keyFormat;
          if (isPut) {
            const valueEncoding = op.valueEncoding;
            const encodedValue = valueEncoding.encode(op.value);
            const valueFormat = valueEncoding.format;
            op.value = encodedValue;
            op.valueEncoding = valueFormat;
            if (enableWriteEvent && !siblings) {
              publicOperation.encodedValue = encodedValue;
              if (delegated) {
                publicOperation.value = encodedValue;
                publicOperation.valueEncoding = this.valueEncoding(valueFormat);
              }
            }
          }
          privateOperations[i] = op;
        }
        await this._batch(privateOperations, options);
        if (enableWriteEvent) {
          this.emit("write", publicOperations);
        }
      }
      async _batch(operations, options) {
      }
      sublevel(name, options) {
        const xopts = AbstractSublevel.defaults(options);
        const sublevel = this._sublevel(name, xopts);
        if (!this.hooks.newsub.noop) {
          try {
            this.hooks.newsub.run(sublevel, xopts);
          } catch (err) {
            throw new ModuleError("The newsub hook failed on sublevel()", {
              code: "LEVEL_HOOK_ERROR",
              cause: err
            });
          }
        }
        return sublevel;
      }
      _sublevel(name, options) {
        return new AbstractSublevel(this, name, options);
      }
      prefixKey(key, keyFormat, local) {
        return key;
      }
      async clear(options) {
        options = getOptions(options, this.#defaultOptions.empty);
        if (this.#status === "opening") {
          return this.deferAsync(() => this.clear(options));
        }
        this.#assertOpen();
        const original = options;
        const keyEncoding = this.keyEncoding(options.keyEncoding);
        const snapshot = options.snapshot;
        options = rangeOptions(options, keyEncoding);
        options.keyEncoding = keyEncoding.format;
        if (options.limit !== 0) {
          snapshot?.ref();
          try {
            await this._clear(options);
          } finally {
            snapshot?.unref();
          }
          this.emit("clear", original);
        }
      }
      async _clear(options) {
      }
      iterator(options) {
        const keyEncoding = this.keyEncoding(options?.keyEncoding);
        const valueEncoding = this.valueEncoding(options?.valueEncoding);
        options = rangeOptions(options, keyEncoding);
        options.keys = options.keys !== false;
        options.values = options.values !== false;
        options[AbstractIterator.keyEncoding] = keyEncoding;
        options[AbstractIterator.valueEncoding] = valueEncoding;
        options.keyEncoding = keyEncoding.format;
        options.valueEncoding = valueEncoding.format;
        if (this.#status === "opening") {
          return new DeferredIterator(this, options);
        }
        this.#assertOpen();
        return this._iterator(options);
      }
      _iterator(options) {
        return new AbstractIterator(this, options);
      }
      keys(options) {
        const keyEncoding = this.keyEncoding(options?.keyEncoding);
        const valueEncoding = this.valueEncoding(options?.valueEncoding);
        options = rangeOptions(options, keyEncoding);
        options[AbstractIterator.keyEncoding] = keyEncoding;
        options[AbstractIterator.valueEncoding] = valueEncoding;
        options.keyEncoding = keyEncoding.format;
        options.valueEncoding = valueEncoding.format;
        if (this.#status === "opening") {
          return new DeferredKeyIterator(this, options);
        }
        this.#assertOpen();
        return this._keys(options);
      }
      _keys(options) {
        return new DefaultKeyIterator(this, options);
      }
      values(options) {
        const keyEncoding = this.keyEncoding(options?.keyEncoding);
        const valueEncoding = this.valueEncoding(options?.valueEncoding);
        options = rangeOptions(options, keyEncoding);
        options[AbstractIterator.keyEncoding] = keyEncoding;
        options[AbstractIterator.valueEncoding] = valueEncoding;
        options.keyEncoding = keyEncoding.format;
        options.valueEncoding = valueEncoding.format;
        if (this.#status === "opening") {
          return new DeferredValueIterator(this, options);
        }
        this.#assertOpen();
        return this._values(options);
      }
      _values(options) {
        return new DefaultValueIterator(this, options);
      }
      snapshot(options) {
        this.#assertOpen();
        if (typeof options !== "object" || options === null) {
          options = this.#defaultOptions.owner;
        } else if (options.owner == null) {
          options = { ...options, owner: this };
        }
        return this._snapshot(options);
      }
      _snapshot(options) {
        throw new ModuleError("Database does not support explicit snapshots", {
          code: "LEVEL_NOT_SUPPORTED"
        });
      }
      defer(fn, options) {
        if (typeof fn !== "function") {
          throw new TypeError("The first argument must be a function");
        }
        this.#queue.add(function(abortError) {
          if (!abortError) fn();
        }, options);
      }
      deferAsync(fn, options) {
        if (typeof fn !== "function") {
          throw new TypeError("The first argument must be a function");
        }
        return new Promise((resolve, reject) => {
          this.#queue.add(function(abortError) {
            if (abortError) reject(abortError);
            else fn().then(resolve, reject);
          }, options);
        });
      }
      attachResource(resource) {
        if (typeof resource !== "object" || resource === null || typeof resource.close !== "function") {
          throw new TypeError("The first argument must be a resource object");
        }
        this.#resources.add(resource);
      }
      detachResource(resource) {
        this.#resources.delete(resource);
      }
      _chainedBatch() {
        return new DefaultChainedBatch(this);
      }
      _assertValidKey(key) {
        if (key === null || key === void 0) {
          throw new ModuleError("Key cannot be null or undefined", {
            code: "LEVEL_INVALID_KEY"
          });
        }
      }
      _assertValidValue(value) {
        if (value === null || value === void 0) {
          throw new ModuleError("Value cannot be null or undefined", {
            code: "LEVEL_INVALID_VALUE"
          });
        }
      }
      #assertOpen() {
        if (this.#status !== "open") {
          throw new ModuleError("Database is not open", {
            code: "LEVEL_DATABASE_NOT_OPEN"
          });
        }
      }
      #assertUnlocked() {
        if (this.#statusLocked) {
          throw new ModuleError("Database status is locked", {
            code: "LEVEL_STATUS_LOCKED"
          });
        }
      }
    };
    var { AbstractSublevel } = require_abstract_sublevel()({ AbstractLevel });
    exports.AbstractLevel = AbstractLevel;
    exports.AbstractSublevel = AbstractSublevel;
    if (typeof Symbol.asyncDispose === "symbol") {
      AbstractLevel.prototype[Symbol.asyncDispose] = async function() {
        return this.close();
      };
    }
    var formats = function(db) {
      return Object.keys(db.supports.encodings).filter((k) => !!db.supports.encodings[k]);
    };
    var closeResource = function(resource) {
      return resource.close();
    };
    var convertRejection = function(reason) {
      if (reason instanceof Error) {
        return reason;
      }
      if (Object.prototype.toString.call(reason) === "[object Error]") {
        return reason;
      }
      const hint = reason === null ? "null" : typeof reason;
      const msg = `Promise rejection reason must be an Error, received ${hint}`;
      return new TypeError(msg);
    };
    var NotOpenError = class extends ModuleError {
      constructor(cause) {
        super("Database failed to open", {
          code: "LEVEL_DATABASE_NOT_OPEN",
          cause
        });
      }
    };
    var NotClosedError = class extends ModuleError {
      constructor(cause) {
        super("Database failed to close", {
          code: "LEVEL_DATABASE_NOT_CLOSED",
          cause
        });
      }
    };
  }
});

// ../../main/node_modules/abstract-level/abstract-snapshot.js
var require_abstract_snapshot = __commonJS({
  "../../main/node_modules/abstract-level/abstract-snapshot.js"(exports) {
    "use strict";
    var ModuleError = require_module_error();
    var { noop } = require_common();
    var AbstractSnapshot = class {
      #open = true;
      #referenceCount = 0;
      #pendingClose = null;
      #closePromise = null;
      #owner;
      constructor(options) {
        const owner = options.owner;
        if (typeof owner !== "object" || owner === null) {
          const hint = owner === null ? "null" : typeof owner;
          throw new TypeError(`Owner must be an abstract-level database, received ${hint}`);
        }
        this.#owner = owner;
        this.#owner.attachResource(this);
      }
      ref() {
        if (!this.#open) {
          throw new ModuleError("Snapshot is not open: cannot use snapshot after close()", {
            code: "LEVEL_SNAPSHOT_NOT_OPEN"
          });
        }
        this.#referenceCount++;
      }
      unref() {
        if (--this.#referenceCount === 0) {
          this.#pendingClose?.();
        }
      }
      async close() {
        if (this.#closePromise !== null) {
          return this.#closePromise.catch(noop);
        }
        this.#open = false;
        this.#closePromise = new Promise((resolve, reject) => {
          this.#pendingClose = () => {
            this.#pendingClose = null;
            privateClose(this, this.#owner).then(resolve, reject);
          };
        });
        if (this.#referenceCount === 0) {
          this.#pendingClose();
        }
        return this.#closePromise;
      }
      async _close() {
      }
    };
    if (typeof Symbol.asyncDispose === "symbol") {
      AbstractSnapshot.prototype[Symbol.asyncDispose] = async function() {
        return this.close();
      };
    }
    var privateClose = async function(snapshot, owner) {
      await snapshot._close();
      owner.detachResource(snapshot);
    };
    exports.AbstractSnapshot = AbstractSnapshot;
  }
});

// ../../main/node_modules/abstract-level/index.js
var require_abstract_level2 = __commonJS({
  "../../main/node_modules/abstract-level/index.js"(exports) {
    "use strict";
    exports.AbstractLevel = require_abstract_level().AbstractLevel;
    exports.AbstractSublevel = require_abstract_level().AbstractSublevel;
    exports.AbstractIterator = require_abstract_iterator().AbstractIterator;
    exports.AbstractKeyIterator = require_abstract_iterator().AbstractKeyIterator;
    exports.AbstractValueIterator = require_abstract_iterator().AbstractValueIterator;
    exports.AbstractChainedBatch = require_abstract_chained_batch().AbstractChainedBatch;
    exports.AbstractSnapshot = require_abstract_snapshot().AbstractSnapshot;
  }
});

// ../../main/node_modules/classic-level/chained-batch.js
var require_chained_batch = __commonJS({
  "../../main/node_modules/classic-level/chained-batch.js"(exports) {
    "use strict";
    var { AbstractChainedBatch } = require_abstract_level2();
    var binding = __require("classic-level/binding.js");
    var kContext = /* @__PURE__ */ Symbol("context");
    var ChainedBatch = class extends AbstractChainedBatch {
      constructor(db, context) {
        super(db);
        this[kContext] = binding.batch_init(context);
      }
      _put(key, value) {
        binding.batch_put(this[kContext], key, value);
      }
      _del(key) {
        binding.batch_del(this[kContext], key);
      }
      _clear() {
        binding.batch_clear(this[kContext]);
      }
      async _write(options) {
        return binding.batch_write(this[kContext], options);
      }
      async _close() {
      }
    };
    exports.ChainedBatch = ChainedBatch;
  }
});

// ../../main/node_modules/classic-level/iterator.js
var require_iterator = __commonJS({
  "../../main/node_modules/classic-level/iterator.js"(exports) {
    "use strict";
    var { AbstractIterator } = require_abstract_level2();
    var binding = __require("classic-level/binding.js");
    var kContext = /* @__PURE__ */ Symbol("context");
    var kCache = /* @__PURE__ */ Symbol("cache");
    var kFirst = /* @__PURE__ */ Symbol("first");
    var kPosition = /* @__PURE__ */ Symbol("position");
    var kState = /* @__PURE__ */ Symbol("state");
    var kSignal = /* @__PURE__ */ Symbol("signal");
    var kAbort = /* @__PURE__ */ Symbol("abort");
    var empty = [];
    var STATE_ENDED = 1;
    var Iterator = class extends AbstractIterator {
      constructor(db, context, options, snapshotCtx) {
        super(db, options);
        this[kState] = new Uint8Array(1);
        this[kContext] = binding.iterator_init(context, this[kState], options, snapshotCtx);
        this[kFirst] = true;
        this[kCache] = empty;
        this[kPosition] = 0;
        this[kAbort] = this[kAbort].bind(this);
        if (options.signal != null) {
          this[kSignal] = options.signal;
          this[kSignal].addEventListener("abort", this[kAbort], { once: true });
        } else {
          this[kSignal] = null;
        }
      }
      _seek(target, options) {
        this[kFirst] = true;
        this[kCache] = empty;
        this[kState][0] &= ~STATE_ENDED;
        this[kPosition] = 0;
        binding.iterator_seek(this[kContext], target);
      }
      async _next() {
        if (this[kPosition] < this[kCache].length) {
          return this[kCache][this[kPosition]++];
        }
        if ((this[kState][0] & STATE_ENDED) !== 0) {
          return void 0;
        }
        if (this[kFirst]) {
          this[kFirst] = false;
          this[kCache] = await binding.iterator_nextv(this[kContext], 1);
          this[kPosition] = 0;
        } else {
          this[kCache] = await binding.iterator_nextv(this[kContext], 1e3);
          this[kPosition] = 0;
        }
        if (this[kPosition] < this[kCache].length) {
          return this[kCache][this[kPosition]++];
        }
      }
      async _nextv(size, options) {
        this[kFirst] = false;
        if (this[kPosition] < this[kCache].length) {
          const length = Math.min(size, this[kCache].length - this[kPosition]);
          const chunk2 = this[kCache].slice(this[kPosition], this[kPosition] + length);
          this[kPosition] += length;
          return chunk2;
        }
        if ((this[kState][0] & STATE_ENDED) !== 0) {
          return [];
        }
        return binding.iterator_nextv(this[kContext], size);
      }
      async _close() {
        this[kCache] = empty;
        if (this[kSignal] !== null) {
          this[kSignal].removeEventListener("abort", this[kAbort]);
          this[kSignal] = null;
        }
        binding.iterator_close(this[kContext]);
      }
      [kAbort]() {
        this[kSignal] = null;
        binding.iterator_abort(this[kContext]);
      }
      // Undocumented, exposed for tests only
      get cached() {
        return this[kCache].length - this[kPosition];
      }
    };
    exports.Iterator = Iterator;
  }
});

// ../../main/node_modules/classic-level/index.js
var require_classic_level = __commonJS({
  "../../main/node_modules/classic-level/index.js"(exports) {
    "use strict";
    var { AbstractLevel, AbstractSnapshot } = require_abstract_level2();
    var ModuleError = require_module_error();
    var fsp = __require("fs/promises");
    var binding = __require("classic-level/binding.js");
    var { ChainedBatch } = require_chained_batch();
    var { Iterator } = require_iterator();
    var kContext = /* @__PURE__ */ Symbol("context");
    var kLocation = /* @__PURE__ */ Symbol("location");
    var ClassicLevel = class extends AbstractLevel {
      #sharedBuffer = null;
      constructor(location, options) {
        if (typeof location !== "string" || location === "") {
          throw new TypeError("The first argument 'location' must be a non-empty string");
        }
        super({
          encodings: {
            buffer: true,
            utf8: true,
            view: true
          },
          has: true,
          createIfMissing: true,
          errorIfExists: true,
          explicitSnapshots: true,
          getSync: true,
          additionalMethods: {
            approximateSize: true,
            compactRange: true
          },
          signals: {
            iterators: true
          }
        }, options);
        this[kLocation] = location;
        this[kContext] = binding.db_init();
      }
      get location() {
        return this[kLocation];
      }
      async _open(options) {
        if (options.createIfMissing) {
          await fsp.mkdir(this[kLocation], { recursive: true });
        }
        return binding.db_open(this[kContext], this[kLocation], options);
      }
      async _close() {
        return binding.db_close(this[kContext]);
      }
      async _put(key, value, options) {
        return binding.db_put(this[kContext], key, value, options);
      }
      async _get(key, options) {
        let flags = 0;
        if (options.fillCache !== false) flags |= FLAG_FILL_CACHE;
        if (options.valueEncoding !== "utf8") flags |= FLAG_VALUE_AS_BUFFER;
        if (options.keyEncoding !== "utf8") {
          flags |= FLAG_KEY_AS_BUFFER;
          if (key.buffer.resizable) {
            key = new Uint8Array(key);
          }
        }
        return binding.db_get(
          this[kContext],
          flags,
          key,
          options.snapshot?.[kContext]
        );
      }
      _getSync(key, options) {
        let flags = 0;
        if (options.fillCache !== false) flags |= FLAG_FILL_CACHE;
        if (options.valueEncoding !== "utf8") flags |= FLAG_VALUE_AS_BUFFER;
        if (options.keyEncoding !== "utf8") {
          return binding.db_get_sync(
            this[kContext],
            flags,
            key,
            options.snapshot?.[kContext]
          );
        } else {
          let keySize;
          if (this.#sharedBuffer === null) {
            keySize = this.#createSharedBuffer(key);
          } else {
            keySize = this.#sharedBuffer.write(key);
            if (keySize === this.#sharedBuffer.byteLength) {
              keySize = this.#createSharedBuffer(key);
            }
          }
          return binding.db_get_sync(
            this[kContext],
            flags | FLAG_SHARED_KEY,
            keySize,
            options.snapshot?.[kContext]
          );
        }
      }
      #createSharedBuffer(str) {
        this.#sharedBuffer = Buffer.allocUnsafe(Buffer.byteLength(str) + 64);
        binding.db_set_shared_buffer(this[kContext], this.#sharedBuffer);
        return this.#sharedBuffer.write(str);
      }
      async _getMany(keys, options) {
        return binding.db_get_many(
          this[kContext],
          keys,
          options,
          options.snapshot?.[kContext]
        );
      }
      async _has(key, options) {
        return binding.db_has(
          this[kContext],
          key,
          options.fillCache,
          options.snapshot?.[kContext]
        );
      }
      async _hasMany(keys, options) {
        const wordCount = keys.length + 32 >>> 5;
        const buffer = new ArrayBuffer(wordCount * 4);
        const bitset = new Uint32Array(buffer);
        await binding.db_has_many(
          this[kContext],
          keys,
          options.fillCache,
          options.snapshot?.[kContext],
          buffer
        );
        const values = new Array(keys.length);
        for (let i = 0; i < values.length; i++) {
          values[i] = (bitset[i >>> 5] & 1 << (i & 31)) !== 0;
        }
        return values;
      }
      async _del(key, options) {
        return binding.db_del(this[kContext], key, options);
      }
      async _clear(options) {
        return binding.db_clear(
          this[kContext],
          options,
          options.snapshot?.[kContext]
        );
      }
      _chainedBatch() {
        return new ChainedBatch(this, this[kContext]);
      }
      async _batch(operations, options) {
        return binding.batch_do(this[kContext], operations, options);
      }
      async approximateSize(start, end, options) {
        if (arguments.length < 2) {
          throw new TypeError("The arguments 'start' and 'end' are required");
        } else if (typeof options !== "object") {
          options = null;
        }
        if (this.status === "opening") {
          return this.deferAsync(() => this.approximateSize(start, end, options));
        } else if (this.status !== "open") {
          throw new ModuleError("Database is not open: cannot call approximateSize()", {
            code: "LEVEL_DATABASE_NOT_OPEN"
          });
        } else {
          const keyEncoding = this.keyEncoding(options && options.keyEncoding);
          start = keyEncoding.encode(start);
          end = keyEncoding.encode(end);
          return binding.db_approximate_size(this[kContext], start, end);
        }
      }
      async compactRange(start, end, options) {
        if (arguments.length < 2) {
          throw new TypeError("The arguments 'start' and 'end' are required");
        } else if (typeof options !== "object") {
          options = null;
        }
        if (this.status === "opening") {
          return this.deferAsync(() => this.compactRange(start, end, options));
        } else if (this.status !== "open") {
          throw new ModuleError("Database is not open: cannot call compactRange()", {
            code: "LEVEL_DATABASE_NOT_OPEN"
          });
        } else {
          const keyEncoding = this.keyEncoding(options && options.keyEncoding);
          start = keyEncoding.encode(start);
          end = keyEncoding.encode(end);
          return binding.db_compact_range(this[kContext], start, end);
        }
      }
      getProperty(property) {
        if (typeof property !== "string") {
          throw new TypeError("The first argument 'property' must be a string");
        }
        if (this.status !== "open") {
          throw new ModuleError("Database is not open", {
            code: "LEVEL_DATABASE_NOT_OPEN"
          });
        }
        return binding.db_get_property(this[kContext], property);
      }
      _iterator(options) {
        return new Iterator(
          this,
          this[kContext],
          options,
          options.snapshot?.[kContext]
        );
      }
      _snapshot(options) {
        return new Snapshot(this[kContext], options);
      }
      static async destroy(location) {
        if (typeof location !== "string" || location === "") {
          throw new TypeError("The first argument 'location' must be a non-empty string");
        }
        return binding.destroy_db(location);
      }
      static async repair(location) {
        if (typeof location !== "string" || location === "") {
          throw new TypeError("The first argument 'location' must be a non-empty string");
        }
        return binding.repair_db(location);
      }
    };
    var Snapshot = class extends AbstractSnapshot {
      constructor(context, options) {
        super(options);
        this[kContext] = binding.snapshot_init(context);
      }
      async _close() {
        binding.snapshot_close(this[kContext]);
      }
    };
    exports.ClassicLevel = ClassicLevel;
    var FLAG_FILL_CACHE = 1;
    var FLAG_KEY_AS_BUFFER = 2;
    var FLAG_VALUE_AS_BUFFER = 4;
    var FLAG_SHARED_KEY = 8;
  }
});

// ../../main/node_modules/level/index.js
var require_level = __commonJS({
  "../../main/node_modules/level/index.js"(exports) {
    exports.Level = require_classic_level().ClassicLevel;
  }
});

// log/catalog/load.ts
async function loadCatalog() {
  return (await import("./catalog-T46WQTV3.js")).CATALOG;
}

// log/catalog/versions.ts
var VERSIONS = {
  "session.started": 1,
  "session.ended": 1,
  "session.continued": 1,
  "session.titled": 1,
  "prompt.submitted": 1,
  "tool.used": 1,
  "tool.unanswered": 1,
  "agent.replied": 1,
  "agent.stopped": 1,
  "place.seen": 1,
  "memory.saved": 1,
  "project.linked": 1
};
var EVENT_TYPES = Object.keys(VERSIONS);

// log/keys.ts
import { hash } from "node:crypto";

// log/chunk.ts
var CHUNK_BYTES = 256 * 1024;
var chunk = Buffer.alloc(0);
var used = 0;
function cut(size) {
  if (size > CHUNK_BYTES / 4) return Buffer.allocUnsafeSlow(size);
  if (used + size > chunk.length) {
    chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    used = 0;
  }
  used += size;
  return chunk.subarray(used - size, used);
}

// log/keys.ts
var EVENT = 101;
var IDENTITY = 105;
var SESSION = 115;
var CURSOR = 99;
var META = 109;
var META_KEY = Buffer.from([META]);
var HIGH_WORD = 2 ** 32;
function eventKey(position) {
  const key = cut(9);
  key[0] = EVENT;
  writePosition(key, position, 1);
  return key;
}
function identityKey(id) {
  const key = cut(17);
  key[0] = IDENTITY;
  key.write(id, 1, "hex");
  return key;
}
function sessionGroup(agent, session) {
  return hash("sha256", JSON.stringify([agent, session]), "buffer").subarray(0, 16);
}
function sessionKey(group, position) {
  const key = cut(25);
  key[0] = SESSION;
  group.copy(key, 1);
  writePosition(key, position, 17);
  return key;
}
function cursorKey(name) {
  return Buffer.from(`c${name}`);
}
function positionOf(key) {
  return key.length === 9 && key[0] === EVENT ? readPosition(key, 1) : null;
}
function positionBytes(position) {
  const bytes = cut(8);
  writePosition(bytes, position, 0);
  return bytes;
}
function writePosition(target, position, at) {
  target.writeUInt32BE(Math.floor(position / HIGH_WORD), at);
  target.writeUInt32BE(position % HIGH_WORD, at + 4);
}
function readPosition(bytes, at) {
  return bytes.readUInt32BE(at) * HIGH_WORD + bytes.readUInt32BE(at + 4);
}
var GROUPS_REMEMBERED_MAX = 1024;
var SessionGroups = class {
  #known = /* @__PURE__ */ new Map();
  of(agent, session) {
    const name = `${agent}
${session}`;
    const known2 = this.#known.get(name);
    if (known2 !== void 0) return known2;
    if (this.#known.size >= GROUPS_REMEMBERED_MAX) this.#known.clear();
    const group = sessionGroup(agent, session);
    this.#known.set(name, group);
    return group;
  }
};

// log/record.ts
import { hash as hash2 } from "node:crypto";
var HASH_BYTES = 32;
var SALT_BYTES = 16;
var CHECKSUM_BYTES = 16;
var LENGTH_START = 2 * HASH_BYTES;
var HEADER_START = LENGTH_START + 4;
function genesis(logId) {
  return hash2("sha256", logId, "binary");
}
function sealEvent(header, salt, bodyJson, chainBefore) {
  const headerJson = JSON.stringify(headerFields(header));
  const bodyStart = HEADER_START + Buffer.byteLength(headerJson);
  const record = cut(bodyStart + SALT_BYTES + Buffer.byteLength(bodyJson));
  record.set(salt, bodyStart);
  record.write(bodyJson, bodyStart + SALT_BYTES);
  record.write(chainBefore, 0, "latin1");
  record.write(binaryHash(record.subarray(bodyStart)), HASH_BYTES, "latin1");
  record.writeUInt32BE(bodyStart - HEADER_START, LENGTH_START);
  record.write(headerJson, HEADER_START);
  const chain = binaryHash(record.subarray(0, bodyStart));
  record.write(chain, 0, "latin1");
  return { record, chain };
}
function claimedChain(record) {
  return record.length > HEADER_START ? record.toString("latin1", 0, HASH_BYTES) : null;
}
function bodyStartOf(record) {
  if (record.length <= HEADER_START) return null;
  const start = HEADER_START + record.readUInt32BE(LENGTH_START);
  return start <= record.length ? start : null;
}
function openHeader(record, chainBefore) {
  const bodyStart = bodyStartOf(record);
  if (bodyStart === null) return { kind: "header", message: "the header is cut off" };
  const chain = chainOver(record, bodyStart, chainBefore);
  if (chain !== claimedChain(record)) return { kind: "chain", message: "the chain does not fit" };
  const header = parseHeader(record);
  if (header === null) return { kind: "header", message: "the header is no header" };
  return { header, chain, bodyStart };
}
function parseHeader(record) {
  const bodyStart = bodyStartOf(record);
  return bodyStart === null ? null : toHeader(parseJson(record.toString("utf8", HEADER_START, bodyStart)));
}
function openBody(record, bodyStart) {
  if (record.length <= bodyStart) return { kind: "body", message: "the body is missing" };
  if (binaryHash(record.subarray(bodyStart)) !== record.toString("latin1", HASH_BYTES, LENGTH_START))
    return { kind: "body", message: "the body is not what was written" };
  return record.toString("utf8", bodyStart + SALT_BYTES);
}
function chainOver(record, bodyStart, chainBefore) {
  if (scratch.length < bodyStart) scratch = Buffer.allocUnsafeSlow(2 * bodyStart);
  scratch.write(chainBefore, 0, "latin1");
  record.copy(scratch, HASH_BYTES, HASH_BYTES, bodyStart);
  return binaryHash(scratch.subarray(0, bodyStart));
}
var scratch = Buffer.allocUnsafeSlow(4096);
function headerFields(header) {
  const { id, type, v, agent, session, fact } = header;
  const { origin, originSeq, occurredAt, recordedAt, witness, causation } = header;
  return [id, type, v, agent, session, fact, witness, causation, origin, originSeq, occurredAt, recordedAt];
}
function toHeader(fields) {
  if (!Array.isArray(fields)) return null;
  const [id, type, v, agent, session, fact, witness, causation, origin, originSeq, occurredAt, recordedAt] = fields;
  const whole = typeof id === "string" && typeof type === "string" && typeof v === "number" && typeof agent === "string" && typeof fact === "string" && typeof origin === "string" && typeof originSeq === "number" && typeof recordedAt === "number";
  if (!whole) return null;
  return {
    id,
    type,
    v,
    agent,
    session,
    fact,
    origin,
    originSeq,
    occurredAt,
    recordedAt,
    witness,
    causation
  };
}
function hexOf(chain) {
  return Buffer.from(chain, "latin1").toString("hex");
}
function binaryHash(bytes) {
  return hash2("sha256", bytes, "binary");
}
function hashOf(bytes) {
  return hash2("sha256", bytes, "buffer");
}
function sealValue(key, value) {
  const json = Buffer.from(JSON.stringify(value));
  return Buffer.concat([checksum(key, json), json]);
}
function openValue(key, record) {
  const json = record.subarray(CHECKSUM_BYTES);
  if (!checksum(key, json).equals(record.subarray(0, CHECKSUM_BYTES))) return void 0;
  return parseJson(json.toString());
}
function checksum(key, json) {
  return hashOf(Buffer.concat([key, json])).subarray(0, CHECKSUM_BYTES);
}
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}

// log/store.ts
var import_level = __toESM(require_level(), 1);
var SYNCED = { sync: true };
var BLOCK_BYTES = 16 * 1024;
function levelStore(directory, options = {}) {
  return new import_level.Level(directory, {
    keyEncoding: "buffer",
    valueEncoding: "buffer",
    blockSize: BLOCK_BYTES,
    ...options.writeBufferBytes === void 0 ? {} : { writeBufferSize: options.writeBufferBytes }
  });
}
async function openStore(store) {
  try {
    await store.open();
  } catch (error) {
    throw storeError(error, "The log could not be opened");
  }
}
function storeError(error, tried) {
  if (error instanceof AnnalsError) return error;
  const { codes, text } = causes(error);
  if (codes.has("LEVEL_LOCKED"))
    return new AnnalsError("HOME_LOCKED", `${tried}: another process holds it.`, {
      hint: "Wait for the other command to end, or ask it instead.",
      cause: error
    });
  if (codes.has("ENOSPC") || codes.has("EDQUOT") || /no space left|quota exceeded/i.test(text))
    return new AnnalsError("DISK_FULL", `${tried}: the disk is full.`, {
      hint: "Make room and try again; what was acknowledged is safe.",
      cause: error
    });
  if (codes.has("LEVEL_CORRUPTION") || /corruption|does not exist|no such file/i.test(text))
    return new AnnalsError("LOG_DAMAGED", `${tried}: LevelDB finds its files damaged.`, {
      hint: "Keep a copy of the log folder, then restore a backup or import the transcripts into a new home.",
      cause: error
    });
  if (codes.has("LEVEL_IO_ERROR") || /^E[A-Z]+$/.test([...codes][0] ?? ""))
    return new AnnalsError("HOME_UNWRITABLE", `${tried}: the system refused to read or write its files.`, {
      hint: "Check the rights of the home and the state of the disk.",
      cause: error
    });
  return new AnnalsError("INTERNAL", `${tried}.`, { cause: error });
}
function causes(error) {
  const codes = /* @__PURE__ */ new Set();
  let text = "";
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") codes.add(at.code);
    text += `${at.message}
`;
  }
  return { codes, text };
}

// log/append.ts
var BATCH_EVENTS_MAX = 256;
var BATCH_BYTES_MAX = 1024 * 1024;
var SALT_BYTES2 = 16;
var AppendQueue = class {
  #options;
  #groups = new SessionGroups();
  #waiting = [];
  /** Every call that has not been answered. */
  #open = /* @__PURE__ */ new Set();
  /** Ids that wait or are under way, and who brought them first. */
  #pending = /* @__PURE__ */ new Map();
  #durable;
  /** The end as it will be when everything prepared is on disk. */
  #planned;
  #prepared = null;
  #writing = false;
  /** Set while the store is opened anew, and after that failed until the next append tries again. */
  #recovery = null;
  #broken = false;
  constructor(options) {
    this.#options = options;
    this.#durable = options.tail;
    this.#planned = options.tail;
  }
  /** The last synced event. */
  get durable() {
    return this.#durable;
  }
  append(checked, options = {}) {
    const cursors = (options.cursors ?? []).map(cursorRecord);
    const call = this.#admit(checked, cursors);
    if (this.#broken && !this.#writing) this.#recover();
    void this.#lookUp(call);
    return call.done;
  }
  /** Resolves when nothing waits any more, whatever came of it. */
  async idle() {
    while (this.#open.size > 0) await Promise.allSettled([...this.#open].map((call) => call.done));
    await this.whenReadable();
  }
  /** Resolves when the store can be read: at once, unless it is being opened anew. */
  async whenReadable() {
    while (this.#recovery !== null) await this.#recovery;
  }
  #admit(checked, cursors) {
    const entries = checked.map((one) => {
      const first = this.#pending.get(one.id) ?? null;
      const entry = { checked: one, first, position: void 0 };
      if (first === null) this.#pending.set(one.id, entry);
      return entry;
    });
    let resolve = () => {
    };
    let reject = () => {
    };
    const done = new Promise((yes, no) => {
      resolve = yes;
      reject = no;
    });
    const call = { entries, cursors, outcomes: [], next: 0, ready: false, done, resolve, reject };
    this.#open.add(call);
    this.#waiting.push(call);
    return call;
  }
  /** Finds which ids the log already holds. What was queued before is in `pending`, so together nothing is missed. */
  async #lookUp(call) {
    try {
      await this.whenReadable();
      if (!this.#open.has(call)) return;
      const fresh = call.entries.filter((entry) => entry.first === null);
      const found = await this.#options.store.getMany(fresh.map((entry) => identityKey(entry.checked.id)));
      for (const [index, position] of found.entries())
        if (position !== void 0) fresh[index].position = readPosition(position, 0);
    } catch (error) {
      this.#broken = true;
      this.#failAll(storeError(error, "The log could not be read"));
      if (!this.#writing) this.#recover();
      return;
    }
    call.ready = true;
    this.#pump();
  }
  /** Prepares and starts what can be prepared and started now; called whenever something of that changed. */
  #pump() {
    if (this.#recovery !== null || this.#broken) return;
    if (this.#prepared === null && (this.#writing ? this.#fullBatchWaits() : this.#waiting[0]?.ready))
      this.#prepared = this.#prepare();
    if (this.#writing || this.#prepared === null) return;
    const prepared = this.#prepared;
    this.#prepared = null;
    this.#writing = true;
    void this.#commit(prepared);
    this.#pump();
  }
  /** While a batch is synced only a full one is prepared: what comes later still finds room in a smaller one. */
  #fullBatchWaits() {
    let events = 0;
    for (const call of this.#waiting) {
      if (!call.ready) return false;
      events += call.entries.length - call.next;
      if (events >= BATCH_EVENTS_MAX) return true;
    }
    return false;
  }
  #prepare() {
    const { store, world } = this.#options;
    const batch = store.batch();
    const recordedAt = world.now();
    const salts = world.randomBytes(SALT_BYTES2 * BATCH_EVENTS_MAX);
    const entries = [];
    const finished = [];
    let { position, originSeq, chain } = this.#planned;
    let bytes = 0;
    for (let call = this.#waiting[0]; call?.ready; call = this.#waiting[0]) {
      let full = false;
      for (; call.next < call.entries.length; call.next++) {
        const entry = call.entries[call.next];
        const known2 = entry.first === null ? entry.position : entry.first.position;
        const { id, json } = entry.checked;
        if (known2 !== void 0) {
          call.outcomes.push({ outcome: "duplicate", id, position: known2 });
          continue;
        }
        full = entries.length === BATCH_EVENTS_MAX || bytes > 0 && bytes + json.length > BATCH_BYTES_MAX;
        if (full) break;
        const salt = salts.subarray(entries.length * SALT_BYTES2, (entries.length + 1) * SALT_BYTES2);
        const header = this.#header(entry.checked, ++originSeq, recordedAt);
        const sealed = sealEvent(header, salt, json, chain);
        this.#put(batch, ++position, header, sealed.record);
        chain = sealed.chain;
        bytes += sealed.record.length;
        entry.position = position;
        entries.push(entry);
        call.outcomes.push({ outcome: "appended", id, position });
      }
      if (full) break;
      for (const { key, record } of call.cursors) {
        if (record === null) batch.del(key);
        else batch.put(key, record);
      }
      finished.push(call);
      this.#waiting.shift();
    }
    const tail = { position, originSeq, chain };
    this.#planned = tail;
    return { batch, tail, entries, finished };
  }
  #header({ id, version, telling }, originSeq, recordedAt) {
    const { type, agent, session, fact, witness, occurredAt, causation = null } = telling;
    const { origin } = this.#options;
    const v = version;
    return {
      id,
      type,
      v,
      agent,
      session,
      fact,
      origin,
      originSeq,
      occurredAt,
      recordedAt,
      witness,
      causation
    };
  }
  #put(batch, position, header, record) {
    const { id, agent, session } = header;
    batch.put(eventKey(position), record);
    batch.put(identityKey(id), positionBytes(position));
    if (session !== null) batch.put(sessionKey(this.#groups.of(agent, session), position), NOTHING);
  }
  async #commit({ batch, tail, entries, finished }) {
    try {
      if (batch.length > 0) await batch.write(SYNCED);
      else await batch.close();
    } catch (error) {
      this.#writing = false;
      this.#broken = true;
      this.#failAll(storeError(error, "The events could not be written"));
      this.#recover();
      return;
    }
    this.#writing = false;
    const moved = tail.position !== this.#durable.position;
    this.#durable = tail;
    for (const entry of entries) this.#pending.delete(entry.checked.id);
    for (const call of finished) this.#settle(call);
    if (moved) this.#options.onCommit();
    if (this.#broken) this.#recover();
    else this.#pump();
  }
  #settle(call) {
    this.#open.delete(call);
    for (const entry of call.entries)
      if (this.#pending.get(entry.checked.id) === entry) this.#pending.delete(entry.checked.id);
    call.resolve(call.outcomes);
  }
  /** Nothing that waited may be written behind a batch that failed: it might stand on it. */
  #failAll(error) {
    void this.#prepared?.batch.close();
    this.#prepared = null;
    this.#planned = this.#durable;
    this.#waiting.length = 0;
    this.#pending.clear();
    const failed = [...this.#open];
    this.#open.clear();
    for (const call of failed) call.reject(error);
  }
  #recover() {
    this.#recovery ??= this.#reopen();
  }
  /** Opens the store anew and goes on from what is really there. When that fails, the next append tries again. */
  async #reopen() {
    try {
      const tail = await this.#options.reopen(this.#durable);
      this.#durable = tail;
      this.#planned = tail;
      this.#broken = false;
    } catch (error) {
      this.#failAll(storeError(error, "The log could not be opened again"));
    }
    this.#recovery = null;
    this.#pump();
  }
};
var NOTHING = Buffer.alloc(0);
function cursorRecord({ key: name, value }) {
  if (value === void 0)
    throw new AnnalsError("INPUT_INVALID", "A cursor without a value cannot be stored.", {
      hint: "Nothing of this call was stored."
    });
  const key = cursorKey(name);
  return { key, record: value === null ? null : sealValue(key, { key: name, value }) };
}

// log/head-file.ts
async function readHeadFile(files, path) {
  const text = await files.readText(path);
  if (text === void 0) return null;
  try {
    const head = JSON.parse(text);
    return isAnchor(head) ? head : "unreadable";
  } catch {
    return "unreadable";
  }
}
async function writeHeadFile(files, path, head) {
  await files.writeAtomically(path, `${JSON.stringify(head)}
`);
}
function headProblem(written, standing, found) {
  if (written === null) return null;
  if (written === "unreadable")
    return { kind: "head", position: null, message: "the head beside the log cannot be read" };
  if (standing === "held") return null;
  const message = standing === "ahead" ? `log lost its tail: ${count(found)} of ${count(written.position)}` : `the head beside the log was written by another log or the log changed below position ${count(written.position)}`;
  return { kind: "head", position: written.position, message };
}
function isAnchor(value) {
  if (typeof value !== "object" || value === null) return false;
  const anchor = value;
  return typeof anchor.logId === "string" && typeof anchor.chain === "string" && typeof anchor.position === "number" && Number.isSafeInteger(anchor.position);
}
function count(value) {
  return value.toLocaleString("en-US");
}

// log/meta.ts
var FORMAT = 1;
var MIN_READER = 1;
async function readOrCreateMeta(store, world) {
  const record = await store.get(META_KEY);
  const meta = record === void 0 ? void 0 : openValue(META_KEY, record);
  if (isMeta(meta)) {
    refuseIfTooNew(meta);
    return { meta, problem: null };
  }
  const origin = await originOfEvents(store);
  if (record === void 0 && origin === null) return { meta: await createMeta(store, world), problem: null };
  if (origin === null)
    throw new AnnalsError(
      "LOG_DAMAGED",
      "The log does not say which log it is, and holds no readable event.",
      {
        hint: "Keep a copy of the log folder, then restore a backup or import the transcripts into a new home."
      }
    );
  const message = record === void 0 ? "the meta record is missing" : "the meta record is not what was written";
  return {
    meta: { logId: origin, origin, format: FORMAT, minReader: MIN_READER },
    problem: { kind: "meta", position: null, message }
  };
}
async function createMeta(store, world) {
  const logId = Buffer.from(world.randomBytes(16)).toString("hex");
  const meta = { logId, origin: logId, format: FORMAT, minReader: MIN_READER };
  await store.batch([{ type: "put", key: META_KEY, value: sealValue(META_KEY, meta) }], SYNCED);
  return meta;
}
function refuseIfTooNew(meta) {
  if (meta.minReader <= FORMAT) return;
  throw new AnnalsError(
    "LOG_TOO_NEW",
    `The log has format ${meta.format} and asks for a reader of format ${meta.minReader} or newer; this version reads format ${FORMAT}.`,
    {
      hint: "Update annals.",
      facts: { format: meta.format, minReader: meta.minReader, reader: FORMAT }
    }
  );
}
async function originOfEvents(store) {
  for await (const value of store.values({ gt: Buffer.from([EVENT]), lt: Buffer.from([EVENT + 1]) })) {
    const header = parseHeader(value);
    if (header !== null) return header.origin;
  }
  return null;
}
function isMeta(value) {
  if (typeof value !== "object" || value === null) return false;
  const meta = value;
  return typeof meta.logId === "string" && typeof meta.origin === "string" && typeof meta.format === "number" && typeof meta.minReader === "number";
}

// log/upcast.ts
var UPCASTERS = {};
var NEWEST = new Map(Object.entries(VERSIONS));
function upcast(type, version, body, newest = NEWEST.get(type) ?? version, table = UPCASTERS) {
  let raised = body;
  for (let from = version; from < newest; from++) {
    const step = table[type]?.[from];
    if (step === void 0) throw new TypeError(`${type} has no upcaster from version ${from}`);
    raised = step(raised);
  }
  return raised;
}

// log/read.ts
var PAGE_EVENTS = 1e3;
var PAGE_BYTES = 4 * 1024 * 1024;
var AFTER_EVENTS = Buffer.from([EVENT + 1]);
var READ_AHEAD_BYTES = 512 * 1024;
var POSITION_MAX = Number.MAX_SAFE_INTEGER;
async function readPage({ store, logId, tail }, { after, limit = PAGE_EVENTS, bytesMax = PAGE_BYTES }) {
  let chain = await chainAt(store, logId, after, tail);
  let position = after;
  let bytes = 0;
  const events = [];
  const range = { gte: eventKey(after + 1), lt: AFTER_EVENTS, limit };
  const iterator = store.values({ ...range, ...{ highWaterMarkBytes: READ_AHEAD_BYTES } });
  try {
    let records = await iterator.nextv(limit);
    while (records.length > 0 && bytes < bytesMax) {
      const next = iterator.nextv(limit);
      next.catch(() => {
      });
      for (let at = 0; at < records.length && bytes < bytesMax; at++) {
        position += 1;
        const record = records[at];
        const opened = openHeader(record, chain);
        if ("kind" in opened) throw await missingOr(opened, store, position);
        const json = good(openBody(record, opened.bodyStart), position);
        events.push(toEvent(opened.header, json, position));
        chain = opened.chain;
        bytes += json.length;
      }
      records = await next;
    }
    if (events.length < limit && bytes < bytesMax && position < tail.position)
      throw damaged("gap", position + 1, "the event is missing");
  } finally {
    await iterator.close();
  }
  return { events, end: { logId, position, chain: hexOf(chain) } };
}
async function readSessionPage(context, {
  agent,
  session,
  after = 0,
  limit = PAGE_EVENTS
}) {
  const { store, logId, tail } = context;
  const group = sessionGroup(agent, session);
  const keys = await store.keys({ gt: sessionKey(group, after), lte: sessionKey(group, POSITION_MAX), limit }).all();
  const positions = keys.map((key) => readPosition(key, 17));
  const read = await readPositions(context, positions);
  for (const { event } of read)
    if (event.agent !== agent || event.session !== session)
      throw damaged("session-index", event.position, "the session index leads to another session");
  const last = read.at(-1);
  const end = last === void 0 ? { logId, position: after, chain: hexOf(await chainAt(store, logId, after, tail)) } : { logId, position: last.event.position, chain: hexOf(last.chain) };
  return { events: read.map(({ event }) => event), end };
}
async function readIds(context, ids) {
  const records = await context.store.getMany(ids.map(identityKey));
  const found = records.flatMap((record, index) => record === void 0 ? [] : [{ record, index }]);
  const read = await readPositions(
    context,
    found.map(({ record }) => readPosition(record, 0))
  );
  const events = ids.map(() => void 0);
  for (const [at, { index }] of found.entries()) {
    const { event } = read[at];
    if (event.id !== ids[index])
      throw damaged("id-index", event.position, "the id index leads to another event");
    events[index] = event;
  }
  return events;
}
function idsOfFact(fact) {
  return WITNESSES.map((witness) => eventId({ ...fact, witness }));
}
async function readIdsByPrefix(store, prefix, limit) {
  if (!/^[0-9a-f]{4,32}$/.test(prefix)) return [];
  const range = { gte: identityKey(prefix.padEnd(32, "0")), lte: identityKey(prefix.padEnd(32, "f")), limit };
  const keys = await store.keys(range).all();
  return keys.filter((key) => key[0] === IDENTITY).map((key) => key.toString("hex", 1));
}
async function chainAt(store, logId, position, tail) {
  if (position === 0) return genesis(logId);
  if (position === tail.position) return tail.chain;
  const record = await store.get(eventKey(position));
  const chain = record === void 0 ? null : claimedChain(record);
  if (chain !== null) return chain;
  if (position > tail.position)
    throw new AnnalsError(
      "USAGE",
      `The log ends at position ${tail.position}; nothing stands at ${position}.`,
      {
        facts: { position, head: tail.position }
      }
    );
  throw damaged("gap", position, "the event is missing");
}
async function readPositions({ store, logId }, positions) {
  const wanted = [...new Set(positions.flatMap((position) => [position - 1, position]))];
  const records = await store.getMany(wanted.map(eventKey));
  const found = new Map(wanted.map((position, index) => [position, records[index]]));
  return positions.map((position) => {
    const record = found.get(position);
    if (record === void 0) throw damaged("gap", position, "the event is missing");
    const before = found.get(position - 1);
    const chainBefore = position === 1 ? genesis(logId) : before && claimedChain(before);
    if (!chainBefore) throw damaged("gap", position - 1, "the event is missing");
    const opened = good(openHeader(record, chainBefore), position);
    const json = good(openBody(record, opened.bodyStart), position);
    return { event: toEvent(opened.header, json, position), chain: opened.chain };
  });
}
function toEvent(header, json, position) {
  const { id, type, v, agent, session, fact, witness, recordedAt } = header;
  const newest = NEWEST.get(type);
  if (newest === void 0 || v > newest) {
    const unknown = { type: "unknown", unknownType: type, id, agent, session };
    return { ...unknown, position, recordedAt };
  }
  const { origin, originSeq, occurredAt, causation } = header;
  const body = upcast(type, v, JSON.parse(json), newest);
  return {
    type,
    id,
    version: newest,
    agent,
    session,
    fact,
    witness,
    origin,
    originSeq,
    occurredAt,
    causation,
    body,
    position,
    recordedAt
  };
}
async function missingOr(problem, store, position) {
  if (await store.get(eventKey(position)) === void 0)
    return damaged("gap", position, "the event is missing");
  return damaged(problem.kind, position, problem.message);
}
function good(opened, position) {
  if (typeof opened === "object" && "kind" in opened) throw damaged(opened.kind, position, opened.message);
  return opened;
}
function damaged(kind, position, message) {
  return new AnnalsError("LOG_DAMAGED", `The log is damaged at position ${position}: ${message}.`, {
    hint: "Run annals verify to see all of it.",
    facts: { position, kind }
  });
}

// log/tail.ts
async function readTail(store, logId) {
  const position = await lastPosition(store);
  if (position === 0) return { position: 0, originSeq: 0, chain: genesis(logId) };
  const record = await store.get(eventKey(position));
  const chain = record === void 0 ? null : claimedChain(record);
  const header = record === void 0 || chain === null ? null : parseHeader(record);
  return {
    position,
    originSeq: header?.originSeq ?? position,
    chain: chain ?? genesis(logId)
  };
}
async function lastPosition(store) {
  const keys = store.keys({ gt: Buffer.from([EVENT]), lt: Buffer.from([EVENT + 1]), reverse: true });
  try {
    for await (const key of keys) {
      const position = positionOf(key);
      if (position !== null) return position;
    }
    return 0;
  } finally {
    await keys.close();
  }
}

// log/verify.ts
var CHUNK_ENTRIES = 2e3;
var READ_AHEAD_BYTES2 = 512 * 1024;
var PROBLEMS_SHOWN_MAX = 100;
async function verifyLog(request) {
  const walk = new Walk(request);
  try {
    await walk.run();
  } catch (error) {
    walk.problem(
      "store",
      null,
      `LevelDB cannot read its own files: ${storeError(error, "Reading failed").code}`
    );
  }
  if (request.head !== null) walk.problem("head", request.head.position, request.head.message);
  return walk.report();
}
var Walk = class {
  #request;
  #groups = new SessionGroups();
  #shown = [];
  #counts = /* @__PURE__ */ new Map();
  #originSeqs = /* @__PURE__ */ new Map();
  #chain;
  #position = 0;
  #good = 0;
  #withSession = 0;
  #identities = 0;
  #sessions = 0;
  #metaSeen = false;
  constructor(request) {
    this.#request = request;
    this.#chain = genesis(request.logId);
  }
  async run() {
    const { store, tail } = this.#request;
    const snapshot = store.snapshot();
    const iterator = store.iterator({ snapshot, ...{ highWaterMarkBytes: READ_AHEAD_BYTES2 } });
    try {
      for (; ; ) {
        const entries = await iterator.nextv(CHUNK_ENTRIES);
        if (entries.length === 0) break;
        await this.#events(eventsOf(entries), snapshot);
        for (const [key, value] of entries) if (positionOf(key) === null) this.#other(key, value);
        await this.#lookUpOthers(entries, snapshot);
        this.#request.onProgress?.(Math.min(this.#position, tail.position), tail.position);
      }
    } finally {
      await iterator.close();
      await snapshot.close();
    }
    if (this.#position < tail.position)
      this.problem("gap", tail.position, `the log ends at ${this.#position} instead of ${tail.position}`);
    if (!this.#metaSeen) this.problem("meta", null, "the meta record is missing");
    this.#compareCounts();
  }
  problem(kind, position, message) {
    const count2 = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count2);
    if (count2 <= PROBLEMS_SHOWN_MAX) this.#shown.push({ kind, position, message });
  }
  report() {
    const more = [...this.#counts].filter(([, count2]) => count2 > PROBLEMS_SHOWN_MAX).map(([kind, count2]) => ({
      kind,
      position: null,
      message: `and ${count2 - PROBLEMS_SHOWN_MAX} more problems of this kind`
    }));
    const problems = [...this.#shown, ...more];
    return { ok: problems.length === 0, events: this.#good, problems };
  }
  async #events(events, snapshot) {
    if (events.length === 0) return;
    const opened = events.map((found) => this.#event(found));
    const keys = events.flatMap(({ key, position }, index) => {
      const header = opened[index];
      return header ? [key, identityKey(header.id), this.#sessionKey(header, position)] : [key];
    });
    const records = await this.#request.store.getMany(keys, { snapshot });
    let at = 0;
    for (const [index, found] of events.entries()) {
      const { position, record } = found;
      if (!same(records[at++], record))
        this.problem("store", position, "looking the event up finds something else than reading through");
      const header = opened[index];
      if (!header) continue;
      const identity = records[at++];
      if (identity === void 0) this.problem("id-index", position, "the id index does not know the event");
      else if (identity.length !== 8 || readPosition(identity, 0) !== position)
        this.problem("id-index", position, "the id index leads elsewhere");
      const session = records[at++];
      if (header.session !== null && session === void 0)
        this.problem("session-index", position, "the session index does not know the event");
    }
  }
  /** An event without a session has no session key; its own key stands in, so that every event has three. */
  #sessionKey(header, position) {
    if (header.session === null) return eventKey(position);
    return sessionKey(this.#groups.of(header.agent, header.session), position);
  }
  #event({ position, record }) {
    const expected = this.#position + 1;
    if (position > expected) {
      const missing = position === expected + 1 ? `${expected} is` : `${expected} to ${position - 1} are`;
      this.problem("gap", expected, `position ${missing} missing`);
    } else if (position < expected) {
      this.problem("stray", position, "a position stands twice or out of order");
    }
    this.#position = Math.max(this.#position, position);
    const claimed = claimedChain(record);
    const opened = openHeader(record, this.#chain);
    if (claimed !== null) this.#chain = claimed;
    if ("kind" in opened) {
      if (position === expected || opened.kind !== "chain")
        this.problem(opened.kind, position, opened.message);
      return null;
    }
    const json = openBody(record, opened.bodyStart);
    if (typeof json !== "string") this.problem(json.kind, position, json.message);
    else this.#good += 1;
    this.#checkHeader(opened.header, position);
    return opened.header;
  }
  #checkHeader(header, position) {
    if (header.id !== eventId(header))
      this.problem("header", position, "the id does not follow from what the header says");
    const before = this.#originSeqs.get(header.origin) ?? 0;
    if (header.originSeq !== before + 1)
      this.problem("origin", position, `origin sequence ${header.originSeq} follows ${before}`);
    this.#originSeqs.set(header.origin, header.originSeq);
    if (header.session !== null) this.#withSession += 1;
  }
  #other(key, value) {
    if (key[0] === IDENTITY && key.length === 17) this.#identities += 1;
    else if (key[0] === SESSION && key.length === 25 && value.length === 0) this.#sessions += 1;
    else if (key[0] === CURSOR) this.#cursor(key, value);
    else if (key[0] === META && key.length === 1) this.#meta(value);
    else this.problem("stray", null, `a key that is none of ours, ${key.length} bytes long`);
  }
  #cursor(key, value) {
    if (openValue(key, value) === void 0) this.problem("cursor", null, "a cursor is not what was written");
  }
  #meta(value) {
    this.#metaSeen = true;
    const meta = openValue(META_KEY, value);
    if (meta === void 0) this.problem("meta", null, "the meta record is not what was written");
    else if (meta.logId !== this.#request.logId || meta.origin !== this.#request.origin)
      this.problem("meta", null, "the meta record names another log");
  }
  /** Cursors and the meta record are read singly too; the index entries were looked up from their events. */
  async #lookUpOthers(entries, snapshot) {
    const few = entries.filter(([key]) => key[0] === CURSOR || key[0] === META);
    if (few.length === 0) return;
    const keys = few.map(([key]) => key);
    const records = await this.#request.store.getMany(keys, { snapshot });
    for (const [index, record] of records.entries())
      if (!same(record, few[index][1])) this.problem("store", null, "looking a key up finds something else");
  }
  /**
   * Each event was found in both indexes, so more entries than events are entries without an event. Where
   * events are missing or unreadable their entries are known to be too many, and that has been said.
   */
  #compareCounts() {
    if (["gap", "header", "chain"].some((kind) => this.#counts.has(kind))) return;
    if (this.#identities !== this.#position)
      this.problem("id-index", null, `${this.#identities} entries for ${this.#position} events`);
    if (this.#sessions !== this.#withSession)
      this.problem(
        "session-index",
        null,
        `${this.#sessions} entries for ${this.#withSession} events with a session`
      );
  }
};
function eventsOf(entries) {
  return entries.flatMap(([key, record]) => {
    const position = positionOf(key);
    return position === null ? [] : [{ key, position, record }];
  });
}
function same(one, other) {
  return one?.equals(other) === true;
}

// log/open.ts
async function openLog(options) {
  const { directory, headFile, world, files } = options;
  const store = options.store ?? levelStore(directory, options);
  await openStore(store);
  try {
    const { meta, problem } = await readOrCreateMeta(store, world);
    const tail = await readTail(store, meta.logId);
    const log = new OpenedLog(store, meta, tail, { directory, headFile, world, files });
    if (problem !== null) log.damage.push(problem);
    const lost = await log.compareHeadFile();
    if (lost !== null) log.damage.push(lost);
    return log;
  } catch (error) {
    await store.close();
    throw storeError(error, "The log could not be opened");
  }
}
var OpenedLog = class {
  logId;
  origin;
  damage = [];
  #store;
  #settings;
  #queue;
  #listeners = /* @__PURE__ */ new Set();
  /** The catalogue's schemas, loaded by the first append: a command that only reads never waits for them. */
  #admission = null;
  #closed = null;
  constructor(store, meta, tail, settings) {
    this.logId = meta.logId;
    this.origin = meta.origin;
    this.#store = store;
    this.#settings = settings;
    this.#queue = new AppendQueue({
      store,
      origin: meta.origin,
      world: settings.world,
      tail,
      reopen: (durable) => this.#reopen(durable),
      onCommit: () => this.#announce()
    });
  }
  head() {
    const { position, chain } = this.#queue.durable;
    return { logId: this.logId, position, chain: hexOf(chain) };
  }
  async append(...[tellings, options]) {
    this.#refuseIfClosed();
    this.#admission ??= import("./telling-NQA4WWHU.js");
    const { checkTellings } = await this.#admission;
    return this.#queue.append(checkTellings(tellings), options);
  }
  page(request) {
    return this.#read((context) => readPage(context, request));
  }
  pageBySession(request) {
    return this.#read((context) => readSessionPage(context, request));
  }
  async get(id) {
    const [event] = await this.getMany([id]);
    return event;
  }
  getMany(ids) {
    return this.#read(async (context) => (await readIds(context, ids)).map(known));
  }
  idsByPrefix(prefix, limit) {
    return this.#read(({ store }) => readIdsByPrefix(store, prefix, limit));
  }
  async tellings(fact) {
    const events = await this.getMany(idsOfFact(fact));
    return events.filter((event) => event !== void 0);
  }
  cursor(key) {
    return this.#read(async ({ store }) => {
      const stored = cursorKey(key);
      const record = await store.get(stored);
      return record === void 0 ? void 0 : openCursor(stored, record).value;
    });
  }
  cursors(prefix = "") {
    return this.#read(async ({ store }) => {
      const range = { gte: cursorKey(prefix), lt: Buffer.from([CURSOR + 1]) };
      const found = [];
      for await (const [key, record] of store.iterator(range)) {
        const cursor = openCursor(key, record);
        if (!cursor.key.startsWith(prefix)) break;
        found.push(cursor);
      }
      return found;
    });
  }
  standing(anchor) {
    return this.#read(async ({ store, logId, tail }) => {
      if (anchor.logId !== logId) return "foreign";
      if (anchor.position === 0) return "held";
      if (anchor.position > tail.position) return "ahead";
      const chain = await chainAt(store, logId, anchor.position, tail);
      return hexOf(chain) === anchor.chain ? "held" : "foreign";
    });
  }
  onHead(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  verify(options = {}) {
    return this.#read(async ({ store, logId, tail }) => {
      const head = await this.compareHeadFile();
      return verifyLog({ store, logId, origin: this.origin, tail, head, ...options });
    });
  }
  async bytes() {
    return this.#settings.headFile === null ? 0 : this.#settings.files.folderBytes(this.#settings.directory);
  }
  async saveHead({ acceptLoss = false } = {}) {
    const { files, headFile } = this.#settings;
    if (headFile === null) return false;
    const written = await readHeadFile(files, headFile);
    if (!acceptLoss && await this.#problemOf(written) !== null) return false;
    if (!isSame(written, this.head())) await writeHeadFile(files, headFile, this.head());
    return true;
  }
  close() {
    this.#closed ??= this.#close();
    return this.#closed;
  }
  /** What the head beside the log says that the log does not; null when they agree. */
  async compareHeadFile() {
    const { files, headFile } = this.#settings;
    if (headFile === null) return null;
    return this.#problemOf(await readHeadFile(files, headFile));
  }
  async #problemOf(written) {
    if (written === null || written === "unreadable") return headProblem(written, "held", 0);
    return headProblem(written, await this.standing(written), this.#queue.durable.position);
  }
  async #close() {
    await this.#admission?.catch(() => {
    });
    await this.#queue.idle();
    try {
      if (this.#store.status === "open") await this.saveHead();
    } finally {
      await this.#store.close();
    }
  }
  async #read(read) {
    await this.#queue.whenReadable();
    if (this.#store.status !== "open") this.#refuseIfClosed();
    try {
      return await read({ store: this.#store, logId: this.logId, tail: this.#queue.durable });
    } catch (error) {
      throw storeError(error, "The log could not be read");
    }
  }
  async #reopen(durable) {
    await this.#store.close();
    await openStore(this.#store);
    const tail = await readTail(this.#store, this.logId);
    const chain = await chainAt(this.#store, this.logId, Math.min(durable.position, tail.position), tail);
    if (tail.position < durable.position || chain !== durable.chain)
      this.damage.push({
        kind: "head",
        position: durable.position,
        message: `log lost its tail: ${tail.position} of ${durable.position}`
      });
    return tail;
  }
  /** Later, so that a listener that throws cannot stop the queue. */
  #announce() {
    const head = this.head();
    for (const listener of this.#listeners) queueMicrotask(() => listener(head));
  }
  #refuseIfClosed() {
    if (this.#closed !== null) throw new AnnalsError("LOG_CLOSED", "The log was closed.");
  }
};
function isSame(written, { logId, position, chain }) {
  if (written === null || written === "unreadable") return false;
  return written.logId === logId && written.position === position && written.chain === chain;
}
function known(event) {
  return event === void 0 || event.type === "unknown" ? void 0 : event;
}
function openCursor(key, record) {
  const cursor = openValue(key, record);
  if (cursor !== void 0) return cursor;
  throw new AnnalsError("LOG_DAMAGED", "A cursor in the log is not what was written.", {
    hint: "Run annals verify; reading the source again from its beginning is always safe."
  });
}

export {
  loadCatalog,
  EVENT_TYPES,
  require_level,
  openLog
};
//# sourceMappingURL=chunk-4WN6EROU.js.map
