// Jobs are builds, deployments and the like: whether their last try failed, and whether a sentence claims that it went well.
import { purposeOfStage, wordsOf } from '../shell/known-commands.ts';
import { parseShell } from '../shell/shell.ts';
import { anyOf } from '../text/any-of.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';
import { commandEnd } from './test-outcome.ts';

const JOBS = ['build', 'types', 'lint', 'install', 'migration', 'deployment', 'release'] as const;
type Job = (typeof JOBS)[number];

/** How the last try of each ended; null when there was none, `other` when it may have succeeded. */
export type JobEnds = Readonly<Record<Job, 'failed' | 'other' | null>>;

const everyJob = (end: JobEnds[Job]) => Object.fromEntries(JOBS.map((job) => [job, end])) as JobEnds;
export const NO_JOBS = everyJob(null);
/** Something ran that may have done any of them. */
const UNKNOWN = everyJob('other');

/** How commands name them: `npm run deploy:prod`, `./deploy.sh`, `npx tsc`. */
const NAMES: Readonly<Record<Job, RegExp>> = {
  build: name('build|compile|bundle'),
  types: name('tsc|mypy|pyright|typecheck|type-check'),
  lint: name('lint|eslint|biome|ruff|clippy|golangci-lint|rubocop|flake8'),
  install: name('install|ci'),
  migration: name('migrate|migrations?'),
  deployment: name('deploy'),
  release: name('publish|release'),
};
/** A package manager starts a server, which has done none of them: `npm run dev`, `npx next dev`. */
const SERVES =
  /^(?:[A-Z_]+=\S+ )*(?:(?:npm|pnpm|yarn|bun)(?: run)?|(?:npx|bunx|pnpx|(?:npm|pnpm|yarn) (?:exec|dlx)) [\w@/.-]+) (?:dev|serve|preview)(?:$|[\s:])/;
/** The program, its task and flags between them. */
const WORDS_READ = 4;

/** How answers claim them: by a noun with its success, or by what was done. */
const CLAIMS: Readonly<Record<Job, RegExp>> = {
  build: claim('builds?|compil(?:es?|ation)|bundl(?:e|ing)'),
  types: claim('types|type[- ]?check(?:s|er|ing)?'),
  lint: claim('lint(?:s|er|ing)?'),
  install: claim('install(?:ation|s)?', 'installed'),
  migration: claim('migrations?', 'migrated (?:the )?(?:database|schema|db)'),
  deployment: claim('deploy(?:s|ments?)?', 'deployed'),
  release: claim('release|publishing', 'released|published'),
};

function name(words: string): RegExp {
  return new RegExp(`(?:^|[\\s:/_-])(?:${words})(?=$|[\\s:._-])`, 'i');
}

function claim(noun: string, done = '(?!)'): RegExp {
  return anyOf(
    { flags: 'i' },
    new RegExp(
      `\\b(?:${noun})\\b[^.;]{0,30}?\\b(?:pass(?:es|ed|ing)?|succe(?:ss|ed)\\w*|completed?|clean(?:ly)?|works|(?:is|are) (?:now )?(?:green|live)|went (?:well|through))\\b`,
    ),
    new RegExp(
      `(?:^|\\b(?:I|we|and|is|are|was|were|been|now|also|all|everything|it|have|has|successfully)(?:['’]ve)? )(?:${done})\\b`,
    ),
  );
}

/** @param isHarmless whether a tool use can have done none of them */
export function jobEndsOf(toolUses: readonly ToolUse[], isHarmless: (one: ToolUse) => boolean): JobEnds {
  let ends = NO_JOBS;
  for (const one of toolUses) {
    const tried = jobsIn(one);
    const end = commandEnd(one) === 'failed' ? 'failed' : 'other';
    if (tried.length > 0) ends = { ...ends, ...Object.fromEntries(tried.map((job) => [job, end])) };
    else if (!isHarmless(one) && !onlyServes(one)) ends = UNKNOWN;
  }
  return ends;
}

/** Of an earlier and a later part of a turn together. */
export function joinedJobs(one: JobEnds, later: JobEnds): JobEnds {
  return Object.fromEntries(JOBS.map((job) => [job, later[job] ?? one[job]])) as JobEnds;
}

/** Whether a sentence says that something went well whose last try failed. */
export function claimsFailedJob(sentence: string, ends: JobEnds): boolean {
  return JOBS.some((job) => ends[job] === 'failed' && CLAIMS[job].test(sentence));
}

/** Those of the last link: when a chain fails, that one has failed or was not reached. */
function jobsIn({ command }: ToolUse): readonly Job[] {
  const stage = command === null ? undefined : parseShell(command.whole).links.at(-1)?.stages[0];
  if (stage === undefined || purposeOfStage(stage) === 'look') return [];
  const words = wordsOf(stage).slice(0, WORDS_READ).join(' ');
  return JOBS.filter((job) => NAMES[job].test(words));
}

/** Whether it starts a server and else only looks around. */
function onlyServes({ command }: ToolUse): boolean {
  const stages = command === null ? [] : parseShell(command.whole).links.flatMap((link) => link.stages);
  return stages.length > 0 && stages.every((stage) => SERVES.test(stage) || purposeOfStage(stage) === 'look');
}
