// The public API of redaction.
export { redactText, type StepCounter } from './redact-text.ts';
export { type SanitizeOptions, sanitizeText, sanitizeValue } from './sanitize-value.ts';
