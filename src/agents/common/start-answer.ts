/** How an agent gives its model a text after another event than the start of a session: one line of JSON. */
export function eventAnswer(event: string, text: string): string {
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })}\n`;
}

/**
 * What most agents take as the answer of a hook for the start of a session: one line of JSON with the text for the model
 * and a message for the person. One of the two is not empty.
 */
export function sessionStartAnswer(text: string, message: string): string {
  const output = {
    ...(text === ''
      ? {}
      : { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } }),
    ...(message === '' ? {} : { systemMessage: message }),
  };
  return `${JSON.stringify(output)}\n`;
}
