// A project: what was decided, what is open, what its next session is given, which files are known, when agents worked.
import { sessionKey } from '../api/session-parts.ts';
import type { ListedObservation, ListedSession, ListedSummary, Page, SearchAnswer } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { counted, dayText } from '../ui/amounts.ts';
import { useAsOf, useRecorded } from '../ui/as-of.tsx';
import { Time } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Shown } from '../ui/states.tsx';
import { Calendar } from './calendar.tsx';
import { GivenBrief } from './given-brief.tsx';
import { Listed } from './listed.tsx';
import { Notes } from './notes.tsx';
import { openWork } from './open-work.ts';
import { ProjectsList } from './projects-list.tsx';

/** Sessions and observations that figures are made of. */
const READ_MAX = 1_000;

export function ProjectScreen({ name }: { readonly name: string }) {
  return name === '' ? <ProjectsList /> : <Project name={name} />;
}

interface KnownProps {
  readonly project: string;
  readonly observations: Loaded<Page<ListedObservation>>;
  readonly sessions: Loaded<Page<ListedSession>>;
}

function Project({ name }: { readonly name: string }) {
  const isPast = useAsOf() !== '';
  const query = { project: name, limit: READ_MAX };
  const observations = useRecorded<Page<ListedObservation>>('/api/observations', query);
  const sessions = useRecorded<Page<ListedSession>>('/api/sessions', query);
  const known = <Known project={name} observations={observations} sessions={sessions} />;
  return (
    <article class="project-page">
      <header class="head">
        <p class="row-meta">
          <a href={href('project')}>Projects</a>
        </p>
        <h1>{plainLine(name)}</h1>
        {sessions.data !== null && observations.data !== null && (
          <Figures sessions={sessions.data} observations={observations.data} />
        )}
        <p class="row-meta">
          <a href={href('search', '', { project: name })}>Search in it</a>
          <a href={href('forget', '', { project: name })}>Forget this project</a>
        </p>
      </header>
      {/* In the past all of them wait for the same log to be read: one says so. */}
      {isPast ? <Shown loaded={observations}>{() => known}</Shown> : known}
    </article>
  );
}

interface FiguresProps {
  readonly sessions: Page<ListedSession>;
  readonly observations: Page<ListedObservation>;
}

/** The only place that says how many sessions there are. */
function Figures({ sessions: { items, next }, observations }: FiguresProps) {
  const days = items.flatMap(({ startedAt, endedAt }) => [startedAt ?? [], endedAt ?? []].flat()).sort();
  const [first, last] = [days[0], days.at(-1)];
  const more = (page: Page<unknown>) => (page.next === null ? '' : 'more than ');
  return (
    <p class="row-meta project-figures">
      <span>
        {next === null ? '' : 'more than '}
        {counted(items.length, 'session')}
      </span>
      {first !== undefined && last !== undefined && (
        <span>
          {dayText(first) === dayText(last) ? dayText(first) : `${dayText(first)} – ${dayText(last)}`}
        </span>
      )}
      <span>
        {more(observations)}
        {counted(observations.items.length, 'observation')}
      </span>
      {countsOf(items.map(({ agent }) => agent)).map(([agent, count]) => (
        <span key={agent}>
          {count === items.length ? 'all' : count} by {agent}
        </span>
      ))}
    </p>
  );
}

function Known(props: KnownProps) {
  const { project } = props;
  const isPast = useAsOf() !== '';
  return (
    <>
      <div class="halves">
        <Decisions {...props} />
        <OpenWork project={project} />
      </div>
      <GivenBrief project={project} />
      {!isPast && <Notes project={project} />}
      <div class="halves">
        <Files {...props} />
        <Activity {...props} />
      </div>
    </>
  );
}

const DECISION = 'decision';

