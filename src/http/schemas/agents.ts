// Schemas of the agents and of changes of their settings.
import * as z from 'zod';

const place = {
  agent: z.string(),
  holds: z.array(z.enum(['hooks', 'mcp'])),
  path: z.string(),
  changed: z.boolean().describe('False: it has it already, or cannot be used.'),
  isNew: z.boolean().describe('The file did not exist before.'),
  isRemoved: z.boolean(),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().nullable() }).nullable(),
};

export const agentsAnswer = z.object({
  agents: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      present: z.boolean(),
      installed: z.boolean().nullable().describe('Null: the settings cannot be read and may hold hooks.'),
      elsewhere: z.boolean().describe('Hooks write to another home.'),
      current: z.boolean(),
      byPlugin: z.boolean(),
      mcp: z.enum(['missing', 'registered', 'plugin', 'outdated', 'other', 'unknown']),
      problem: z.string().nullable(),
    }),
  ),
  otherMemories: z.array(z.string()).describe('That run in Claude Code too.'),
});

export const plannedFiles = z.array(
  z.object({
    ...place,
    diff: z.array(z.string()).describe('Lines that begin with `+`, `-` or two spaces. Secrets are masked.'),
    serverTaken: z
      .boolean()
      .describe('A server of our name that `annals install` did not write is left alone.'),
  }),
);

export const changedFiles = z.array(
  z.object({
    ...place,
    backup: z.string().nullable().describe('The backup that stays: an older state of the file.'),
    afterInstall: z.string().nullable().describe('What a person must do then.'),
  }),
);
