// What the reader needs of the file it reads.
import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { redactText } from '../redact/index.ts';
import type { ReaderWorld } from './reading.ts';
import type { Sanitizer } from './sanitize.ts';

export function worldOf(
  path: string,
  file: FileHandle,
  sanitizer: Sanitizer,
  agent: Pick<ReaderWorld, 'agentId' | 'privatePromptIds'> = { agentId: null, privatePromptIds: new Set() },
): ReaderWorld {
  return {
    sanitizer,
    fallbackSession: redactText(basename(path).replace(/\.jsonl$/, '')) || null,
    ...agent,
    lineAt: (offset, length) => {
      const bytes = Buffer.allocUnsafe(length);
      return readSync(file.fd, bytes, 0, length, offset) === length ? bytes : null;
    },
  };
}
