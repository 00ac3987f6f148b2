import type { Status } from '../api/types.ts';

/** The agents that seem to be on this machine, and whether they are recorded. */
export function Agents({ hooks }: { readonly hooks: Status['hooks'] }) {
  const present = hooks.filter(({ present, installed }) => present || installed === true);
  return (
    <section aria-labelledby="agents-heading">
      <h2 id="agents-heading">Agents on this machine</h2>
      <ul class="checks">
        {present.map((agent) => (
          <li key={agent.agent}>
            <span class={`check-state ${stateOf(agent)}`}>{stateOf(agent)}</span>
            <span class="strong">{agent.agent}</span>
            <span>
              {TEXTS[stateOf(agent)]}
              {agent.byPlugin && ' (by its plugin)'}
            </span>
          </li>
        ))}
      </ul>
      {present.length === 0 && <p class="quiet-text">None was found.</p>}
      <p class="quiet-text">
        <code>annals install</code> and <code>annals uninstall</code> show what they change in an agent's
        settings, and ask.
      </p>
    </section>
  );
}

const TEXTS = {
  ok: 'recorded as it works',
  warning: 'its hooks are of another version; run annals install',
  problem: 'not recorded as it works; annals install adds the hooks',
} as const;

function stateOf({ installed, current }: Status['hooks'][number]): keyof typeof TEXTS {
  if (installed !== true) return 'problem';
  return current ? 'ok' : 'warning';
}
