import type { Json } from '../../log/index.ts';

export function stripTags(text: string, author: string): string {
  let out = text;
  for (const tag of ['private', 'annals-context', 'system-reminder'])
    out = out.replace(new RegExp(`<${tag}\\b[^>]*>[\\s\\S]*?</${tag}>`, 'gi'), '');
  if (author === 'person') out = out.replace(/<private\b[^>]*>[\s\S]*$/i, '');
  return out.trim();
}
export function sanitizeValue(value: Json, options: { author: string; clipBytes: number }): Json {
  if (typeof value === 'string') {
    const out = stripTags(value, options.author).replace(/sk-ant-[\w-]{20,}/g, '[redacted:anthropic-key]');
    return out.length > options.clipBytes ? out.slice(0, options.clipBytes) : out;
  }
  if (Array.isArray(value)) return value.map((x) => sanitizeValue(x, options));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, sanitizeValue(v, options)]));
  return value;
}
export function isPrivatePrompt(text: string): boolean {
  return text.trim() !== '' && stripTags(text, 'person') === '';
}
export function isTaskNotification(text: string): boolean {
  return /^\s*<task-notification>[\s\S]*<\/task-notification>\s*$/.test(text);
}
