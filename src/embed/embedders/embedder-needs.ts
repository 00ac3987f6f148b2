// Reports, when a person chooses an embedder, whether its requirements are met and what data leaves the machine.
import type { Settings } from '../../config/settings.ts';
import { isThisMachine } from '../../platform/http.ts';
import { openModel } from './open-model.ts';

/**
 * Sentences for the person; empty if there is nothing to report.
 * @throws AnnalsError EMBEDDER_MISSING with what to install or to set
 */
export function checkEmbedder(
  settings: Settings,
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (settings.embedder === 'static') return [];
  if (settings.embedder === 'none') return ['From now on searches use words alone.'];
  const { name } = openModel(settings, home, environment);
  const next = '`annals embed` makes the vectors; until then the built-in table is used.';
  if (settings.embedder === 'minilm') return [`Found: ${name}. Everything stays on this machine. ${next}`];
  const { 'embedder.url': url, 'embedder.keyVariable': variable } = settings;
  const { host, protocol } = new URL(url!);
  const local = isThisMachine(host);
  const problemTexts = [
    `This embedder sends texts to ${host}: your prompts, the agents' answers, tool uses and saved memories, at \`annals embed\` and \`annals import\`; each query at a search; and each prompt or error that recall looks up.${local ? ' That is this machine.' : ' Secrets are redacted before; nothing else is held back.'}`,
  ];
  if (!local && protocol === 'http:')
    problemTexts.push('The address uses http: anyone on the network path can read the texts.');
  if (variable !== null && !environment[variable]?.trim())
    problemTexts.push(`${variable} is not set here; the key is read from it at each request.`);
  return [...problemTexts, next];
}
