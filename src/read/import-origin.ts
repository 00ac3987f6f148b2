// Where an imported memory comes from, for `show` and `why`.
import type { Json, LogEvent } from '../../log/index.ts';

type ImportEvent = Extract<LogEvent, { type: 'import.memory' }>;

/** The event whose text is shown: the one with the highest version. Null when none of the events is an import. */
export function originOf(events: readonly LogEvent[]): ImportEvent | null {
  const imports = events.filter((event) => event.type === 'import.memory');
  return imports.sort((one, other) => other.body.version - one.body.version)[0] ?? null;
}

export function originDetails(origin: ImportEvent | null): Record<string, Json> {
  if (origin === null) return {};
  const { kind, originalId, author, file, cwd, project, sessionAgent, metadata, version } = origin.body;
  return {
    from: originName(origin),
    tool: origin.body.tool,
    kind,
    originalId,
    author,
    file,
    cwd,
    projectThere: project,
    sessionAgent,
    version,
    metadata,
  };
}

export function originSteps(origin: ImportEvent, session: string | null): string[] {
  const { author, file, cwd, project, version } = origin.body;
  const by = author === 'agent' ? 'an agent or the tool’s own model wrote it' : 'a person wrote it';
  const steps = [`imported from ${originName(origin)}; ${by}`];
  if (file !== null) steps.push(`it was read from ${file}`);
  if (version > 1) steps.push(`its text changed there: this is version ${version}`);
  if (session !== null) steps.push(`there it belongs to session ${session}`);
  if (cwd !== null) steps.push(`there it belongs to the folder ${cwd}`);
  else if (project !== null) steps.push(`there it belongs to the project ${project}; no folder is known`);
  return steps;
}

/** `claude-mem, observation 17, written 2026-03-04T05:06:07.000Z` */
function originName({ body: { tool, kind, originalId }, occurredAt }: ImportEvent): string {
  const written =
    occurredAt === null ? 'at an unknown time' : `written ${new Date(occurredAt).toISOString()}`;
  return `${tool}, ${kind} ${originalId}, ${written}`;
}
