// One value: a choice, a switch, a number with its unit, a list or a text, as its form in the API document says.
import { useLayoutEffect, useState } from 'preact/hooks';
import { count } from '../ui/amounts.ts';
import type { Description } from './descriptions.ts';
import type { Setting } from './setting.ts';

/** What is read of a JSON schema. */
export interface Form {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Form[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Props {
  readonly setting: Setting;
  readonly form: Form;
  readonly description: Description;
  readonly isWrong: boolean;
  save(value: unknown): void;
  /** Says beside the field why the value is not sent. */
  refuse(sentence: string): void;
}

export function Field(props: Props) {
  const { setting, form, description, isWrong, save } = props;
  const { name, value, source } = setting;
  const known = formOf(form);
  const common = {
    'aria-labelledby': `setting-${name}`,
    'aria-describedby': `source-${name}`,
    'aria-invalid': isWrong,
    disabled: source === 'environment',
  };
  if (known.enum !== undefined)
    return (
      <select {...common} value={textOf(value)} onChange={({ currentTarget }) => save(currentTarget.value)}>
        {known.enum.map((one) => (
          <option key={String(one)} value={String(one)}>
            {description.choices?.[String(one)] ?? String(one)}
          </option>
        ))}
      </select>
    );
  if (known.type === 'boolean')
    return (
      <label class="switch">
        <input
          {...common}
          type="checkbox"
          role="switch"
          aria-checked={value === true}
          checked={value === true}
          onChange={({ currentTarget }) => save(currentTarget.checked)}
        />
        <span aria-hidden="true">{value === true ? 'On' : 'Off'}</span>
      </label>
    );
  return <Typed {...props} known={known} common={common} />;
}

interface TypedProps extends Props {
  readonly known: Form;
  readonly common: object;
}

/** Sent with Enter or the button, which is there when something changed. */
function Typed({ setting: { value }, form, description, known, common, save, refuse }: TypedProps) {
  const shown = isMasked(value) ? '' : textOf(value);
  const [text, setText] = useState(shown);
  useLayoutEffect(() => setText(shown), [shown]);
  const submit = (event: Event) => {
    event.preventDefault();
    const problem = problemOf(text.trim(), form, known);
    if (problem === null) save(typedValue(text, known));
    else refuse(problem);
  };
  const onInput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
    setText(currentTarget.value);
  const isList = known.type === 'array';
  return (
    <form class="setting-form" noValidate onSubmit={submit}>
      {isList ? (
        <textarea
          {...common}
          rows={Math.max(2, Math.min(8, text.split('\n').length))}
          placeholder="None"
          value={text}
          onInput={onInput}
        />
      ) : (
        <input
          {...common}
          class={isNumber(known) ? 'short' : undefined}
          inputMode={isNumber(known) ? 'decimal' : 'text'}
          placeholder={isMasked(value) ? '•••••• hidden, it looks like a secret' : 'Not set'}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={onInput}
        />
      )}
      {description.unit !== undefined && <span class="quiet-text">{description.unit}</span>}
      {text !== shown && (
        <>
          <button type="submit" class="primary">
            Save
          </button>
          <button type="button" class="quiet" onClick={() => setText(shown)}>
            Cancel
          </button>
        </>
      )}
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

/** Whether it takes a value beside those of its type: `none`. */
function takes(form: Form, value: string): boolean {
  return form.const === value || form.anyOf?.some((one) => takes(one, value)) === true;
}

function isNumber({ type }: Form): boolean {
  return type === 'number' || type === 'integer';
}

/** Why a number cannot be set. The worker checks everything else. */
function problemOf(text: string, form: Form, known: Form): string | null {
  if (!isNumber(known) || text === '' || takes(form, text)) return null;
  const { type, minimum = -Infinity, maximum = Infinity } = known;
  const number = Number(text);
  const isRight = Number.isFinite(number) && number >= minimum && number <= maximum;
  if (isRight && (type === 'number' || Number.isInteger(number))) return null;
  const what = type === 'integer' ? 'a whole number' : 'a number';
  const none = takes(form, 'none') ? ', or none' : '';
  const to = maximum >= Number.MAX_SAFE_INTEGER ? '' : ` to ${count(maximum)}`;
  return `Enter ${what}${minimum === -Infinity ? '' : ` from ${count(minimum)}`}${to}${none}.`;
}

/** It must not be sent back. */
function isMasked(value: unknown): boolean {
  return JSON.stringify(value).includes('[redacted:');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** An empty text restores the default. */
function typedValue(text: string, form: Form): unknown {
  const given = text.trim();
  if (form.type === 'array') return given === '' ? null : given.split('\n').map((line) => line.trim());
  if (given === '') return null;
  return isNumber(form) && Number.isFinite(Number(given)) ? Number(given) : given;
}
