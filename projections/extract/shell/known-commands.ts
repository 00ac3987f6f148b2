// The one table of what shell commands do: which programs only look around, check, test or change something, and which of
// them run other programs. Everything else is decided from it.
import { commandOf, NO_TEST, parseShell, withoutKeywords } from './shell.ts';

/** check: compiles or type checks; lint: also formats. */
export type CommandPurpose = 'test' | 'check' | 'lint' | 'commit' | 'mutation' | 'look' | 'other';

const list = (text: string) => new Set(text.split(' '));

/** Print something or prepare; they change nothing that lasts. */
const LOOKS = list(
  'ls ll cat bat less more head tail grep egrep rg ag find fd pwd which whereis wc tree stat file du df ps lsof env echo ' +
    'printf sed awk sort uniq cut tr xargs diff cmp jq type command cd pushd popd sleep wait date export source set unset ' +
    'nl od xxd hexdump strings column basename dirname realpath readlink md5sum sha256sum true yes test [ man history whoami uname kill pkill open for case done fi esac Set-Location',
);
const CHANGES = list('rm rmdir mv cp ln tee patch applypatch apply_patch Remove-Item Move-Item Copy-Item');
/** Commands that hardly ever fail: the status of a chain is not theirs. */
const RARELY_FAILS = list(
  'cd pushd popd echo printf export sleep true : set source . mkdir chmod clear date yes Set-Location unset ulimit shopt',
);
/** Stages of a pipe that pass on the end of the output. */
const PASSES_END = list('tail tee cat less more ts Out-String Out-Host Select-Object Tee-Object');
const SHORTENS = list('tail head tee cat less more sort uniq wc');

const LINTERS = list(
  'eslint biome prettier golangci-lint gofmt ruff flake8 clippy rubocop credo markdownlint markdownlint-cli2 vale shellcheck commitlint',
);
const CHECKERS = list('tsc mypy dialyzer pyright vet');
const LINT_TASKS = list('lint fmt format credo clippy');
const CHECK_TASKS = list('build compile typecheck type check verify package install ci vet tsc');
const CHANGE_TASKS = list('add get remove i uninstall update deps.get');

/** Programs with named tasks: `npm run test:unit`, `go test`. */
const TASKED = list(
  'npm pnpm yarn bun deno go cargo mix dotnet swift flutter dart sbt lein rake make gmake just task mise gradle gradlew ' +
    'mvn mvnw bazel rails composer zig stack cabal nx turbo lerna rush hatch pdm poe invoke meson ninja docker hugo pip',
);
/** Programs that run the command in their arguments. */
const WRAPPERS = list(
  'env sudo time command exec nice nohup rtk cross-env dotenv npx bunx pnpx uvx xvfb-run timeout gtimeout bundle poetry uv ' +
    'pipenv coverage c8 nyc python python3 py php ruby node',
);
const CONTAINERS = list('docker podman kubectl docker-compose nix wsl devcontainer vagrant ddev');
const RUNS = list('run run-script exec x dlx affected -- workspace workspaces');
/** Flags whose value is the next word. */
const VALUED = list(
  '-C --cwd --dir --prefix -F --filter -w --workspace -p --project -f --file --manifest-path -s --scope --package -t -c',
);

const RUNNERS = list(
  'vitest jest mocha ava pytest py.test tox nox phpunit pest rspec ctest unittest playwright cypress karma jasmine uvu ' +
    'bats gotestsum ginkgo cucumber behave cargo-nextest',
);
const TEST_TASK = /^:?(?:[\w./@-]+:)?(?:tests?|t|spec|nextest|coverage)(?:[:.-][\w:./-]+)?$/;
/** Programs whose `check` runs the tests. */
const CHECK_TESTS = list('make gmake gradle gradlew mvn mvnw meson ninja');
const TEST_SCRIPT = /(?:^|[\\/])(?:run[-_]?|all[-_]?)*tests?\.(?:sh|ps1|bat|cmd)$/;
/** Parts of a task's name by which it only prepares tests, or checks something else of them. */
const PREPARES =
  'setup|teardown|prepare|deps|dependencies|install|bootstrap|init|env|clean|build|compile|up|down|start|stop|serve|seed|' +
  'migrate|fixtures|generate|open|upload|merge|reports?|list|help|lint|eslint|format|fmt|prettier|types?|typecheck|tsc';
