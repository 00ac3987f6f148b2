// Classifies an observation as one of seven types: by the commit's own prefix first, then by changes, request and answer.
// Without a change it is a discovery, or a decision when one was made.
import type { ObservationType } from './transcript/observation.ts';

export interface TypeSources {
  readonly commits: readonly string[];
  readonly prompt: string;
  readonly title: string;
  /** The first sentences of the final answer. */
  readonly said: string;
  readonly filesModified: readonly string[];
  readonly changed: boolean;
  readonly created: boolean;
  readonly decided: boolean;
  readonly fixedErrors: number;
}

const SECURITY =
  /\b(?:vulnerabilit(?:y|ies)|CVE-\d+|path traversal|(?:sql|command|shell|code|prompt) injection|XSS|CSRF|SSRF|RCE|leak(?:s|ed|ing)? (?:secrets?|tokens?|credentials?|passwords?)|privilege escalation|security (?:issue|hole|bug|fix|flaw)|sanitiz(?:e|ing) (?:user )?input)\b/i;
const BUG =
  /\b(?:bug|fix(?:e[sd]|ing)?|broken|crash(?:es|ed)?|regression|incorrect(?:ly)?|wrong(?:ly)?|fail(?:s|ing|ed|ure)?|doesn(?:'|’)?t work|does not work|not working|isn(?:'|’)?t working|error|missing|lost|off by one|race condition|leak|misleading|inconsisten(?:t|cy)|stuck|hangs?|unable to|inaccurate|severity)\b/i;
const REFACTOR =
  /\b(?:refactor\w*|renam(?:e|ed|ing)|mov(?:e|ed|ing)\b(?! on)|extract(?:ed|ing)?|simplif(?:y|ied|ies)|clean(?:ed|ing)? ?up|dedup\w*|duplicat(?:e|ed|ion)|consolidat\w+|reorgani[sz]\w+|unus(?:ed)|dead code|split (?:up|into)|migrat(?:e|ed|ing))\b/i;
const FEATURE =
  /\b(?:add(?:ed|ing|s)?|implement(?:ed|ing|s)?|creat(?:e|ed|ing)|support(?:s|ed)?|introduc(?:e|ed|ing)|build|new (?:feature|command|option|setting|segment|endpoint|flag)|feature|enable[sd]?)\b/i;
const DOCUMENTS = /\.(?:md|mdx|rst|txt|adoc)$/i;

export function typeOf(sources: TypeSources): ObservationType {
  const { commits, prompt, title, said, filesModified, changed, created, decided, fixedErrors } = sources;
  const asked = prompt.slice(0, 600);
  if (SECURITY.test(`${asked.slice(0, 300)}\n${title}\n${commits.join('\n')}`)) return 'security';
  if (!changed) return decided ? 'decision' : 'discovery';
  const word = commitWord(commits);
  if (word !== null) return word;
  const documents = filesModified.length > 0 && filesModified.every((file) => DOCUMENTS.test(file));
  if (documents)
    return decided && /\b(?:ADR|decision|architecture)\b/i.test(asked + title) ? 'decision' : 'change';
  const started = first(title) ?? first(said);
  if (started !== null) return started === 'feature' && BUG.test(asked) && !created ? 'bugfix' : started;
  if (BUG.test(asked) || fixedErrors > 1) return 'bugfix';
  if (REFACTOR.test(asked)) return 'refactor';
  if (FEATURE.test(asked) && created) return 'feature';
  if (BUG.test(said)) return 'bugfix';
  if (REFACTOR.test(said)) return 'refactor';
  return created && FEATURE.test(said) ? 'feature' : 'change';
}

function commitWord(commits: readonly string[]): ObservationType | null {
  const words = commits.map(
    (message) => /^(\w+)(?:\([^)]*\))?!?:/.exec(message)?.[1]?.toLowerCase() ?? firstVerb(message),
  );
  for (const [word, type] of BY_COMMIT) if (words.includes(word)) return type;
  return null;
}

const BY_COMMIT: readonly (readonly [string, ObservationType])[] = [
  ['feat', 'feature'],
  ['fix', 'bugfix'],
  ['refactor', 'refactor'],
  ['perf', 'change'],
  ['docs', 'change'],
  ['test', 'change'],
  ['chore', 'change'],
  ['ci', 'change'],
  ['build', 'change'],
  ['style', 'change'],
];

/** "Fix the …" is a fix without saying `fix:`. */
function firstVerb(message: string): string | null {
  const word = /^\w+/.exec(message)?.[0].toLowerCase() ?? '';
  return (
    {
      fix: 'fix',
      fixed: 'fix',
      add: 'feat',
      implement: 'feat',
      refactor: 'refactor',
      rename: 'refactor',
      move: 'refactor',
      simplify: 'refactor',
      remove: 'refactor',
      update: 'chore',
      bump: 'chore',
      document: 'docs',
    }[word] ?? null
  );
}

/** The type that the first word indicates. */
function first(text: string): ObservationType | null {
  const word = /^(?:both |all )?(\p{L}+)/iu.exec(text)?.[1]?.toLowerCase() ?? '';
  if (/^(?:fix|fixed|corrected|resolved|restored)$/.test(word)) return 'bugfix';
  if (
    /^(?:refactored|renamed|moved|extracted|simplified|consolidated|unified|removed|dropped|deleted|migrated|split|cleaned|rename|move)$/.test(
      word,
    )
  )
    return 'refactor';
  if (/^(?:rewrote|rewritten|documented|bumped|upgraded|committed|merged|pushed)$/.test(word))
    return 'change';
  if (/^(?:added|implemented|introduced|add|implement)$/.test(word)) return 'feature';
  return null;
}
