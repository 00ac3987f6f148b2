// The files that make a service manager run the worker: a systemd user unit, a launchd agent. Both restart it after a
// failure and not after an end: systemd until it failed five times within five minutes, launchd once a minute. A worker that
// is asked to restart ends like a failed one.
import { join, resolve } from 'node:path';
import { FEWER_ARENAS, IN_SERVICE } from '../platform/processes.ts';

export interface ServiceProgram {
  /** Absolute paths. */
  readonly node: string;
  readonly cli: string;
  readonly home: string;
}

/** A program and its arguments. */
export type Command = readonly [string, ...string[]];

export interface UnitFile {
  readonly path: string;
  readonly text: string;
  /** For a manager that takes the file only while none is loaded; null for one that takes it again. */
  readonly unload: { readonly isLoaded: Command; readonly end: Command } | null;
  /** They make the manager use the file, and run what it names in place of what runs. */
  readonly activate: readonly Command[];
  /** Before the file is removed. */
  readonly deactivate: readonly Command[];
  /** After the file is removed. */
  readonly afterwards: readonly Command[];
}

/** In the first lines of our files. A file without it is not ours. */
export const MADE_BY = 'Made by `annals service install`';
const LABEL = 'annals.worker';
const UNIT = 'annals.service';

/** Variables that say what is recorded and where agents keep their files. A service manager does not know those of a shell. */
const KEPT = [
  'ANNALS_EXCLUDE',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'COPILOT_HOME',
  'GEMINI_CLI_HOME',
  'QWEN_HOME',
  'XDG_CONFIG_HOME',
];

export interface ServicePlace {
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Null where there are no user ids. */
  readonly userId: number | null;
}

/** Null on systems without a service manager that we know. */
export function unitFileOf(program: ServiceProgram, place: ServicePlace): UnitFile | null {
  if (place.platform === 'linux') return systemdUnit(program, place);
  if (place.platform === 'darwin') return launchdAgent(program, place);
  return null;
}

function keptOf(
  environment: ServicePlace['environment'],
): readonly (readonly [name: string, value: string])[] {
  return KEPT.flatMap((name) => {
    const value = environment[name];
    // A service starts in another folder.
    return value ? [[name, name === 'ANNALS_EXCLUDE' ? value : resolve(value)] as const] : [];
  });
}

function systemdUnit({ node, cli, home }: ServiceProgram, { userHome, environment }: ServicePlace): UnitFile {
  const { XDG_CONFIG_HOME: chosen } = environment;
  const config = chosen === undefined || chosen === '' ? join(userHome, '.config') : chosen;
  const words = [cli, '--home', home, 'worker', 'run'].map((word) => word.replaceAll('$', '$$$$'));
  const line = [node, ...words].map(systemdWord).join(' ');
  const kept = keptOf(environment).map((variable) => `Environment=${systemdWord(variable.join('='))}\n`);
  return {
    path: join(config, 'systemd', 'user', UNIT),
    text: `# ${MADE_BY}; \`annals service uninstall\` removes it.
[Unit]
Description=Annals, the memory of coding agents
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
ExecStart=${line}
Environment=MALLOC_ARENA_MAX=${FEWER_ARENAS.MALLOC_ARENA_MAX} ${IN_SERVICE}=1
${kept.join('')}Restart=on-failure
RestartSec=5

[Install]
WantedBy=default.target
`,
    unload: null,
    activate: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', UNIT],
      ['systemctl', '--user', 'restart', UNIT],
    ],
    deactivate: [['systemctl', '--user', 'disable', '--now', UNIT]],
    afterwards: [['systemctl', '--user', 'daemon-reload']],
  };
}

/** One word of a line, as systemd.syntax(7) has it. In the arguments of ExecStart `$` names a variable, and `$$` is a dollar sign. */
function systemdWord(word: string): string {
  const escaped = word
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('%', '%%');
  return `"${escaped}"`;
}

function launchdAgent({ node, cli, home }: ServiceProgram, place: ServicePlace): UnitFile {
  const { userHome, userId, environment } = place;
  const kept = keptOf(environment).map(
    ([name, value]) => `    <key>${name}</key>\n    <string>${xmlText(value)}</string>\n`,
  );
  const words = [node, cli, '--home', home, 'worker', 'run'];
  const path = join(userHome, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const domain = `gui/${userId ?? 0}`;
  const bootout = ['launchctl', 'bootout', `${domain}/${LABEL}`] as const;
  return {
    path,
    text: `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${MADE_BY}; \`annals service uninstall\` removes it. -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${xmlText(word)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>${IN_SERVICE}</key>
    <string>1</string>
${kept.join('')}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>60</integer>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`,
    unload: { isLoaded: ['launchctl', 'print', `${domain}/${LABEL}`], end: bootout },
    activate: [['launchctl', 'bootstrap', domain, path]],
    deactivate: [bootout],
    afterwards: [],
  };
}

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
