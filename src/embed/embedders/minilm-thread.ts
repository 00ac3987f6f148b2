// The code of the model's thread, as text and not as a file, so that it works both from the sources and from the bundle.
// It loads the packages at the first request and answers one request at a time.
//
//   in: {id, texts}   out: {id, vectors: number[][]} or {id, error}   workerData: MiniLmEngine

export const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');

async function latMd({ engine, weights }) {
  const { createEmbedder } = await import(engine);
  const { default: model } = await import(weights);
  const embedder = await createEmbedder({ model });
  return (texts) => embedder.embed(texts);
}

async function transformers({ engine, folder, name }) {
  const { env, pipeline } = await import(engine);
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = folder;
  const extract = await pipeline('feature-extraction', name);
  return async (texts) => (await extract(texts, { pooling: 'mean', normalize: true })).tolist();
}

let loading = null;
let last = Promise.resolve();
parentPort.on('message', ({ id, texts }) => {
  last = last.then(async () => {
    try {
      loading ??= (workerData.kind === 'lat.md' ? latMd(workerData) : transformers(workerData)).catch((error) => {
        // The next request tries again.
        loading = null;
        throw error;
      });
      parentPort.postMessage({ id, vectors: await (await loading)(texts) });
    } catch (error) {
      parentPort.postMessage({ id, error: String((error && error.message) || error) });
    }
  });
});
`;
