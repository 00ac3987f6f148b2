// What others may use of redaction.
export { redactText, type Work } from './redact-text.ts';
export { type SanitizeOptions, sanitizeText, sanitizeValue } from './sanitize.ts';
