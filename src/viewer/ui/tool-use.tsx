// A tool use with its input and its result: an edit as a change, a command with its output, anything else as fields.
import { commandLine, type ToolKind, toolKind } from '../../../projections/tools/known-tools.ts';
import { changesOf, patchOf } from '../api/tool-changes.ts';
import { detail, type ShownItem, textDetail } from '../api/types.ts';
import { durationText } from './amounts.ts';
import { Diff, Patch } from './diff.tsx';
import { LongText } from './long-text.tsx';
import { plain, plainLine } from './plain.ts';
import { withoutTags } from './tool-text.ts';

type Json = ShownItem['details'];

/** Their `command` says what they do with a file. */
const OF_FILES: ReadonlySet<ToolKind | null> = new Set(['create', 'edit', 'read']);

interface Props {
  readonly item: ShownItem;
  /** What it did, its outcome and its error are shown above it. */
  readonly isHeaded?: boolean;
}

export function ToolUse({ item, isHeaded = false }: Props) {
  const input = detail(item.details, 'input') ?? null;
  const error = withoutTags(textDetail(item.details, 'error') ?? '');
  const result = withoutTags(item.text);
  const patch = patchOf(input);
  const changes = patch === null ? changesOf(input) : [];
  const isChange = patch !== null || changes.length > 0;
  const kind = toolKind(textDetail(item.details, 'tool') ?? '');
  const command = isChange || OF_FILES.has(kind) ? null : commandLine(input) || null;
  return (
    <div class="tool-use">
      <Outcome details={item.details} isHeaded={isHeaded} />
      {command !== null && <LongText text={`$ ${command}`} label="Command" />}
      {patch !== null && <Patch text={patch} />}
      {changes.map(({ path, before, after }, index) => (
        <figure key={index}>
          <figcaption>{plainLine(path)}</figcaption>
          <Diff before={before} after={after} />
        </figure>
      ))}
      {command === null && !isChange && <Fields input={input} />}
      {error !== '' && error !== result && <LongText text={error} label="Error" />}
      {result !== '' && <LongText text={result} label="Result" />}
    </div>
  );
}

function Outcome({ details, isHeaded }: { readonly details: Json; readonly isHeaded: boolean }) {
  const outcome = textDetail(details, 'outcome');
  const ms = detail(details, 'durationMs');
  if ((outcome === 'ok' || isHeaded) && typeof ms !== 'number') return null;
  return (
    <p class="row-meta">
      {!isHeaded && (
        <span class={outcome === 'failed' ? 'bad' : undefined}>{outcome ?? 'outcome unknown'}</span>
      )}
      {typeof ms === 'number' && <span>{durationText(ms)}</span>}
    </p>
  );
}

function Fields({ input }: { readonly input: Json }) {
  if (typeof input !== 'object' || input === null) return null;
  return (
    <dl class="fields">
      {Object.entries(input).map(([name, value]) => (
        <div key={name}>
          <dt>{plainLine(name)}</dt>
          <dd dir="auto">{plain(typeof value === 'string' ? value : JSON.stringify(value, null, 1))}</dd>
        </div>
      ))}
    </dl>
  );
}
