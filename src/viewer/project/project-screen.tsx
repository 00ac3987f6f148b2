// A project: what its next session is given, what was decided, what is open, which files are known, when agents worked.
import type { ListedObservation, ListedSession, ListedSummary, Page, SearchAnswer } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { counted } from '../ui/amounts.ts';
import { useAsOf, useRecorded } from '../ui/as-of.tsx';
import { Time } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Shown } from '../ui/states.tsx';
import { Calendar } from './calendar.tsx';
import { GivenBrief } from './given-brief.tsx';
import { Notes } from './notes.tsx';
import { ProjectsList } from './projects-list.tsx';

/** Sessions and observations that figures are made of. */
const READ_MAX = 1_000;
const SHOWN = 12;

export function ProjectScreen({ name }: { readonly name: string }) {
  return name === '' ? <ProjectsList /> : <Project name={name} />;
}

function Project({ name }: { readonly name: string }) {
  const isPast = useAsOf() !== '';
  const observations = useRecorded<Page<ListedObservation>>('/api/observations', {
    project: name,
    limit: READ_MAX,
  });
  return (
    <article class="project-page">
      <header class="head">
        <p class="row-meta">
          <a href={href('project')}>Projects</a>
        </p>
        <h1>{plainLine(name)}</h1>
        <p class="row-meta">
          <a href={href('search', '', { project: name })}>Search in it</a>
          <a href={href('forget', '', { project: name })}>Forget this project</a>
        </p>
      </header>
      {isPast ? (
        // All of them wait for the same log to be read: one says so.
        <Shown loaded={observations}>{() => <Known project={name} observations={observations} />}</Shown>
      ) : (
        <Known project={name} observations={observations} />
      )}
    </article>
  );
}

interface Props {
  readonly project: string;
}

interface KnownProps extends Props {
  readonly observations: Loaded<Page<ListedObservation>>;
}

function Known({ project, observations }: KnownProps) {
  const isPast = useAsOf() !== '';
  return (
    <>
      <GivenBrief project={project} />
      {!isPast && <Notes project={project} />}
      <div class="columns">
        <Decisions project={project} observations={observations} />
        <OpenWork project={project} />
        <Files project={project} observations={observations} />
        <Sessions project={project} />
      </div>
    </>
  );
}

/** What was decided in turns, and what was saved as a decision. */
function Decisions({ project, observations }: KnownProps) {
  const query = { q: '', project, type: 'decision', limit: SHOWN };
  const found = useRecorded<SearchAnswer>('/api/search', query);
  return (
    <section aria-labelledby="decisions-heading">
      <h2 id="decisions-heading">Decisions</h2>
      <Shown loaded={found}>
        {({ results }) => {
          const decisions = decisionsOf(results, observations.data?.items ?? []).slice(0, SHOWN);
          return (
            <>
              <ul class="things">
                {decisions.map(({ id, text, at }) => (
                  <li key={`${id} ${text}`}>
                    <a href={href('item', id)} dir="auto">
                      {plainLine(text)}
                    </a>
                    <Time at={at} />
                  </li>
                ))}
              </ul>
              {decisions.length === 0 && <p class="quiet-text">None is recorded.</p>}
            </>
          );
        }}
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
    .filter(({ id }) => !known.has(id))
    .map(({ id, title, at }) => ({ id, text: title, at }));
  return [...inTurns, ...others].sort((a, b) => (b.at ?? '').localeCompare(a.at ?? ''));
}

function OpenWork({ project }: Props) {
  const summaries = useRecorded<Page<ListedSummary>>('/api/summaries', { project, limit: 200 });
  return (
    <section aria-labelledby="open-heading">
      <h2 id="open-heading">Open work</h2>
      <Shown loaded={summaries}>
        {({ items }) => {
          const open = items.filter(({ nextSteps }) => nextSteps.length > 0).slice(0, SHOWN);
          return (
            <>
              <ul class="things">
                {open.map(({ id, nextSteps, at }) => (
                  <li key={id}>
                    <a href={href('item', id)} dir="auto">
                      {plainLine(nextSteps.join(' '))}
                    </a>
                    <Time at={at} />
                  </li>
                ))}
              </ul>
              {open.length === 0 && <p class="quiet-text">No turn left a next step.</p>}
            </>
          );
        }}
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
          const files = countsOf(items.flatMap(({ filesModified }) => filesModified)).slice(0, SHOWN);
          return (
            <>
              <ul class="things">
                {files.map(([file, count]) => (
                  <li key={file}>
                    <a class="path" href={href('search', '', { q: `file:"${file}"`, project })}>
                      {plainLine(file)}
                    </a>
                    <span class="quiet-text">{counted(count, 'observation')}</span>
                  </li>
                ))}
              </ul>
              {files.length === 0 && <p class="quiet-text">No change of a file is recorded.</p>}
            </>
          );
        }}
      </Shown>
    </section>
  );
}

function Sessions({ project }: Props) {
  const sessions = useRecorded<Page<ListedSession>>('/api/sessions', { project, limit: READ_MAX });
  return (
    <section aria-labelledby="activity-heading">
      <h2 id="activity-heading">Activity</h2>
      <Shown loaded={sessions}>
        {({ items }) => (
          <>
            <Calendar sessions={items} />
            <ul class="figures">
              {countsOf(items.map(({ agent }) => agent)).map(([agent, count]) => (
                <li key={agent}>
                  <strong>{count}</strong> by {agent}
                </li>
              ))}
            </ul>
            <ul class="things">
              {items.slice(0, SHOWN).map(({ id, title, startedAt }) => (
                <li key={id}>
                  <a href={href('session', id)} dir="auto">
                    {plainLine(title ?? 'Without a title')}
                  </a>
                  <Time at={startedAt} />
                </li>
              ))}
            </ul>
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