/** What was decided in turns, and what was saved as a decision. */
function Decisions({ project, observations }: KnownProps) {
  const query = { q: '', project, type: DECISION, limit: 50 };
  const found = useRecorded<SearchAnswer>('/api/search', query);
  return (
    <section aria-labelledby="decisions-heading">
      <h2 id="decisions-heading">Decisions</h2>
      <Shown loaded={found}>
        {({ results }) => (
          <Listed
            items={decisionsOf(results, observations.data?.items ?? [])}
            keyOf={({ id, text }) => `${id} ${text}`}
            none="No decision was recognised."
          >
            {({ id, text, at }) => {
              const [, who = '', what = text] = /^The (person|agent): (.*)$/s.exec(text) ?? [];
              return (
                <>
                  <a href={href('item', id)} dir="auto">
                    {plainLine(what)}
                  </a>
                  <span class="row-meta">
                    <Time at={at} text={(time) => dayText(time)} />
                    {who !== '' && <span>{who === 'person' ? 'by a person' : 'by the agent'}</span>}
                  </span>
                </>
              );
            }}
          </Listed>
        )}
      </Shown>
    </section>
  );
}

/** Newest first. */
function decisionsOf(results: SearchAnswer['results'], observations: readonly ListedObservation[]) {
  const inTurns = observations.flatMap(({ id, at, evidence }) =>
    evidence.decisions.map((text) => ({ id, text, at })),
  );
  const known = new Set(inTurns.map(({ id }) => id));
  const others = results
    .filter(({ id, kind, type }) => !known.has(id) && (kind !== 'observation' || type === DECISION))
    .map(({ id, title, at }) => ({ id, text: title, at }));
  return [...inTurns, ...others].sort((a, b) => (b.at ?? '').localeCompare(a.at ?? ''));
}

function OpenWork({ project }: Pick<KnownProps, 'project'>) {
  const summaries = useRecorded<Page<ListedSummary>>('/api/summaries', { project, limit: 200 });
  return (
    <section aria-labelledby="open-heading">
      <h2 id="open-heading">Open work</h2>
      <Shown loaded={summaries}>
        {({ items }) => (
          <Listed
            items={openWork(items)}
            keyOf={({ id }) => id}
            none="No session left a next step at its end."
          >
            {({ id, nextSteps, request, at }) => (
              <>
                <a href={href('item', id)} dir="auto">
                  {plainLine(nextSteps.join(' '))}
                </a>
                <span class="row-meta">
                  <Time at={at} text={(time) => dayText(time)} />
                  <span class="fades">after “{plainLine(request)}”</span>
                </span>
              </>
            )}
          </Listed>
        )}
      </Shown>
    </section>
  );
}

function Files({ project, observations }: KnownProps) {
  return (
    <section aria-labelledby="known-files-heading">
      <h2 id="known-files-heading">Files, by how much is known of them</h2>
      <Shown loaded={observations}>
        {({ items }) => {
          const files = countsOf(items.flatMap(({ filesModified }) => filesModified));
          const most = files[0]?.[1] ?? 1;
          return (
            <Listed items={files} keyOf={([file]) => file} none="No change of a file is recorded.">
              {([file, count]) => (
                <>
                  <a class="path" href={href('search', '', { q: `file:"${file}"`, project })}>
                    {plainLine(file)}
                  </a>
                  <span class="row-meta known-of">
                    <span class="known-bar" aria-hidden="true">
                      <span style={{ width: `${(100 * count) / most}%` }} />
                    </span>
                    <span>{counted(count, 'observation')}</span>
                  </span>
                </>
              )}
            </Listed>
          );
        }}
      </Shown>
    </section>
  );
}

function Activity({ sessions, observations }: KnownProps) {
  return (
    <section aria-labelledby="activity-heading">
      <h2 id="activity-heading">Activity</h2>
      <Shown loaded={sessions}>
        {({ items }) => (
          <>
            <Calendar sessions={items} observations={observations.data?.items ?? []} />
            <Listed items={items} keyOf={(session) => sessionKey(session)} none="No session is recorded.">
              {({ id, title, startedAt, endedAt, turns, counts }) => (
                <>
                  <a href={href('session', id)} dir="auto">
                    {plainLine(title ?? 'Without a title')}
                  </a>
                  <span class="row-meta">
                    <Time at={endedAt ?? startedAt} />
                    {turns > 0 && <span>{counted(turns, 'turn')}</span>}
                    {counts.toolUses > 0 && <span>{counted(counts.toolUses, 'tool use')}</span>}
                  </span>
                </>
              )}
            </Listed>
          </>
        )}
      </Shown>
    </section>
  );
}

/** Most first. */
function countsOf(names: readonly string[]): readonly (readonly [name: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}
