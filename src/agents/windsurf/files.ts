// Where Windsurf keeps its settings.
import { join } from 'node:path';
import type { Machine } from '../../platform/machine.ts';

export function windsurfFolder({ userHome }: Machine): string {
  return join(userHome, '.codeium', 'windsurf');
}
