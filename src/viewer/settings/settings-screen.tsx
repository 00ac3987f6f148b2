// The settings: what each does, its value and where that comes from. The form of the values is that of the API document.
import { useState } from 'preact/hooks';
import { ApiError, get, send } from '../api/client.ts';
import { useData } from '../api/use-data.ts';
import { useFiltered } from '../ui/filter.ts';
import { plainLine } from '../ui/plain.ts';
import { Empty, Shown } from '../ui/states.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { Agents } from './agents.tsx';
import { Field, type Form } from './field.tsx';
import type { Setting } from './setting.ts';

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

const words = {
  keyOf: ({ name }: Setting) => name,
  textOf: ({ name, about }: Setting) => `${name.replaceAll('.', ' ')} ${about}`,
};

export function SettingsScreen() {
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
        {({ answer, forms }) => <Settings answer={answer} forms={forms} reload={settings.reload} />}
      </Shown>
    </div>
  );
}

interface Props {
  readonly answer: SettingsAnswer;
  readonly forms: Readonly<Record<string, Form>>;
  reload(): void;
}

function Settings({ answer: { settings, degraded }, forms, reload }: Props) {
  const [filter, setFilter] = useState('');
  const visible = useFiltered(settings, filter, words);
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
      {filter === '' && <Agents />}
      {visible.length === 0 && <Empty title="No setting matches" />}
      {grouped(visible).map(([title, some]) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {some.map((setting) => (
              <SettingRow
                key={setting.name}
                setting={setting}
                form={forms[setting.name] ?? {}}
                reload={reload}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** By the beginning of the name; in this order. */
const GROUPS: readonly (readonly [title: string, starts: readonly string[]])[] = [
  ['What is recorded', ['exclude']],
  ['Model that writes observations', ['observer.']],
  ['Recall while a session runs', ['recall.']],
  ['Search', ['embedder', 'index']],
  ['Worker', ['worker', 'http.']],
  ['Others', ['']],
];

function grouped(settings: readonly Setting[]) {
  const groupOf = ({ name }: Setting) =>
    GROUPS.find(([, starts]) => starts.some((start) => name.startsWith(start)))![0];
  return GROUPS.map(
    ([title]) => [title, settings.filter((setting) => groupOf(setting) === title)] as const,
  ).filter(([, some]) => some.length > 0);
}

const SOURCES = {
  default: 'default',
  file: 'from your settings file',
  environment: 'from the environment',
} as const;

function shownValue(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return plainLine(String(value));
}

interface RowProps {
  readonly setting: Setting;
  readonly form: Form;
  reload(): void;
}

function SettingRow({ setting, form, reload }: RowProps) {
  const { name, source, variable, about } = setting;
  const [error, setError] = useState<ApiError | null>(null);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const save = async (value: unknown) => {
    try {
      const answer = await send<{ notes: string[] }>('PUT', '/api/settings', { [name]: value });
      setError(null);
      setNotes(answer.notes);
      reload();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    }
  };
  return (
    <li class="setting">
      <div class="setting-about">
        <h3 id={`setting-${name}`}>{name}</h3>
        <p>
          <WithCode text={about} />
        </p>
      </div>
      <div class="setting-value">
        <Field setting={setting} form={form} save={save} />
        <p class="quiet-text">
          {SOURCES[source]}
          {source === 'environment' && `: ${variable} decides`}
          {source !== 'default' && `; default: ${shownValue(setting.default)}`}
          {source === 'file' && (
            <>
              {' '}
              <button type="button" class="quiet" onClick={() => void save(null)}>
                Restore the default
              </button>
            </>
          )}
        </p>
        {error !== null && (
          <p role="alert" class="bad">
            <WithCode text={error.message} />
          </p>
        )}
        {notes.map((note) => (
          <p key={note} class="notice">
            <WithCode text={note} />
          </p>
        ))}
      </div>
    </li>
  );
}
