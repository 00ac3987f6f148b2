import { get } from '../api/client.ts';
import type { ProjectStats } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { counted, dateText, dayText } from '../ui/amounts.ts';
import { Time } from '../ui/labels.tsx';
import { plainLine } from '../ui/plain.ts';
import { href, useRoute } from '../ui/route.ts';
import { Empty, Shown } from '../ui/states.tsx';

export function ProjectsList() {
  const { asOf = '' } = useRoute().query;
  const projects = useData('', (signal) => get<{ items: ProjectStats[] }>('/api/projects', {}, signal), {
    live: 2_000,
  });
  return (
    <>
      <h1>Projects</h1>
      {asOf !== '' && (
        <p class="quiet-text">
          This list shows the present. A project opens as it was at the end of {dateText(asOf)}.
        </p>
      )}
      <Shown loaded={projects}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No project is known yet">
              <p>A project appears with the first session in its folder.</p>
            </Empty>
          ) : (
            <ul class="plain-list">
              {[...items].sort(byLast).map((project) => (
                <li key={project.key}>
                  <a class="row" href={href('project', project.name)}>
                    <span class="row-title strong">{plainLine(project.name)}</span>
                    <span class="row-meta">
                      <Time at={project.lastAt} text={(at) => dayText(at)} />
                      <span>{counted(project.sessions, 'session')}</span>
                      {project.documents.observation > 0 && (
                        <span>{counted(project.documents.observation, 'observation')}</span>
                      )}
                      {project.documents.memory > 0 && (
                        <span>{counted(project.documents.memory, 'saved memory', 'saved memories')}</span>
                      )}
                      <span class="fades">{plainLine(project.workdirs[0] ?? '')}</span>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  );
}

function byLast(a: ProjectStats, b: ProjectStats): number {
  return (b.lastAt ?? '').localeCompare(a.lastAt ?? '');
}
