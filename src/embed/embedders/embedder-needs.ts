// Said when somebody chooses an embedder: whether what it needs is there, and what leaves the machine with it.
import type { Settings } from '../../config/settings.ts';
import { openModel } from './open-model.ts';

/**
 * Sentences for the person who chose; empty where there is nothing to say.
 * @throws AnnalsError EMBEDDER_MISSING with what to install or to set
 */
export function checkEmbedder(
  settings: Settings,
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (settings.embedder === 'static') return [];
  if (settings.embedder === 'none') return ['From now on searches go by words alone.'];
  const { name } = openModel(settings, home, environment);
  const next = '`annals embed` makes the vectors; until then the table that ships serves.';
  if (settings.embedder === 'minilm') return [`Found: ${name}. Everything stays on this machine. ${next}`];
  const { 'embedder.url': url, 'embedder.keyVariable': variable } = settings;
  const { host, protocol } = new URL(url!);
  const local = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(host);
  const problemTexts = [
    `What is remembered is sent to ${host}: the texts of your prompts, of the agents' answers, of tool uses and of saved memories, at \`annals embed\` and \`annals import\`, and each query at a search.${local ? ' That is this machine.' : ' Secrets were redacted when they were captured; nothing else is held back.'}`,
  ];
  if (!local && protocol === 'http:')
    problemTexts.push('The address is http: on the way everybody can read it.');
  if (variable !== null && !environment[variable]?.trim())
    problemTexts.push(`${variable} is not set here; the key is read from it when the service is asked.`);
  return [...problemTexts, next];
}
