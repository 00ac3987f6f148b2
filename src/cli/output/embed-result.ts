// Prints the progress and the result of embedding, for `embed` and `import`.
import type { EmbedReport } from '../../api.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import { duration } from '../../terminal-text/time-text.ts';
import type { Terminal } from '../command/terminal.ts';
import { count, counted } from './amount.ts';
import { percent } from './progress-line.ts';

export function embeddingText(done: number, total: number): string {
  return `Embedding: ${percent(done, total)}, ${count(done)} of ${counted(total, 'document')}`;
}

export async function printEmbedded(terminal: Terminal, report: EmbedReport): Promise<void> {
  const { embedded, texts, documents, withVector, refused, problem, ms } = report;
  const result = embedded === 0 ? 'Nothing was embedded' : `${counted(embedded, 'document')} embedded`;
  const how = embedded === 0 ? '' : ` (${counted(texts, 'text')}) in ${duration(ms)}`;
  await terminal.line(
    `${result}${how}; ${count(withVector)} of ${counted(documents, 'document')} have a vector.`,
  );
  if (refused > 0) terminal.note(`${counted(refused, 'document')} refused by the model.`);
  if (problem !== null) terminal.note(terminal.style.yellow(plainLine(problem)));
}
