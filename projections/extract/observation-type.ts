// Classifies an observation as one of seven types: by the verb of its commit or title, else by the request. Without a change
// it is a discovery, or a decision when one was made.
import type { ObservationType } from './transcript/observation.ts';

export interface TypeSources {
  readonly commits: readonly string[];
  readonly prompt: string;
  readonly title: string;
  readonly documentsOnly: boolean;
  readonly changed: boolean;
  readonly created: boolean;
  readonly decided: boolean;
  readonly fixedErrors: number;
}

const SECURITY =
  /\b(?:vulnerabilit(?:y|ies)|CVE-\d+|path traversal|(?:sql|command|shell|code|prompt) injection|XSS|CSRF|SSRF|RCE|leak(?:s|ed|ing)? (?:secrets?|tokens?|credentials?|passwords?)|privilege escalation|security (?:issue|hole|bug|fix|flaw))\b/i;
const BUG =
  /\b(?:bug|fix|broken|crash|regression|incorrect|wrong|fail|error|missing|lost|leak|stuck|hang|unable|(?:does|is)n['’]t work|not working)/i;
const PROMPT_CHARS_READ = 600;

/** How the verb begins that says what kind of work it was: `feat:`, "Fixed …", "Rename …". */
const BY_VERB: Readonly<Record<string, ObservationType>> = Object.fromEntries(
  (
    [
      ['feature', 'feat add implement introduc creat'],
      ['bugfix', 'fix correct resolv restor'],
      ['refactor', 'refactor renam mov extract simplif consolidat unif remov drop delet migrat split clean'],
      ['change', 'perf doc test chore ci build style updat bump upgrad rewr commit merg push'],
    ] as const
  ).flatMap(([type, verbs]) => verbs.split(' ').map((verb) => [verb, type])),
);

export function typeOf(sources: TypeSources): ObservationType {
  const { commits, prompt, title, documentsOnly, changed, created, decided, fixedErrors } = sources;
  const asked = prompt.slice(0, PROMPT_CHARS_READ);
  if (SECURITY.test(`${asked}\n${title}\n${commits.join('\n')}`)) return 'security';
  if (!changed) return decided ? 'decision' : 'discovery';
  const ofCommits = commits.map(typeOfVerb);
  const ofCommit = Object.values(BY_VERB).find((type) => ofCommits.includes(type));
  if (ofCommit !== undefined) return ofCommit;
  if (documentsOnly) return 'change';
  const ofTitle = typeOfVerb(title);
  if (ofTitle === 'bugfix' || ofTitle === 'refactor') return ofTitle;
  if (fixedErrors > 1 || (BUG.test(`${asked}\n${title}`) && !(ofTitle === 'feature' && created)))
    return 'bugfix';
  return ofTitle ?? (created ? 'feature' : 'change');
}

function typeOfVerb(text: string): ObservationType | null {
  const word = text.toLowerCase();
  const verb = Object.keys(BY_VERB).find((one) => word.startsWith(one));
  return verb === undefined ? null : BY_VERB[verb]!;
}
