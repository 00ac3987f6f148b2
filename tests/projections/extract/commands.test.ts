import { describe, expect, it } from 'vitest';
import { commandIn } from '../../../projections/extract/shell/commands.ts';

function short(command: string): string | undefined {
  return commandIn('Bash', { command }, '/home/u/app')?.short;
}

describe('A quoted text of several lines is part of its command', () => {
  it.each([
    ["python3 -c '\nimport json\ncontent = f.read()\nprint(content)\n'", "python3 -c '…'"],
    ['node -e "\nconst a = 1;\nnpm test\n"', 'node -e "…"'],
    ["python3 - <<'PY'\ncontent = f.read()\nPY\nnpm test", 'python3 -; npm test'],
    ["sqlite3 a.db <<< 'select 1;\nselect 2;' && npm test", "sqlite3 a.db <<< '…' && npm test"],
    ["grep x <<< 'word' && npm test", "grep x <<< 'word' && npm test"],
    ['cat > a.txt <<EOF && npm run lint\nit is\nEOF\nnpm test', 'cat > a.txt && npm run lint; npm test'],
    ["# don't stop\nnpm test # isn't it\nnpm run build", 'npm test; npm run build'],
    ['echo "a \\" b" && npm test\nls', 'echo "a \\" b" && npm test; ls'],
    ["perl -e 'print 1;\nprint 2;' a.txt | wc -l", "perl -e '…' a.txt"],
    ["python3 -c 'a = 1\nb = 2 and then it was cut", "python3 -c '…'"],
    ['ruby -e "$(cat <<\'EOF\'\nputs 1\nEOF\n)"\nnpm test', 'ruby -e "…"; npm test'],
  ])('%s', (command, expected) => {
    expect(short(command)).toBe(expected);
  });

  it('does not decide the purpose of the command', () => {
    expect(commandIn('Bash', { command: "python3 -c '\nnpm test\ngit commit\n'" }, '/a')?.purpose).toBe(
      'other',
    );
    expect(commandIn('Bash', { command: "cat > a <<'E'\nnpm test\nE" }, '/a')?.purpose).not.toBe('test');
  });

  it('is found in linear time', () => {
    for (const piece of ["'\n", '"\n', '<<A\n', '#\n', '\\\n', '`\n', '<<<\n', "$'\n"])
      expect(short(`npm test\n${piece.repeat(20_000)}`)).toBeTypeOf('string');
  });
});

describe('The folder of a command', () => {
  it.each([
    ['is where the shell was', 'npm test', '/home/u/app/web', 'npm test (in web)'],
    ['is where it goes from there', 'cd ../api && npm test', '/home/u/app/web', 'npm test (in api)'],
    ['is not named at the top', 'cd .. && npm test', '/home/u/app/web', 'npm test'],
    ['is not named at the top, as macOS calls it', 'npm test', '/private/home/u/app', 'npm test'],
  ])('%s', (_, command, from, expected) =>
    expect(commandIn('Bash', { command }, '/home/u/app', from)?.short).toBe(expected),
  );
});

describe('A setting', () => {
  it.each([
    ['MIX_ENV=test mix ecto.migrate', 'MIX_ENV=test mix ecto.migrate'],
    ['CI=1 npm test', 'npm test'],
    ['TOKEN="a b" deploy now', 'deploy now'],
  ])('is kept if it decides what is worked on: %s', (command, expected) =>
    expect(short(command)).toBe(expected),
  );
});

describe('A branch', () => {
  const purpose = (command: string) => commandIn('Bash', { command }, '/a')?.purpose;

  it.each(['git branch -D old && git log', 'git branch --delete old', 'git tag -d v1', 'git branch -m a b'])(
    'is deleted or renamed: %s',
    (command) => expect(purpose(command)).toBe('other'),
  );

  it.each(['git branch --list', 'git branch -v', 'git tag'])('is only looked at: %s', (command) =>
    expect(purpose(command)).toBe('look'),
  );

  it.each(['git stash pop', 'git stash', 'git stash drop'])('or files went or came: %s', (command) =>
    expect(purpose(command)).toBe('other'),
  );

  it.each([
    'git stash list',
    'git stash show -p',
    'git branch -vv',
    'git tag v1',
    'git worktree list',
    'gh pr view 3',
  ])('and no file is changed: %s', (command) => expect(purpose(command)).toBe('look'));
});
