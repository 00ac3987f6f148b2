// Where Cursor keeps its settings.
import { join } from 'node:path';
import type { Machine } from '../../platform/machine.ts';

export function cursorFolder({ userHome }: Machine): string {
  return join(userHome, '.cursor');
}
