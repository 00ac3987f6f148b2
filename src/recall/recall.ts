// What earlier sessions of a project know about what a session is doing right now. Silent unless the evidence is strong:
// a wrong memory costs more than a missing one.
import type { RecallAnswer, RecallOptions } from '../api/recall.ts';
import { projectByName, projectOfFolder } from '../home/folder-project.ts';
import type { ReadHome } from '../home/home.ts';
import { recallForPrompt } from './prompt-recall.ts';
import { recallText } from './recall-text.ts';

/** Reads the views as they are and waits for nothing. @throws AnnalsError NOT_FOUND: no project has this name */
export async function recallOf(options: RecallOptions, home: ReadHome): Promise<RecallAnswer> {
  const { project, cwd = process.cwd() } = options;
  const { name, indexes } = await (project === undefined
    ? projectOfFolder(cwd, home)
    : projectByName(project, home));
  const recalled = indexes.length === 0 ? [] : await recallForPrompt(options, indexes, home);
  const { text, shown } = recallText(name, recalled);
  const items = shown.map(({ document: { id, kind, turn } }) => ({ id, kind, turn }));
  return { text, tokens: Math.ceil(text.length / 4), project: name, items };
}
