// The agents of this machine: whether they report to this home. Connecting and disconnecting show the change first.
import { useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import { useData } from '../api/use-data.ts';
import { Shown } from '../ui/states.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { ChangeDialog } from './change-dialog.tsx';

interface AgentState {
  readonly name: string;
  readonly title: string;
  readonly present: boolean;
  /** Null: unknown. */
  readonly installed: boolean | null;
  readonly elsewhere: boolean;
  readonly current: boolean;
  readonly byPlugin: boolean;
  readonly mcp: 'missing' | 'registered' | 'plugin' | 'outdated' | 'other' | 'unknown';
  readonly problem: string | null;
}

interface AgentsAnswer {
  readonly agents: readonly AgentState[];
  readonly otherMemories: readonly string[];
}

interface Asked {
  readonly agent: AgentState;
  readonly installs: boolean;
}

export function Agents() {
  const loaded = useData('', (signal) => get<AgentsAnswer>('/api/agents', {}, signal));
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <section aria-labelledby="agents-heading">
      <h2 id="agents-heading">Agents on this machine</h2>
      <Shown loaded={loaded}>
        {({ agents, otherMemories }) => (
          <>
            {otherMemories.map((name) => (
              <p key={name} class="notice">
                {name} runs in Claude Code too: new sessions are told the same things twice. Keep one of the
                two.
              </p>
            ))}
            <AgentTable agents={agents} onAsk={setAsked} />
          </>
        )}
      </Shown>
      {asked !== null && (
        <ChangeDialog
          agent={asked.agent}
          installs={asked.installs}
          onClose={() => {
            setAsked(null);
            loaded.reload();
          }}
        />
      )}
    </section>
  );
}

interface TableProps {
  readonly agents: readonly AgentState[];
  onAsk(asked: Asked): void;
}

function AgentTable({ agents, onAsk }: TableProps) {
  const here = agents.filter(({ present, installed }) => present || installed !== false);
  const missing = agents.filter((one) => !here.includes(one)).map(({ title }) => title);
  return (
    <>
      <ul class="agents">
        {here.map((agent) => (
          <li key={agent.name}>
            <div>
              <p class="agent-title">
                <span class="strong">{agent.title}</span>{' '}
                <span class={isRecorded(agent) ? 'chip chip-good' : 'chip chip-bad'}>
                  {isRecorded(agent) ? 'recorded' : 'not recorded'}
                </span>
              </p>
              <p class="quiet-text">
                {hooksText(agent)} <WithCode text={MCP[agent.mcp]} />
              </p>
              {agent.problem !== null && <p class="quiet-text bad">{agent.problem}</p>}
            </div>
            <p class="agent-acts">
              {needsInstall(agent) && (
                <button type="button" onClick={() => onAsk({ agent, installs: true })}>
                  {agent.installed === true ? 'Update' : 'Connect'} <span class="hidden">{agent.title}</span>
                </button>
              )}
              {(agent.installed !== false || agent.mcp === 'registered' || agent.mcp === 'outdated') && (
                <button type="button" class="quiet" onClick={() => onAsk({ agent, installs: false })}>
                  Disconnect <span class="hidden">{agent.title}</span>
                </button>
              )}
            </p>
          </li>
        ))}
      </ul>
      {here.length === 0 && (
        <p>
          None was found, so nothing is recorded. Start an agent once, then come back here. Transcripts that
          are elsewhere: <code>annals import &lt;folder&gt;</code>.
        </p>
      )}
      {missing.length > 0 && <p class="quiet-text">Not found: {missing.join(', ')}.</p>}
    </>
  );
}

const MCP: Readonly<Record<AgentState['mcp'], string>> = {
  missing: 'It has no MCP server of Annals.',
  registered: 'It has the MCP server.',
  plugin: '',
  outdated: 'Its MCP server is that of another home or place.',
  other: 'It has a server named annals that `annals install` did not write, which is left alone.',
  unknown: '',
};

function hooksText({ installed, elsewhere, current, byPlugin }: AgentState): string {
  if (byPlugin) return 'Its plugin records sessions as they happen.';
  if (installed === null) return 'Whether its sessions are recorded is not known.';
  if (elsewhere) return 'Its hooks write to another home.';
  if (!installed) return 'Its sessions are not recorded as they happen.';
  return current ? 'Its sessions are recorded as they happen.' : 'Its hooks are of another version.';
}

function isRecorded({ installed, current, byPlugin }: AgentState): boolean {
  return byPlugin || (installed === true && current);
}

function needsInstall(agent: AgentState): boolean {
  if (agent.byPlugin) return false;
  return !isRecorded(agent) || agent.mcp === 'missing' || agent.mcp === 'outdated';
}