const PREPARING_TASK = new RegExp(
  `^(?:${PREPARES}):|(?:^|:)(?:tests?|t|spec|coverage)[:.-](?:[\\w./:-]*[:.-])?(?:${PREPARES})(?:[:.-]|$)`,
);
/** Flags and words with which a runner does not run tests. */
const NO_RUN =
  /^(?:--(?:version|help|init|list.*|collect-only|no-run|dry-run|show-?config|clear-?cache|if-present|pass-?with-?no-?tests|watch.*)|-h|-D(?:skipTests|maven\.test\.skip)(?!=false).*)$/i;
/** Flags of one program with which it runs no tests. Of others they say something else. */
const NO_RUN_OF = new Map<string, RegExp>([
  ['pytest', /^--(?:co|collect-?only|fixtures(?:-per-test)?|markers|setup-(?:plan|only)|cache-show)$/],
  ['ctest', /^(?:-N|--show-only.*)$/],
  ['bats', /^(?:-c|--count)$/],
  ['tox', /^(?:-l|-n|--notest)$/],
  ['nox', /^(?:-l|--install-only)$/],
  ['dotnet', /^-t$/],
  ['rake', /^-[nTP]$/],
  ['ninja', /^-n$/],
  ...['gradle', 'gradlew'].map((name) => [name, /^-m$/] as const),
  ...['make', 'gmake'].map(
    (name) =>
      [
        name,
        /^(?:-[bBdeikLmprRsSvw]*[nqt][bBdeikLmnpqrRsStvw]*|--(?:just-print|recon|question|touch))$/,
      ] as const,
  ),
]);
const OTHER_THAN_RUN = list(
  'install open show-report codegen bench list init verify cache info help create html report add config',
);

/** The second word of others is the name of a test. */
const ONLY_LISTS = /^(?:cargo nextest (?:list|archive|self|show-config)|swift test list)$/;

const GIT_LOOKS = list(
  'status log diff show remote blame ls-files rev-parse rev-list reflog fetch check-ignore config branch worktree tag stash describe',
);
const GIT_COMMITS = list('commit merge cherry-pick rebase revert am');
const GIT_CHANGES = list('mv rm push restore reset filter-branch filter-repo update-ref');
/** Options with which `git branch` and `git tag` delete or rename. */
const DELETES = /^(?:-[dDmM]|--(?:delete|move))$/;
const HOST_CHANGES = list('create merge close edit comment');
/** Subcommands by which any program only shows something, or keeps a list of tasks. */
const SHOWS = list(
  'show list status ready view info log sync --version --help update close reopen claim assign comment done',
);

const WORDS_READ = 40;
const TASKS_READ = 6;

/** The purpose of a command: that of the part that says most about it. */
export function purposeOf(command: string): CommandPurpose {
  const found = new Set(
    parseShell(command).links.flatMap(({ stages }) => stages.map((stage) => purposeOfStage(stage))),
  );
  return ORDER.find((purpose) => found.has(purpose)) ?? 'other';
}

const ORDER: readonly CommandPurpose[] = ['commit', 'test', 'lint', 'check', 'mutation', 'other', 'look'];

/** The purpose of one stage of a pipe. */
export function purposeOfStage(stage: string): CommandPurpose {
  const words = wordsOf(stage);
  if (runsTests(words)) return 'test';
  const at = programAt(words);
  const name = nameOf(words[at] ?? '');
  const taskWord = afterFlags(words, at + 1);
  const task = words[taskWord] ?? '';
  if (name === 'git') return gitPurpose(task, words.slice(taskWord + 1));
  if (name === 'gh' || name === 'glab')
    return words.some((word) => HOST_CHANGES.has(word)) ? 'mutation' : 'look';
  if (LINTERS.has(name)) return 'lint';
  if (CHECKERS.has(name)) return 'check';
  if (TASKED.has(name)) {
    const [called = ''] = calledTasks(words, at, 1)[0]?.split(/[:-]/) ?? [];
    if (LINT_TASKS.has(called)) return 'lint';
    if (CHECK_TASKS.has(called)) return 'check';
    if (CHANGE_TASKS.has(called)) return 'mutation';
  }
  if (words.every((word) => ASSIGNS.test(word))) return 'look';
  if (CHANGES.has(name) || (name === 'sed' && words.some((word) => word.startsWith('-i')))) return 'mutation';
  if (LOOKS.has(name)) return WRITES.test(stage) ? 'mutation' : 'look';
  if (SHOWS.has(task) || name.startsWith('Get-')) return 'look';
  return 'other';
}

/** Writes its output to a file. */
const WRITES = /(?:^|[^\d&>])>>?\s*(?!&|\/dev\/null)\S/;

