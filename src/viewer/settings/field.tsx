// One value: a choice, a switch, a number, a list or a text, as its form in the API document says.
import { useEffect, useState } from 'preact/hooks';
import type { Setting } from './setting.ts';

/** What is read of a JSON schema. */
export interface Form {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Form[];
  readonly minimum?: number;
}

interface Props {
  readonly setting: Setting;
  readonly form: Form;
  save(value: unknown): Promise<void>;
}

export function Field({ setting: { name, value, source }, form, save }: Props) {
  const known = formOf(form);
  const shown = isMasked(value) ? '' : textOf(value);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const common = { 'aria-labelledby': `setting-${name}`, disabled: source === 'environment' };
  if (known.enum !== undefined)
    return (
      <select
        {...common}
        value={textOf(value)}
        onChange={({ currentTarget }) => void save(currentTarget.value)}
      >
        {known.enum.map((one) => (
          <option key={String(one)} value={String(one)}>
            {String(one)}
          </option>
        ))}
      </select>
    );
  if (known.type === 'boolean')
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => void save(currentTarget.checked)}
      />
    );
  const submit = (event: Event) => {
    event.preventDefault();
    void save(typedValue(text, known));
  };
  const onInput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
    setText(currentTarget.value);
  return (
    <form class="one-line" onSubmit={submit}>
      {known.type === 'array' ? (
        <textarea {...common} rows={3} placeholder="One on a line" value={text} onInput={onInput} />
      ) : (
        <input
          {...common}
          inputMode={isNumber(known) ? 'decimal' : 'text'}
          placeholder={isMasked(value) ? 'hidden, because it looks like a secret' : 'not set'}
          value={text}
          onInput={onInput}
        />
      )}
      {text !== shown && <button type="submit">Save</button>}
    </form>
  );
}

/** The form of a value that is there. */
function formOf(form: Form): Form {
  const some = form.anyOf?.find(({ type }) => type !== 'null');
  if (some !== undefined) return formOf(some);
  const { type } = form;
  return Array.isArray(type) ? { ...form, type: type.find((one) => one !== 'null') } : form;
}

function isNumber({ type }: Form): boolean {
  return type === 'number' || type === 'integer';
}

/** It must not be sent back. */
function isMasked(value: unknown): boolean {
  return JSON.stringify(value).includes('[redacted:');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** An empty text restores the default; a text that is no number is sent as it is, so that the answer says what is wrong. */
function typedValue(text: string, form: Form): unknown {
  const given = text.trim();
  if (form.type === 'array') return given === '' ? null : given.split('\n').map((line) => line.trim());
  if (given === '') return null;
  return isNumber(form) && Number.isFinite(Number(given)) ? Number(given) : given;
}
