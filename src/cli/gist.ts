// An event in one line: the words that let a person recognise it. Reads bodies by field name, so that a type
// it has never heard of still says something.
import type { LogEvent } from '../../log/index.ts';
import { oneLine } from '../render/plain.ts';

const TELLING_FIELDS = ['command', 'file_path', 'pattern', 'path', 'url', 'query', 'description', 'prompt'];

export function gist(event: LogEvent): string {
  const body: Readonly<Record<string, unknown>> = { ...event.body };
  if (body.private === true) return '(private)';
  if (typeof body.toolUseId === 'string') return toolGist(body);
  const said = [body.title, body.text, body.reason, body.source, body.into, body.cwd].find(
    (value) => typeof value === 'string' && value.trim() !== '',
  );
  return oneLine(typeof said === 'string' ? said : '');
}

/** `Bash failed: npm test`. */
function toolGist(body: Readonly<Record<string, unknown>>): string {
  const input = typeof body.input === 'object' && body.input !== null ? body.input : {};
  const fields: Readonly<Record<string, unknown>> = { ...input };
  const telling = TELLING_FIELDS.map((field) => fields[field]).find((value) => typeof value === 'string');
  const outcome = body.outcome === undefined || body.outcome === 'ok' ? '' : ` ${body.outcome}`;
  return oneLine(`${body.name}${outcome}${telling === undefined ? '' : `: ${telling}`}`);
}
