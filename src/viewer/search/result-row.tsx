import type { SearchAnswer, SearchResult, SearchShares } from '../api/types.ts';
import { counted } from '../ui/amounts.ts';
import { Highlighted } from '../ui/highlighted.tsx';
import { Kind, kindName, Time, ToolOutcome } from '../ui/labels.tsx';
import { Marks } from '../ui/marks.tsx';
import { cut, plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { toolName, toolWhat } from '../ui/tool-text.ts';

interface Props {
  readonly result: SearchResult;
  readonly query: SearchAnswer['query'];
  readonly isSelected: boolean;
  onFocus(): void;
}

export function ResultRow({ result, query, isSelected, onFocus }: Props) {
  const { id, kind, type, outcome, title, snippet, decisions, project, at, session, author, marks } = result;
  const { parts, shares } = result;
  const words = [...query.text.split(/[^\p{L}\p{N}_]+/u), ...query.phrases].filter(Boolean);
  const leadsWithOutcome = kind === 'summary' && words.length === 0;
  const decided = decisions?.map(({ by, text }) => `The ${by}: ${plainLine(text)}`);
  const excerpt = leadsWithOutcome ? `Asked: ${plainLine(title).replace(/^Asked: /, '')}` : excerptOf(result);
  const excerpts = (decided ?? [excerpt]).filter((text) => text !== '');
  return (
    <li class={isSelected ? 'result selected' : 'result'}>
      <a href={href('item', id)} onFocus={onFocus}>
        <span class="row-main">
          <Kind kind={kind} type={type} />
          {leadsWithOutcome ? (
            <span class="row-title result-outcome" dir="auto">
              {plainLine(snippet)}
            </span>
          ) : (
            <span class="row-title strong" dir="auto">
              <Highlighted text={titleOf(result)} words={words} />
            </span>
          )}
          {outcome !== null && <ToolOutcome outcome={outcome} />}
        </span>
        {excerpts.map((text) => (
          <span key={text} class={decided === undefined ? 'snippet' : 'snippet whole'} dir="auto">
            <Highlighted text={text} words={words} />
          </span>
        ))}
      </a>
      <div class="row-meta">
        <Time at={at} />
        <span>{plainLine(project)}</span>
        {session !== null && <a href={href('session', session, { item: id })}>in its session</a>}
        {author === 'agent' && <span>saved by an agent</span>}
        {marks !== undefined && <Marks marks={marks} />}
        {shares != null && <Why result={result} shares={shares} words={words} />}
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

/** Of a tool use without the name of the tool, which is shown too. */
function titleOf({ kind, type, title }: SearchResult): string {
  const what = kind === 'tool' && type !== null ? toolWhat({ name: type, title }) : '';
  return what === '' ? plainLine(title) : what;
}

/** Without the marks of Markdown, and without what the title says already. Of a tool use it is as the tool has it. */
function excerptOf({ kind, title, snippet }: SearchResult): string {
  const text = plainLine(snippet);
  if (kind === 'tool') return text;
  const unmarked = text.replace(/\*\*(?=\S)(.+?)\*\*/g, '$1').replace(/`([^`]+)`/g, '$1');
  const said = plainLine(title).replace(/…$/, '');
  return unmarked.startsWith(said) ? unmarked.slice(said.length).replace(/^[\s.:…]+/, '') : unmarked;
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

/** Length says nothing to a person, and words are said by what is held. */
const REASONS: Readonly<Partial<Record<keyof SearchShares, string>>> = {
  bigrams: 'the words stand side by side',
  meaning: 'similar meaning',
  session: 'its whole session is about it',
  answering: 'it answers such a question',
  answerKind: 'it holds the kind of answer that is asked for',
  nearby: 'what happened around it fits',
  time: 'it is of the time that is asked for',
  named: 'it is of the project or agent that is named',
  questionPenalty: 'it is itself a question, so it comes later',
};

interface WhyProps {
  readonly result: SearchResult;
  readonly shares: SearchShares;
  readonly words: readonly string[];
}

function Why({ result, shares, words }: WhyProps) {
  const given = (Object.keys(SHARE_NAMES) as (keyof SearchShares)[])
    .filter((name) => Math.abs(shares[name]) >= 0.01)
    .sort((a, b) => Math.abs(shares[b]) - Math.abs(shares[a]));
  const reasons = given.flatMap((name) => REASONS[name] ?? []);
  return (
    <details class="why-matched">
      <summary>Why it matched</summary>
      <p>{[...heldText(result, shares, words), ...reasons].join('; ')}.</p>
      <details>
        <summary>Numbers</summary>
        <dl>
          {given.map((name) => (
            <div key={name}>
              <dt>{SHARE_NAMES[name]}</dt>
              <dd class="number">{shares[name].toFixed(2)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </details>
  );
}

/** A longer word is cut. */
const QUOTED_CHARS_MAX = 30;

/** What of it can be seen: other forms of a word match too, and the text is longer than its excerpt. */
function heldText(
  { title, snippet }: SearchResult,
  { termCoverage }: SearchShares,
  words: readonly string[],
): readonly string[] {
  const isIn = (text: string) => (word: string) => text.toLowerCase().includes(word.toLowerCase());
  const quoted = (some: readonly string[]) =>
    some.map((word) => `“${cut(plainLine(word), QUOTED_CHARS_MAX)}”`).join(', ');
  const long = [...new Set(words)].filter((word) => word.length > 2);
  const inTitle = long.filter(isIn(title));
  const inText = long.filter((word) => !inTitle.includes(word) && isIn(snippet)(word));
  if (inTitle.length + inText.length === 0)
    return [termCoverage > 0 ? 'it holds words of the query' : 'it holds no word of the query'];
  return [
    ...(inTitle.length > 0 ? [`${quoted(inTitle)} in the title`] : []),
    ...(inText.length > 0 ? [`${quoted(inText)} in the text`] : []),
  ];
}
