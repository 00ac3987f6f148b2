import type { SearchAnswer, SearchResult, SearchShares } from '../api/types.ts';
import { counted } from '../ui/amounts.ts';
import { Highlighted } from '../ui/highlighted.tsx';
import { Kind, kindName, Time } from '../ui/labels.tsx';
import { Marks } from '../ui/marks.tsx';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { toolName } from '../ui/tool-text.ts';

interface Props {
  readonly result: SearchResult;
  readonly query: SearchAnswer['query'];
  readonly isSelected: boolean;
  onFocus(): void;
}

export function ResultRow({ result, query, isSelected, onFocus }: Props) {
  const { id, kind, type, title, snippet, project, at, session, author, marks, parts, shares } = result;
  const words = [...query.text.split(/[^\p{L}\p{N}_]+/u), ...query.phrases].filter(Boolean);
  return (
    <li class={isSelected ? 'result selected' : 'result'}>
      <a href={href('item', id)} onFocus={onFocus}>
        <span class="row-main">
          <Kind kind={kind} type={type} />
          <span class="row-title strong" dir="auto">
            <Highlighted text={plainLine(title)} words={words} />
          </span>
        </span>
        <span class="snippet" dir="auto">
          <Highlighted text={plainLine(snippet)} words={words} />
        </span>
      </a>
      <div class="row-meta">
        <Time at={at} />
        <span>{plainLine(project)}</span>
        {session !== null && <a href={href('session', session, { item: id })}>in its session</a>}
        {author === 'agent' && <span>saved by an agent</span>}
        {marks !== undefined && <Marks marks={marks} />}
        {shares != null && <Why shares={shares} />}
        {parts.length > 0 && (
          <details class="parts">
            <summary>{counted(parts.length, 'other part')} of its turn</summary>
            <ul>
              {parts.map((part) => (
                <li key={part.id}>
                  <a href={href('item', part.id)}>
                    {part.kind === 'tool' ? toolName(part.type ?? 'Tool use') : kindName(part.kind)}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}

const SHARE_NAMES: Readonly<Record<keyof SearchShares, string>> = {
  words: 'Words',
  termCoverage: 'How many of the words',
  bigrams: 'Words next to each other',
  meaning: 'Meaning',
  session: 'The whole session',
  answering: 'Answers such a question',
  answerKind: 'Kind of answer',
  nearby: 'What is near it',
  time: 'Time',
  named: 'Named project or agent',
  length: 'Length',
  questionPenalty: 'Is itself a question',
};

function Why({ shares }: { readonly shares: SearchShares }) {
  const given = (Object.keys(SHARE_NAMES) as (keyof SearchShares)[])
    .map((name) => ({ name: SHARE_NAMES[name], share: shares[name] }))
    .filter(({ share }) => Math.abs(share) >= 0.01)
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
  const largest = Math.abs(given[0]?.share ?? 1);
  return (
    <details class="why-matched">
      <summary>Why it matched</summary>
      <dl>
        {given.map(({ name, share }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <meter min={0} max={largest} value={Math.abs(share)} aria-label={name} />
              <span class="number">{share.toFixed(2)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
