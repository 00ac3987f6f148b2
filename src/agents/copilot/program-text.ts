// Text of the program, in a person's place and behind the output of a command.

/** What the program tells the agent in a person's place: a shell or a sub-agent is done. */
export function isNotification(text: string): boolean {
  return text.trimStart().startsWith('<system_notification>');
}

/** What the program writes behind the output of a command that has ended. */
export function exitCodeIn(text: string): number | null {
  const end = /<(?:shellId: \S{1,20} completed|exited) with exit code (-?\d{1,10})>\s*$/;
  const code = end.exec(text.slice(-200))?.[1];
  return code === undefined ? null : Number(code);
}