const REDIRECTS = /(?:^|[^\d&>=-])>>?\s*["']?([^\s"'`;|&()<>$~][^\s"'`;|&()<>]*)/g;
/** Their changes are named, or known to git. */
const NAMES_CHANGES = /^(?:git|gh|glab|rm|rmdir|mv|Remove-Item|Move-Item)$/;
/** A script in the command itself that writes files. */
const WRITES_FILES = /\bwrite(?:_?text|_?bytes|File(?:Sync)?|lines)?\(|\bopen\([^)\n]*["'][wax]\+?b?["']/i;

/** The files that a pipe writes its output to, by their literal names. @param written its stages */
export function redirectsOf(written: readonly string[]): readonly string[] {
  return written
    .flatMap((stage) => [...stage.matchAll(REDIRECTS)].map(([, file = '']) => file))
    .filter((file) => !file.startsWith('/dev/') && !isTemporary(file));
}

/** Whether a command may change files that it does not name: `sed -i`, a redirection, a script that writes, a new package. */
export function mayChangeFiles(command: string): boolean {
  return parseShell(command).links.some(({ stages, written }) => {
    const purposes = stages.map(purposeOfStage);
    if (purposes.some((one) => one !== 'look' && one !== 'mutation' && one !== 'other')) return false;
    const changing = stages.filter((stage, at) => {
      const program = nameOf(wordsOf(stage).find((word) => !ASSIGNS.test(word)) ?? '');
      const isNamed = NAMES_CHANGES.test(program) || isTemporary(written[at]!);
      return purposes[at] === 'mutation' && !WRITES.test(stage) && !isNamed;
    });
    const writes = stages.some((stage) => WRITES.test(stage)) && redirectsOf(written).length > 0;
    const isScript = stages.some((stage) => /^(?:node|deno|bun|python[\d.]*|ruby|perl)\b/.test(stage));
    return changing.length > 0 || writes || (isScript && WRITES_FILES.test(command) && !isTemporary(command));
  });
}

function gitPurpose(call: string, options: readonly string[]): CommandPurpose {
  if (GIT_COMMITS.has(call)) return 'commit';
  if (GIT_CHANGES.has(call)) return 'mutation';
  if ((call === 'branch' || call === 'tag') && options.some((option) => DELETES.test(option))) return 'other';
  // Files go and come back with it.
  if (call === 'stash' && !/^(?:list|show)$/.test(options[0] ?? '')) return 'other';
  return GIT_LOOKS.has(call) ? 'look' : 'other';
}

/** A command that hardly ever fails, or only sets variables. */
export function rarelyFails(stage: string): boolean {
  return wordsOf(stage).every(
    (word, index) => ASSIGNS.test(word) || (index === 0 && RARELY_FAILS.has(word)) || index > 0,
  );
}

/** Whether a later stage of a pipe shows the end of the output. */
export function passesEnd(stage: string): boolean {
  const [name = '', ...rest] = wordsOf(stage);
  return PASSES_END.has(name) && !rest.some((word) => word.startsWith('+'));
}

/** Whether a later stage of a pipe only shortens the output. */
export function shortens(stage: string): boolean {
  return SHORTENS.has(wordsOf(stage)[0] ?? '');
}

/** Whether a stage runs tests. `npm install vitest` and `cat jest.config.js` do not. */
export function runsTests(words: readonly string[]): boolean {
  // `-V` asks for the version, `-v` prints more.
  if (words.some((word) => word === '-V' || NO_RUN.test(word))) return false;
  // These only build or list the tests.
  if (words.includes('go') && words.some((word) => /^-(?:c|list\b.*|n)$/.test(word))) return false;
  if (
    words.includes('go') &&
    words.some((word, at) => word.startsWith('-run') && NO_TEST.test(word.slice(5) || words[at + 1]!))
  )
    return false;
  const container = words.findIndex((word) => CONTAINERS.has(nameOf(word)));
  if (container >= 0) return words.some((_, at) => at > container && isRunner(words, at));
  for (let at = 0; at < words.length; at = afterProgram(words, at)) {
    if (isRunner(words, at)) return true;
    if (!isPassing(words[at]!)) return false;
  }
  return false;
}

/** Whether the word at `at` is a runner that runs tests, or a program with a test task. */
function isRunner(words: readonly string[], at: number): boolean {
  const name = nameOf(words[at]!);
  const next = words[at + 1] ?? '';
  const options = words.includes('--', at) ? words.slice(at, words.indexOf('--', at)) : words.slice(at);
  if (options.some((word) => NO_RUN_OF.get(name)?.test(word))) return false;
  if (RUNNERS.has(name)) return !OTHER_THAN_RUN.has(next);
  if (name === 'node') return words.includes('--test');
  if (name === 'manage.py' || name === 'artisan') return next === 'test';
  if (TEST_SCRIPT.test(words[at]!)) return !isTemporary(words[at]!);
  if (!TASKED.has(name)) return false;
  // `npm test something` names one task; `gradle clean test` several.
  const several = CHECK_TESTS.has(name) || name === 'mix' || name === 'turbo';
  const excluded = words.flatMap((word, index) => {
    const [, joined = ''] = /^(?:-x|--exclude-task=)(.+)$/.exec(word) ?? [];
    return /^(?:-x|--exclude-task)$/.test(words[index - 1] ?? '') ? word : joined;
  });
  const checks = CHECK_TESTS.has(name) && !excluded.some(isTestTask);
  if (ONLY_LISTS.test([name, ...calledTasks(words, at, 2)].join(' '))) return false;
  return calledTasks(words, at, several ? TASKS_READ : 1).some(
    (task) => !excluded.includes(task) && (isTestTask(task) || (checks && /^:?(?:check|verify)$/.test(task))),
  );
}

function isTestTask(task: string): boolean {
  return TEST_TASK.test(task) && !PREPARING_TASK.test(task);
}

/** Other programs follow in its arguments. */
function isPassing(word: string): boolean {
  return ASSIGNS.test(word) || TASKED.has(nameOf(word)) || WRAPPERS.has(nameOf(word));
}

/** The position of the program that runs: after variables and wrappers. */
function programAt(words: readonly string[]): number {
  let at = 0;
  while (at < words.length && (ASSIGNS.test(words[at]!) || WRAPPERS.has(nameOf(words[at]!))))
    at = afterProgram(words, at);
  return at;
}

function afterProgram(words: readonly string[], at: number): number {
  if (ASSIGNS.test(words[at]!)) return at + 1;
  const next = taskAt(words, at);
  // The limit of `timeout 60`.
  return /^\d[\d.]*[smhd]?$/.test(words[next] ?? '') ? next + 1 : next;
}

function taskAt(words: readonly string[], program: number): number {
  let at = afterFlags(words, program + 1);
  while (at < words.length && RUNS.has(words[at]!)) at = afterFlags(words, at + 1);
  return at;
}

function calledTasks(words: readonly string[], program: number, most: number): readonly string[] {
  const at = taskAt(words, program);
  return words.slice(at, at + most);
}

function afterFlags(words: readonly string[], from: number): number {
  let at = from;
  while (at < words.length && words[at]!.startsWith('-') && words[at] !== '--')
    at += VALUED.has(words[at]!) ? 2 : 1;
  return at;
}

const ASSIGNS = /^[A-Za-z_]\w*=/;

export function wordsOf(stage: string): readonly string[] {
  return withoutKeywords(stage)
    .split(/\s+/, WORDS_READ)
    .filter((word) => word !== '');
}

/** `node_modules/.bin/jest` → `jest`. */
function nameOf(word: string): string {
  return word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .replace(/(?:\.(?:cmd|exe|bat|phar|[cm]?js))?(?:@[\w.^~-]+)?$/, '');
}

/** Whether a text names a folder that will not exist the next time. */
export function isTemporary(text: string): boolean {
  return /(?:^|[\s"'=(:])(?:\/private)?\/tmp(?:\/|\b)|\/var\/folders\/|\$\{?TE?MP|%TE?MP%|\bmktemp\b|\bscratchpad\b/i.test(
    text,
  );
}

export interface GitCall {
  /** `commit`, `push`. */
  readonly name: string;
  readonly words: readonly string[];
  /** As in the command, with its quoted texts. */
  readonly source: string;
  /** Called through rtk, which shortens what git prints. */
  readonly byRtk: boolean;
  /** The command's success implies its own. */
  readonly bound: boolean;
}

/** The git subcommands that a command runs, in order. */
export function gitCalls(command: string): readonly GitCall[] {
  if (!command.includes('git')) return [];
  return parseShell(command).links.flatMap((link) =>
    link.stages.flatMap((stage, index) => {
      const words = wordsOf(commandOf(stage));
      const git = words.findIndex((word) => nameOf(word) === 'git');
      const at = afterFlags(words, git + 1);
      if (git < 0 || at >= words.length) return [];
      const byRtk = nameOf(words[git - 1] ?? '') === 'rtk';
      const bound = link.bound && index === link.stages.length - 1;
      return [{ name: words[at]!, words: words.slice(at + 1), source: link.sources[index]!, byRtk, bound }];
    }),
  );
}
