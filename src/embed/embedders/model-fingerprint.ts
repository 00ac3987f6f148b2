// Tells models apart by their files, wherever these are. Reading all of a model would take longer than a search, so samples of
// each file are read: two trainings of one model differ nearly everywhere.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** Of each file, at equal distances. */
const SAMPLES = 16;
const SAMPLE_BYTES = 4_096;
const DIGITS = 16;
/** Those that transformers.js loads unless it is told otherwise. */
const FILES = ['config.json', 'tokenizer.json', 'onnx/model.onnx', 'onnx/model.onnx_data'];

/** @param folder of a model for transformers.js */
export function modelFingerprint(folder: string): string {
  const hash = createHash('sha256');
  for (const name of FILES.filter((file) => existsSync(join(folder, file)))) {
    const { size, samples } = samplesOf(join(folder, name));
    hash.update(JSON.stringify([name, size]));
    for (const sample of samples) hash.update(sample);
  }
  return hash.digest('hex').slice(0, DIGITS);
}

/** The whole file if it is small. */
function samplesOf(path: string): { readonly size: number; readonly samples: readonly Uint8Array[] } {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const distance = Math.max(SAMPLE_BYTES, (size - SAMPLE_BYTES) / (SAMPLES - 1));
    const samples = Array.from({ length: SAMPLES }, (_, index) => {
      const sample = Buffer.alloc(SAMPLE_BYTES);
      return sample.subarray(0, readSync(file, sample, 0, SAMPLE_BYTES, Math.floor(index * distance)));
    });
    return { size, samples };
  } finally {
    closeSync(file);
  }
}
