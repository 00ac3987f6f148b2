// Finds the links of a shell command that run tests. The runner must be the program that runs: `npm install vitest` and
// `cat jest.config.js` run no tests, and neither does a runner that only prints its version or a list.
import { parseShell, type ShellLink } from './shell.ts';

export interface TestRun {
  /** The command that runs tests, without redirections and later stages of its pipe. */
  readonly command: string;
  /** The whole command succeeds only if this one does. */
  readonly bound: boolean;
  /** It may not have run. */
  readonly optional: boolean;
  /** Lines of its output may be missing: filtered, or cut off at the end. */
  readonly filtered: boolean;
}

export interface TestRuns {
  readonly runs: readonly TestRun[];
  /** No other command that could fail runs. */
  readonly alone: boolean;
}

const NONE: TestRuns = { runs: [], alone: false };
const WORDS_READ = 40;

const RUNNERS = new Set(
  (
    'vitest jest mocha ava pytest py.test tox nox phpunit pest paratest rspec ctest minitest unittest playwright ' +
    'cypress karma jasmine tap uvu busted bats gotestsum ginkgo cucumber behave stestr nose2 trial prove elm-test ' +
    'cargo-nextest web-test-runner wtr'
  ).split(' '),
);
/** Programs with named tasks: `npm run test:unit`, `go test`. */
const TASKED = new Set(
  (
    'npm pnpm yarn bun deno go cargo mix dotnet swift flutter dart sbt lein rake make gmake just task mise gradle ' +
    'gradlew mvn mvnw bazel bazelisk rails composer zig stack cabal nx turbo lerna rush moon hatch pdm poe invoke inv ' +
    'meson ninja gleam crystal dune xcodebuild artisan pants buck buck2 nimble shards rebar3 forge hardhat anchor lage'
  ).split(' '),
);
/** Programs that run the command in their arguments. */
const WRAPPERS = new Set(
  (
    'env sudo time command exec nice nohup stdbuf rtk cross-env dotenv npx bunx pnpx uvx direnv devbox doppler ' +
    'xvfb-run winpty timeout gtimeout bundle poetry uv pipenv rye coverage c8 nyc python python3 py php ruby node ' +
    'caffeinate ionice chronic unbuffer script'
  ).split(' '),
);
const CONTAINERS = new Set(
  'docker podman kubectl docker-compose nix wsl devcontainer vagrant ddev lando'.split(' '),
);
const RUNS = new Set('run run-script exec x dlx build affected -- workspace workspaces'.split(' '));
/** Flags whose value is the next word. */
const VALUED = new Set(
  '-C --cwd --dir --prefix -F --filter -w --workspace -p --project -f --file --manifest-path -s --scope --package -t'.split(
    ' ',
  ),
);
const TASK = /^(?::?(?:[\w./@-]+:)?(?:tests?|t|spec|nextest|coverage)|:?tests?[:.-][\w:./-]+)$/;
/** Older task names for running tests. */
const CHECK_TASK = /^:?(?:[\w-]+:)*(?:check|verify)$/;
const CHECKING = new Set(['make', 'gmake', 'gradle', 'gradlew', 'mvn', 'mvnw', 'meson', 'ninja']);
const SCRIPT =
  /[\\/](?:run[-_]?)?(?:all[-_]?)?tests?(?:\.(?:sh|ps1|bat|cmd))?$|^(?:run[-_]?)(?:all[-_]?)?tests?\.(?:sh|ps1|bat|cmd)$/;
/** A temporary script. */
const OF_THE_MOMENT = /(?:^|[\\/])(?:tmp|te?mp|scratch\w*)[\\/]/i;
/** Flags with which a runner does not run tests. */
const NO_RUN =
  /^(?:--version|-V|--help|-h|--init|--list\w*|--list-tests|--collect-only|--co|--no-run|--dry-run|--show-?config|--fixtures|-DskipTests\S*|-Dmaven\.test\.skip\S*|--clearCache|--clear-cache|--if-present|--pass-?with-?no-?tests|--passWithNoTests|--watch\w*|-run=(?:NONE|none|XXX|\^\$))$/i;
const OTHER_THAN_RUN =
  /^(?:install|open|show-report|codegen|bench|list|init|init-agents|verify|cache|info|typecheck|show-trace|merge-reports|help|create|html|xml|report|erase|combine|audit|add|new|config)$/;
/** Passes on the end of the output. */
const PASSES_END =
  /^(?:tail|tee|cat|less|more|ts|Out-String|Out-Host|Select-Object\s+-Last|select\s+-Last|Tee-Object|strip-ansi)(?=\s|$)/i;
