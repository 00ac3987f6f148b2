// A memory that a user or an agent saves on purpose.
import type { Json } from '../../log/index.ts';

export interface SaveInput {
  readonly title: string;
  readonly text: string;
  readonly type?: string;
  readonly project?: string;
  /** A session's id, or the beginning of it. */
  readonly session?: string;
  readonly files?: readonly string[];
  readonly concepts?: readonly string[];
  readonly metadata?: Json;
  /** Unix ms; default now. */
  readonly at?: number;
  readonly cwd?: string;
  /** Who wrote it. Default user. */
  readonly author?: 'user' | 'agent';
}
