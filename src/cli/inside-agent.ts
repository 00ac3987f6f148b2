// Tells whether an agent started this command, by the environment variables that agents set for the programs they
// run. ANNALS_AGENT and ANNALS_INTERNAL are our own.
const MARKS = [
  ...['CLAUDECODE', 'AI_AGENT', 'CODEX_THREAD_ID', 'CODEX_SANDBOX', 'CODEX_CI', 'GEMINI_CLI', 'QWEN_CODE'],
  ...['OPENCODE', 'COPILOT_CLI', 'CURSOR_AGENT', 'ANNALS_AGENT', 'ANNALS_INTERNAL'],
] as const;

export function insideAgent(environment: Readonly<Record<string, string | undefined>>): boolean {
  return MARKS.some((mark) => environment[mark] !== undefined && environment[mark] !== '');
}
