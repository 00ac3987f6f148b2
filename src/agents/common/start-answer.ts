/**
 * What most agents take as the answer of a hook for the start of a session: one line of JSON with the text for the model
 * and a message for the person. Nothing when there is nothing to say.
 */
export function sessionStartAnswer(text: string, message: string): string {
  if (`${text}${message}` === '') return '';
  const output = {
    ...(text === ''
      ? {}
      : { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } }),
    ...(message === '' ? {} : { systemMessage: message }),
  };
  return `${JSON.stringify(output)}\n`;
}
