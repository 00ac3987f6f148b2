// A setting: its name and what it does, its value, and where that comes from.
import { useState } from 'preact/hooks';
import { ApiError, send } from '../api/client.ts';
import { plainLine } from '../ui/plain.ts';
import { WithCode } from '../ui/with-code.tsx';
import { type Description, describe } from './descriptions.ts';
import { Field, type Form } from './field.tsx';
import type { Setting } from './setting.ts';

interface Props {
  readonly setting: Setting;
  readonly form: Form;
  reload(): void;
}

type Answer =
  | { readonly kind: 'none' }
  | { readonly kind: 'saved'; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly sentence: string };

export function SettingRow({ setting, form, reload }: Props) {
  const { name, about } = setting;
  const description = describe(name, about);
  const [answer, setAnswer] = useState<Answer>({ kind: 'none' });
  const refuse = (sentence: string) => setAnswer({ kind: 'refused', sentence });
  const save = async (value: unknown) => {
    try {
      const { notes } = await send<{ notes: string[] }>('PUT', '/api/settings', { [name]: value });
      setAnswer({ kind: 'saved', notes: [...notes, ...(description.applies ? [description.applies] : [])] });
      reload();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      refuse([failure.message.replace(`${name}: `, ''), failure.hint].filter(Boolean).join(' '));
    }
  };
  return (
    <li class="setting">
      <div class="setting-about">
        <h3 id={`setting-${name}`}>{description.label}</h3>
        <p>
          <WithCode text={description.sentence} />
        </p>
        {about !== description.sentence && (
          <details>
            <summary>
              <code>{name}</code>
            </summary>
            <p>
              <WithCode text={about} />
            </p>
          </details>
        )}
      </div>
      <div class="setting-value">
        <Field
          setting={setting}
          form={form}
          description={description}
          isWrong={answer.kind === 'refused'}
          save={(value) => void save(value)}
          refuse={refuse}
        />
        {answer.kind === 'refused' && (
          <p role="alert" class="bad">
            <WithCode text={answer.sentence} />
          </p>
        )}
        <Source setting={setting} description={description} restore={() => void save(null)} />
        {answer.kind === 'saved' && (
          <p role="status" class="setting-saved">
            <WithCode text={['Saved.', ...answer.notes].join(' ')} />
          </p>
        )}
      </div>
    </li>
  );
}

interface SourceProps {
  readonly setting: Setting;
  readonly description: Description;
  restore(): void;
}

function Source({ setting, description, restore }: SourceProps) {
  const { name, source, variable } = setting;
  const byDefault = shownValue(setting.default, description);
  return (
    <p id={`source-${name}`} class="setting-source">
      {source === 'default' && 'Default'}
      {source === 'file' && (
        <>
          <strong>Set in config.json</strong>
          <span>default: {byDefault}</span>
          <button type="button" class="quiet" onClick={restore}>
            Restore the default
          </button>
        </>
      )}
      {source === 'environment' && (
        <>
          <strong>
            Set by the environment variable <code>{variable}</code>
          </strong>
          <span>which only the shell that starts the worker can change; default: {byDefault}</span>
        </>
      )}
    </p>
  );
}

function shownValue(value: unknown, { choices, unit }: Description): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const text = choices?.[String(value)] ?? plainLine(String(value));
  return unit === undefined ? text : `${text} ${unit}`;
}
