// One remembered item: its text, what is known of it, where it comes from, and what a person can do to it.
import { listDetail, type ShownItem, textDetail } from '../api/types.ts';
import { fullTime } from '../ui/amounts.ts';
import { useAsOf, useRecorded } from '../ui/as-of.tsx';
import { Kind, ProjectLink, Time } from '../ui/labels.tsx';
import { LongText } from '../ui/long-text.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { Marks } from '../ui/marks.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Empty, Shown } from '../ui/states.tsx';
import { ToolUse } from '../ui/tool-use.tsx';
import { Actions } from './actions.tsx';
import { Evidence } from './evidence.tsx';
import { Receipts } from './receipts.tsx';
import { WhyTree } from './why-tree.tsx';

/** The HTTP status of what was forgotten. */
const GONE = 410;

export function ItemScreen({ id }: { readonly id: string }) {
  const item = useRecorded<ShownItem>(`/api/items/${encodeURIComponent(id)}`, {}, { live: 500 });
  if (item.data === null && item.error?.status === GONE) return <Forgotten message={item.error.message} />;
  return <Shown loaded={item}>{(data) => <Item item={data} reload={item.reload} />}</Shown>;
}

/** @param message of the API, with the time */
function Forgotten({ message }: { readonly message: string }) {
  const [at] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(message) ?? [];
  return (
    <Empty title="This was forgotten" isPage>
      <p>
        {at !== undefined && `It was forgotten on ${fullTime(at)}. `}
        <a href={href('search')}>Search what is remembered</a>
      </p>
    </Empty>
  );
}

function Item({ item, reload }: { readonly item: ShownItem; reload(): void }) {
  const isPast = useAsOf() !== '';
  const { id, kind, type, title, project, session, agent, at, marks, files, details } = item;
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
        </p>
        <Trust item={item} />
      </header>
      {!isPast && <Actions item={item} reload={reload} />}
      <section aria-label="Text" class="item-text">
        <Text item={item} />
      </section>
      <Before item={item} />
      <Files files={files} />
      <Evidence details={details} />
      {!isPast && <Receipts id={id} />}
      <WhyTree item={item} />
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
        return 'Annals made this from the events below. They are what happened; this may be wrong.';
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
  if (kind === 'turn')
    return (
      <p>
        <a href={href('session', item.session ?? '', { item: item.id })}>Read it in its session</a>
      </p>
    );
  if (text === '') return <p class="quiet-text">It has no text.</p>;
  if (kind === 'prompt' || kind === 'event' || kind === 'session')
    return <LongText text={text} label="Text" />;
  // An edit replaces all of the fields.
  if (item.marks?.edited === undefined && kind === 'observation') return <Observed details={details} />;
  if (item.marks?.edited === undefined && kind === 'summary') return <Summarized details={details} />;
  return <Markdown text={text} />;
}

type Details = ShownItem['details'];

function Observed({ details }: { readonly details: Details }) {
  const subtitle = textDetail(details, 'subtitle') ?? '';
  const facts = listDetail(details, 'facts');
  return (
    <>
      {subtitle !== '' && (
        <p class="quiet-text" dir="auto">
          {plainLine(subtitle)}
        </p>
      )}
      <Markdown text={textDetail(details, 'narrative') ?? ''} />
      {facts.length > 0 && (
        <ul class="facts">
          {facts.map((fact) => (
            <li key={fact} dir="auto">
              {plainLine(fact)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const SUMMARY_FIELDS = [
  ['request', 'Asked'],
  ['investigated', 'Investigated'],
  ['learned', 'Learned'],
  ['completed', 'Done'],
  ['nextSteps', 'Next'],
  ['notes', 'Notes'],
] as const;

function Summarized({ details }: { readonly details: Details }) {
  const texts = SUMMARY_FIELDS.map(([field, name]) => ({
    name,
    text: textDetail(details, field) ?? listDetail(details, field).join('\n\n'),
  }));
  return (
    <dl class="summary-fields">
      {texts
        .filter(({ text }) => text !== '')
        .map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Markdown text={text} />
            </dd>
          </div>
        ))}
    </dl>
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