const TAIL_FROM = /^tail\s+(?:-n\s*)?\+/;
/** Commands that rarely fail. */
const RARELY_FAILS =
  /^(?:(?:cd|pushd|popd|echo|printf|export|sleep|true|:|set|source|\.|mkdir|clear|date|Set-Location|unset|ulimit|shopt)(?=\s|$)|[A-Za-z_]\w*=\S*$)/;
const REDIRECTED = /(?:^|[^2&])>\s*(?!&)\S|&>\s*\S/;
const MAY_TEST =
  /test|spec|jest|mocha|\bava\b|tox|nox|coverage|playwright|cypress|check|verify|bats|prove|\bt\b|karma|jasmine|behave|trial|ginkgo|\btap\b|uvu|unit|pest|busted|\bwtr\b|cucumber/i;

export function testRunsIn(command: string): TestRuns {
  if (!MAY_TEST.test(command)) return NONE;
  const { links, pipefail } = parseShell(command);
  const runs: TestRun[] = [];
  let others = 0;
  for (const link of links) {
    const at = link.stages.findIndex((stage) => isTest(stage.split(/\s+/, WORDS_READ)));
    if (at < 0) {
      if (!link.stages.every((stage) => RARELY_FAILS.test(stage))) others += 1;
      continue;
    }
    const after = link.stages.slice(at + 1);
    runs.push({
      command: withoutOutput(link, at),
      bound: link.bound && (after.length === 0 || pipefail),
      optional: link.optional,
      filtered:
        REDIRECTED.test(link.stages[at]!) ||
        after.some((stage) => !PASSES_END.test(stage) || TAIL_FROM.test(stage)),
    });
  }
  return runs.length === 0 ? NONE : { runs, alone: runs.length === 1 && others === 0 };
}

function isTest(words: readonly string[]): boolean {
  if (words.some((word) => NO_RUN.test(word))) return false;
  // These only build or list the tests.
  if (words.includes('go') && words.some((word) => /^-(?:c|list\b.*|n)$/.test(word))) return false;
  let at = 0;
  // Each round takes at least one word.
  while (at < words.length) {
    const word = words[at]!;
    const name = nameOf(word);
    if (/^[A-Za-z_]\w*=/.test(word)) at += 1;
    else if (CONTAINERS.has(name))
      return words.slice(at + 1).some((_, index) => isRunner(words, at + 1 + index));
    else if (name === 'node' && words.slice(at + 1).some((one) => /^--test$/.test(one))) return true;
    else if (isRunner(words, at)) return true;
    else if (TASKED.has(name) || WRAPPERS.has(name)) {
      at = afterFlags(words, at + 1);
      while (at < words.length && RUNS.has(words[at]!)) at = afterFlags(words, at + 1);
      if (/^\d+(?:\.\d+)?[smhd]?$/.test(words[at] ?? '')) at += 1;
    } else return false;
  }
  return false;
}

/** Whether the word at `at` is a runner that runs tests, or a program with a test task. */
function isRunner(words: readonly string[], at: number): boolean {
  const word = words[at]!;
  const name = nameOf(word);
  const next = words[at + 1] ?? '';
  if (RUNNERS.has(name)) return !OTHER_THAN_RUN.test(next);
  if (SCRIPT.test(word)) return !OF_THE_MOMENT.test(word);
  if (/^manage\.py$|^artisan$/.test(name)) return next === 'test';
  if (!TASKED.has(name)) return false;
  let task = afterFlags(words, at + 1);
  while (task < words.length && RUNS.has(words[task]!)) task = afterFlags(words, task + 1);
  const called = words.slice(task, task + TASKS_READ);
  // `npm test something` names one task; `gradle clean test` several.
  const tasks = CHECKING.has(name) || name === 'mix' || name === 'turbo' ? called : called.slice(0, 1);
  return tasks.some((one) => TASK.test(one) || (CHECKING.has(name) && CHECK_TASK.test(one)));
}

const TASKS_READ = 6;

function afterFlags(words: readonly string[], from: number): number {
  let at = from;
  while (at < words.length && words[at]!.startsWith('-') && words[at] !== '--')
    at += VALUED.has(words[at]!) || words[at] === '-m' ? (words[at] === '-m' ? 1 : 2) : 1;
  return at;
}

/** `node_modules/.bin/jest` → `jest`. */
function nameOf(word: string): string {
  return word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .replace(/(?:\.(?:cmd|exe|bat|phar|[cm]?js))$/, '')
    .replace(/@[\w.^~-]+$/, '');
}

/** The stage as written, without redirections. */
function withoutOutput({ written }: ShellLink, at: number): string {
  return written[at]!.replace(/\s*\d?>&\d/g, '')
    .replace(/\s*&?\d?>>?\s*[^\s>&]+/g, '')
    .trim();
}
