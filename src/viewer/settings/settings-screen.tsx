// The settings, as sections with an index: the agents, then what each setting does, its value and where that comes from.
// The form of the values is that of the API document.
import { useEffect, useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import { useData } from '../api/use-data.ts';
import { counted } from '../ui/amounts.ts';
import { useFiltered } from '../ui/filter.ts';
import { holdInSight } from '../ui/hold-in-sight.ts';
import { href } from '../ui/route.ts';
import { Empty, Shown } from '../ui/states.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { Agents } from './agents.tsx';
import { describe } from './descriptions.ts';
import type { Form } from './field.tsx';
import type { Setting } from './setting.ts';
import { SettingRow } from './setting-row.tsx';

interface SettingsAnswer {
  readonly settings: readonly Setting[];
  readonly degraded: readonly string[];
}

interface ApiDocument {
  readonly paths: {
    readonly '/api/settings': {
      readonly put: {
        readonly requestBody: {
          readonly content: {
            readonly 'application/json': {
              readonly schema: { readonly properties: Readonly<Record<string, Form>> };
            };
          };
        };
      };
    };
  };
}

function textOf({ name, about }: Setting): string {
  const { label, sentence } = describe(name, about);
  return `${name.replaceAll('.', ' ')} ${label} ${sentence} ${about}`;
}

interface ScreenProps {
  /** section: the one to scroll to. */
  readonly query: Readonly<Record<string, string>>;
}

export function SettingsScreen({ query }: ScreenProps) {
  const settings = useData('', async (signal) => {
    const [answer, document] = await Promise.all([
      get<SettingsAnswer>('/api/settings', {}, signal),
      get<ApiDocument>('/api/openapi.json', {}, signal),
    ]);
    const { schema } = document.paths['/api/settings'].put.requestBody.content['application/json'];
    return { answer, forms: schema.properties };
  });
  return (
    <div class="settings">
      <Shown loaded={settings}>
        {({ answer, forms }) => (
          <Settings answer={answer} forms={forms} reload={settings.reload} section={query.section ?? ''} />
        )}
      </Shown>
    </div>
  );
}

interface Props {
  readonly answer: SettingsAnswer;
  readonly forms: Readonly<Record<string, Form>>;
  readonly section: string;
  reload(): void;
}

function Settings({ answer: { settings, degraded }, forms, section, reload }: Props) {
  const [filter, setFilter] = useState('');
  const visible = useFiltered(settings, filter, textOf);
  const sections = sectionsOf(visible);
  useEffect(() => {
    const element = document.getElementById(`section-${section}`);
    if (element !== null) return holdInSight(element);
  }, [section]);
  const currentValue = (name: string) => settings.find((one) => one.name === name)?.value;
  return (
    <>
      <div class="toolbar">
        <h1>Settings</h1>
        <input
          type="search"
          class="filter"
          placeholder="Filter"
          aria-label="Filter the settings"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </div>
      {degraded.map((sentence) => (
        <p key={sentence} class="notice">
          <WithCode text={sentence} />
        </p>
      ))}
      <div class="settings-body">
        <nav class="settings-index" aria-label="Sections">
          {filter === '' && <a href={href('settings', '', { section: 'agents' })}>Agents</a>}
          {sections.map(({ key, title }) => (
            <a key={key} href={href('settings', '', { section: key })}>
              {title}
            </a>
          ))}
        </nav>
        <div class="settings-sections">
          {filter === '' && (
            <div id="section-agents">
              <Agents />
            </div>
          )}
          {visible.length === 0 && <Empty title="No setting matches" />}
          {sections.map(({ key, title, about, some }) => (
            <Section key={key} id={`section-${key}`} title={title} about={about}>
              <Rows
                settings={some}
                showsAll={filter !== ''}
                currentValue={currentValue}
                forms={forms}
                reload={reload}
              />
            </Section>
          ))}
        </div>
      </div>
    </>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly children: preact.ComponentChildren;
}

function Section({ id, title, about, children }: SectionProps) {
  return (
    <section id={id} aria-label={title}>
      <h2>{title}</h2>
      <p class="quiet-text">{about}</p>
      {children}
    </section>
  );
}

interface RowsProps extends Pick<Props, 'forms' | 'reload'> {
  readonly settings: readonly Setting[];
  readonly showsAll: boolean;
  currentValue(name: string): unknown;
}

/** Those that have no effect now are folded. */
function Rows({ settings, showsAll, currentValue, forms, reload }: RowsProps) {
  const hasEffect = ({ name, about, source }: Setting) => {
    const { needs } = describe(name, about);
    return (
      showsAll ||
      source !== 'default' ||
      needs === undefined ||
      needs[1].includes(String(currentValue(needs[0])))
    );
  };
  const row = (setting: Setting) => (
    <SettingRow key={setting.name} setting={setting} form={forms[setting.name] ?? {}} reload={reload} />
  );
  const others = settings.filter((one) => !hasEffect(one));
  return (
    <>
      <ul class="setting-rows">{settings.filter(hasEffect).map(row)}</ul>
      {others.length > 0 && (
        <details class="settings-more">
          <summary>{counted(others.length, 'more setting')} without effect beside these values</summary>
          <ul class="setting-rows">{others.map(row)}</ul>
        </details>
      )}
    </>
  );
}

interface SectionForm {
  readonly key: string;
  readonly title: string;
  readonly about: string;
  readonly starts: readonly string[];
}

/** In this order. A setting is in the section with the longest beginning of its name. */
const SECTIONS: readonly SectionForm[] = [
  {
    key: 'recording',
    title: 'Recording',
    about: 'What is kept of what agents do.',
    starts: ['exclude'],
  },
  {
    key: 'recall',
    title: 'Recall',
    about: 'What a running session is given without asking. It needs the worker and curl.',
    starts: ['recall.'],
  },
  {
    key: 'model',
    title: 'Model',
    about: 'Rules write observations from what happened; a model of your choice may write better ones.',
    starts: ['observer.'],
  },
  {
    key: 'limits',
    title: 'Limits of the model',
    about: 'What the model may cost. Beyond a limit nothing is sent to it.',
    starts: ['observer.usd', 'observer.tokens', 'observer.inputPrice', 'observer.outputPrice'],
  },
  {
    key: 'search',
    title: 'Search',
    about: 'How a search finds what fits.',
    starts: ['embedder', 'index'],
  },
  {
    key: 'worker',
    title: 'Worker',
    about: 'The process in the background that records, answers, and serves this page.',
    starts: ['worker', 'http.'],
  },
  { key: 'others', title: 'Others', about: 'Settings that this page does not know.', starts: [''] },
];

function sectionsOf(settings: readonly Setting[]) {
  const matched = ({ starts }: SectionForm, name: string) =>
    Math.max(-1, ...starts.filter((start) => name.startsWith(start)).map((start) => start.length));
  const sectionOf = ({ name }: Setting) =>
    [...SECTIONS].sort((a, b) => matched(b, name) - matched(a, name))[0]!;
  return SECTIONS.map((section) => ({
    ...section,
    some: settings.filter((setting) => sectionOf(setting) === section),
  })).filter(({ some }) => some.length > 0);
}
