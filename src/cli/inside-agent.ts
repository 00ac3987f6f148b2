// Whether this command was started by an agent and not by a person: what the agents put into the environment of
// what they run. ANNALS_AGENT and ANNALS_INTERNAL are our own.
const MARKS = ['CLAUDECODE', 'ANNALS_AGENT', 'ANNALS_INTERNAL'] as const;

export function insideAgent(environment: Readonly<Record<string, string | undefined>>): boolean {
  return MARKS.some((mark) => environment[mark] !== undefined && environment[mark] !== '');
}
