// Describes an event in one line, so that a person can recognise it. Reads the body by field name, so that unknown
// types still show something.
import type { LogEvent } from '../../log/index.ts';
import { plainLine } from './plain-text.ts';

const INPUT_FIELDS = ['command', 'file_path', 'pattern', 'path', 'url', 'query', 'description', 'prompt'];

export function eventLine(event: LogEvent): string {
  const body: Readonly<Record<string, unknown>> = { ...event.body };
  if (body.private === true) return '(private)';
  if (typeof body.toolUseId === 'string') return toolLine(body);
  const { title } = (body.item ?? {}) as { readonly title?: unknown };
  const text = [body.title, body.text, title, body.reason, body.source, body.into, body.cwd].find(
    (value) => typeof value === 'string' && value.trim() !== '',
  );
  return plainLine(typeof text === 'string' ? text : '');
}

/** `Bash failed: npm test`. */
function toolLine(body: Readonly<Record<string, unknown>>): string {
  const input = typeof body.input === 'object' && body.input !== null ? body.input : {};
  const fields: Readonly<Record<string, unknown>> = { ...input };
  const subject = INPUT_FIELDS.map((field) => fields[field]).find((value) => typeof value === 'string');
  const outcome = typeof body.outcome !== 'string' || body.outcome === 'ok' ? '' : ` ${body.outcome}`;
  return plainLine(`${body.name}${outcome}${subject === undefined ? '' : `: ${subject}`}`);
}
