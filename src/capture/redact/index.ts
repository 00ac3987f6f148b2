// What others may use of redaction.
export { redactCounted, redactText } from './redact-text.ts';
export { type SanitizeOptions, sanitizeText, sanitizeValue } from './sanitize.ts';
