import type { Status } from '../../api.ts';
import { plainLine, toCells, width } from '../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { bytes, count, counted } from '../output/amount.ts';
import { observerLines } from '../output/observer-lines.ts';

const PROJECTS_SHOWN = 8;
const VIEWS_SHOWN = 3;
const REASONS_SHOWN = 4;
/** Share of log and views from which reclaimable space is shown. */
const SPARE_SHOWN_FROM = 0.02;
const LABEL_WIDTH = 10;
const SESSIONS_WIDTH = 12;
const OBSERVATIONS_WIDTH = 19;

export const command = defineCommand<object>({
  description:
    'Shows on one screen where the log is, how much it holds, whether the views are up to date, and which projects it knows. ' +
    'It does not check the events: `annals verify` finds damage.',
  shape: (command) => command,
  examples: [
    ['status', 'for a person'],
    ['status --json', 'for a script'],
  ],
  needsHome: true,
  async run(session) {
    const status = await (await session.annals()).status();
    if (session.json) return session.terminal.json(status);
    await printStatus(session, status);
  },
});

async function printStatus({ terminal, name, world }: Session, status: Status): Promise<void> {
  const { style } = terminal;
  const row = async (label: string, value: string, paint = (text: string) => text) => {
    const lines = terminal.wrapped(value, LABEL_WIDTH).map(paint);
    await terminal.line(style.bold(toCells(label, LABEL_WIDTH)) + lines.join(`\n${' '.repeat(LABEL_WIDTH)}`));
  };
  const { log, views, spool, worker, projects } = status;

  await row('Home', `${shortHome(status.home, world.userHome)}, ${bytes(status.size.bytes)}`);
  await row('Log', `${counted(log.events, 'event')}, ${bytes(log.bytes)}`);
  const areBehind = views.some(({ lag }) => lag > 0);
  await row('Views', viewsText(views), areBehind ? style.yellow : undefined);
  for (const view of views.filter(({ lag }) => lag > 0))
    await row('', `${view.name} is ${counted(view.lag, 'event')} behind`);
  for (const [label, line] of sizeLines(status.size, name)) await row(label, line);
  for (const [index, line] of hooksLines(status, name).entries()) await row(index === 0 ? 'Hooks' : '', line);
  if (spool.new + spool.bad > 0)
    await row('Spool', `${count(spool.new)} waiting, ${count(spool.bad)} unusable`);
  if (spool.bad > 0)
    await row('', 'spool/bad in the home: the first line of each unusable file is the reason');
  await row('Worker', worker === null ? 'none runs' : `process ${worker.pid}`);
  for (const [index, line] of observerLines(status.observer, name).entries())
    await row(index === 0 ? 'Observer' : '', line);
  if (projects.length > 0) await terminal.line();
  const shown = [...projects].sort((a, b) => b.sessions - a.sessions).slice(0, PROJECTS_SHOWN);
  const names = Math.max(0, ...shown.map((project) => width(plainLine(project.name))));
  const isNarrow = LABEL_WIDTH + names + 2 + SESSIONS_WIDTH + 2 + OBSERVATIONS_WIDTH > terminal.width;
  for (const [index, project] of shown.entries()) {
    const name = isNarrow ? plainLine(project.name) : toCells(plainLine(project.name), names);
    const counts = [
      counted(project.sessions, 'session').padStart(isNarrow ? 0 : SESSIONS_WIDTH),
      ...(project.observations > 0
        ? [counted(project.observations, 'observation').padStart(isNarrow ? 0 : OBSERVATIONS_WIDTH)]
        : []),
      ...(project.memories > 0 ? [counted(project.memories, 'saved memory', 'saved memories')] : []),
    ];
    await row(index === 0 ? 'Projects' : '', [name, ...counts].join('  '), (line) =>
      line.replace(name, () => style.cyan(name)),
    );
  }
  if (projects.length > shown.length) await row('', `and ${projects.length - shown.length} more`, style.dim);
  for (const sentence of status.degraded) terminal.note(style.yellow(plainLine(sentence)));
  if (log.events === 0) terminal.note(`Nothing here yet. Try: ${name} import ~/.claude/projects`);
}

