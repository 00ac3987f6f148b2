// An event in one line: the words that let a person recognise it. Reads bodies by field name, so that a type
// it has never heard of still says something.
import type { LogEvent } from '../../../log/index.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';

const TELLING_FIELDS = ['command', 'file_path', 'pattern', 'path', 'url', 'query', 'description', 'prompt'];

export function eventLine(event: LogEvent): string {
  const body: Readonly<Record<string, unknown>> = { ...event.body };
  if (body.private === true) return '(private)';
  if (typeof body.toolUseId === 'string') return toolLine(body);
  const said = [body.title, body.text, body.reason, body.source, body.into, body.cwd].find(
    (value) => typeof value === 'string' && value.trim() !== '',
  );
  return plainLine(typeof said === 'string' ? said : '');
}

/** `Bash failed: npm test`. */
function toolLine(body: Readonly<Record<string, unknown>>): string {
  const input = typeof body.input === 'object' && body.input !== null ? body.input : {};
  const fields: Readonly<Record<string, unknown>> = { ...input };
  const event = TELLING_FIELDS.map((field) => fields[field]).find((value) => typeof value === 'string');
  const outcome = body.outcome === undefined || body.outcome === 'ok' ? '' : ` ${body.outcome}`;
  return plainLine(`${body.name}${outcome}${event === undefined ? '' : `: ${event}`}`);
}
