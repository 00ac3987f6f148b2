// One remembered item: its text, what is known of it, where it comes from, and what a person can do to it.
import { get } from '../api/client.ts';
import { listDetail, type ShownItem, textDetail } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { endOfDay } from '../ui/amounts.ts';
import { Kind, ProjectLink, Time } from '../ui/labels.tsx';
import { LongText } from '../ui/long-text.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { Marks } from '../ui/marks.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Shown } from '../ui/states.tsx';
import { ToolUse } from '../ui/tool-use.tsx';
import { Actions } from './actions.tsx';
import { Evidence } from './evidence.tsx';
import { Receipts } from './receipts.tsx';
import { WhyTree } from './why-tree.tsx';

interface Props {
  readonly id: string;
  /** A day: the item as it was at its end; empty: as it is. */
  readonly asOf: string;
}

export function ItemScreen({ id, asOf }: Props) {
  const item = useData(
    id,
    (signal) => get<ShownItem>(`/api/items/${encodeURIComponent(id)}`, { asOf: endOfDay(asOf) }, signal),
    asOf === '' ? { live: 500 } : {},
  );
  return <Shown loaded={item}>{(data) => <Item item={data} asOf={asOf} reload={item.reload} />}</Shown>;
}

function Item({ item, asOf, reload }: { readonly item: ShownItem; readonly asOf: string; reload(): void }) {
  const { id, kind, type, title, project, session, agent, at, marks, files, details } = item;
  const turn = textDetail(details, 'turn');
  return (
    <article class="item">
      <header class="head">
        <p class="row-meta">
          <Kind kind={kind} type={type} />
          {marks !== undefined && <Marks marks={marks} />}
        </p>
        <h1 dir="auto">{plainLine(title) || 'Without a title'}</h1>
        <p class="row-meta">
          <Time at={at} />
          {project !== null && <ProjectLink name={project} />}
          <span>{agent}</span>
          {session !== null && <a href={href('session', session, { item: id })}>In its session</a>}
          {turn !== null && <a href={href('item', turn)}>Its turn</a>}
        </p>
        <Trust item={item} />
      </header>
      {asOf === '' ? (
        <Actions item={item} reload={reload} />
      ) : (
        <p class="notice">
          As it was at the end of {asOf}. <a href={href('item', id)}>See it as it is</a>
        </p>
      )}
      <section aria-label="Text" class="item-text">
        <Text item={item} />
      </section>
      <Before item={item} />
      <Files files={files} />
      <Evidence details={details} />
      <Receipts id={id} project={project} />
      <WhyTree id={id} />
      <p class="row-meta">
        <code class="id">{id}</code>
      </p>
    </article>
  );
}

/** Whose words these are decides how far an agent may follow them. */
function Trust({ item: { kind, details } }: { readonly item: ShownItem }) {
  const words = () => {
    switch (kind) {
      case 'prompt':
        return 'A person wrote this.';
      case 'memory':
        return textDetail(details, 'author') === 'agent'
          ? 'An agent saved this by itself. No person confirmed it.'
          : 'A person saved this.';
      case 'answer':
        return 'The agent wrote this.';
      case 'tool':
        return 'A tool answered this; it may come from a file or the web.';
      case 'observation':
      case 'summary':
        return 'Made from the events below. What no event says, it does not say.';
      case 'imported':
        return 'Another tool remembered this.';
      default:
        return null;
    }
  };
  const text = words();
  return text === null ? null : <p class="trust">{text}</p>;
}

function Text({ item }: { readonly item: ShownItem }) {
  const { kind, text, details } = item;
  if (kind === 'tool') return <ToolUse item={item} />;
  if (text === '') return <p class="quiet-text">It has no text.</p>;
  if (kind === 'prompt' || kind === 'event' || kind === 'turn' || kind === 'session')
    return <LongText text={text} label="Text" />;
  const facts = listDetail(details, 'facts');
  return (
    <>
      <Markdown text={text} />
      {facts.length > 0 && !text.includes(facts[0]!) && (
        <ul>
          {facts.map((fact) => (
            <li key={fact}>{plainLine(fact)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What an edited item said before. */
function Before({ item: { details } }: { readonly item: ShownItem }) {
  const before =
    typeof details === 'object' && details !== null && 'before' in details
      ? (details.before as ShownItem['details'])
      : null;
  const text = textDetail(before, 'text');
  if (text === null) return null;
  return (
    <details>
      <summary>What it said before it was edited</summary>
      <Markdown text={text} />
    </details>
  );
}

function Files({ files }: { readonly files: readonly string[] }) {
  if (files.length === 0) return null;
  return (
    <section aria-labelledby="files-heading">
      <h2 id="files-heading">Files</h2>
      <ul class="file-list">
        {files.map((file) => (
          <li key={file}>
            <a href={href('search', '', { q: `file:"${file}"` })}>{plainLine(file)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
