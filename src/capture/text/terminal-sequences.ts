// Colours and cursor movements of terminals, which are no text. They could also hide a secret from redaction: `grep --color` puts
// them into the middle of a word.

const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;

export function withoutTerminalSequences(text: string): string {
  return text.includes('\u001b') ? text.replace(SEQUENCES, '') : text;
}
