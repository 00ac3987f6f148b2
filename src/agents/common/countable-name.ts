import type { Json } from '../../../log/index.ts';
import { redactText } from '../../capture/redact/index.ts';

/** The name under which an unknown kind is counted: a plain word, or `(unnamed)`. Never captured text or a secret. */
export function countableName(value: Json | undefined): string {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9_.-]{0,47}$/i.test(value)) return '(unnamed)';
  return redactText(value) === value ? value : '(unnamed)';
}