/** Sizes on disk, growth and reclaimable space. Leaves out what is zero or unknown. */
function sizeLines(size: Status['size'], name: string): readonly (readonly [string, string])[] {
  const { log, views, spool, perDay, reclaimable } = size;
  const shown = views.slice(0, VIEWS_SHOWN).map((view) => `${plainLine(view.name)} ${bytes(view.bytes)}`);
  const all = views.reduce((sum, view) => sum + view.bytes, 0);
  const parts = [
    `log ${bytes(log)}`,
    ...(all === 0
      ? []
      : [`views ${bytes(all)} (${shown.join(', ')}${views.length > shown.length ? ', …' : ''})`]),
    ...(spool === 0 ? [] : [`spool ${bytes(spool)}`]),
  ];
  const lines: (readonly [string, string])[] = [['Size', parts.join(' · ')]];
  if (perDay !== null)
    lines.push([
      'Growth',
      `${bytes(perDay.last30Days)} a day in the last 30 days, ${bytes(perDay.overall)} a day since the first event`,
    ]);
  if (reclaimable !== null && reclaimable >= SPARE_SHOWN_FROM * (log + all))
    lines.push(['Spare', `about ${bytes(reclaimable)}, freed by \`${name} compact\``]);
  return lines;
}

/** For each agent that is here: whether its hooks are installed. Then what happened to the files they wrote. */
function hooksLines({ hooks, spool: { taken } }: Status, name: string): readonly string[] {
  const agents = hooks
    .filter(({ present, installed, elsewhere }) => present || installed !== false || elsewhere)
    .map((hook) => `${hook.agent}: ${installationText(hook, name)}${serverText(hook, name)}`);
  const ignored = Object.values(taken.ignored).reduce((sum, files) => sum + files, 0);
  const parts = [
    taken.recorded > 0 && counted(taken.recorded, 'event'),
    taken.private > 0 && `${count(taken.private)} private`,
    ignored > 0 && `${count(ignored)} ignored (${reasonsText(taken.ignored)})`,
    taken.bad > 0 && `${count(taken.bad)} unusable`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? agents : [...agents, `recorded so far: ${parts.join(', ')}`];
}

function installationText(hook: Status['hooks'][number], name: string): string {
  const { agent, installed, elsewhere, current, byPlugin } = hook;
  if (installed === null) return 'its settings cannot be read';
  if (byPlugin)
    return installed ? `installed twice, also by the plugin (\`${name} doctor\`)` : 'installed by the plugin';
  if (elsewhere) return `installed for another home${installed ? ' too' : ''} (\`${name} install ${agent}\`)`;
  if (!installed) return `not installed (\`${name} install ${agent}\`)`;
  return current ? 'installed' : `installed, but not as this version does it (\`${name} install ${agent}\`)`;
}

function serverText({ agent, mcp, installed }: Status['hooks'][number], name: string): string {
  if (mcp === 'registered' || mcp === 'plugin') return ', with the MCP server';
  if (mcp === 'outdated') return `, with an MCP server of another place (\`${name} install ${agent}\`)`;
  if (mcp === 'other') return ', with an MCP server of your own';
  return installed === true && mcp === 'missing' ? ', without the MCP server' : '';
}

/** `Notification 4, of cursor 2, …`: the reasons, most frequent first. */
function reasonsText(ignored: Status['spool']['taken']['ignored']): string {
  const reasons = Object.entries(ignored).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const shown = reasons
    .slice(0, REASONS_SHOWN)
    .map(([reason, files]) => `${plainLine(reason)} ${count(files)}`);
  return [...shown, ...(reasons.length > shown.length ? ['…'] : [])].join(', ');
}

function viewsText(views: Status['views']): string {
  if (views.length === 0) return 'none yet';
  const behind = views.filter(({ lag }) => lag > 0).length;
  const names = views.map(({ name }) => name).join(', ');
  return behind === 0 ? `${names}: up to date` : `${names}: ${behind} of ${views.length} behind`;
}

function shortHome(home: string, userHome: string): string {
  return home.startsWith(`${userHome}/`) ? `~${home.slice(userHome.length)}` : home;
}
