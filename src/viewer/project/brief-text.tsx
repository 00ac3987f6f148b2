// The text that a session is given, as a page shows it: its headings and lists, ids as links, times as elsewhere here.
import type { ComponentChildren } from 'preact';
import { Time } from '../ui/labels.tsx';
import { href } from '../ui/route.ts';

interface Section {
  /** Empty: what comes before the first heading. */
  readonly heading: string;
  readonly lines: readonly Line[];
}

interface Line {
  readonly depth: number;
  readonly isItem: boolean;
  readonly text: string;
}

/** Without the tag around it. */
export function sectionsOf(text: string): readonly Section[] {
  const sections: { heading: string; lines: Line[] }[] = [{ heading: '', lines: [] }];
  for (const line of text.split('\n')) {
    const heading = /^#+ (.*)$/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ heading, lines: [] });
    else if (line.trim() !== '' && !/^<\/?annals-context\b[^>]*>$/.test(line)) {
      const [, indent = '', bullet, rest = ''] = /^( *)(- )?(.*)$/.exec(line) ?? [];
      const depth = Math.floor(indent.length / 2);
      sections.at(-1)!.lines.push({ depth, isItem: bullet !== undefined, text: rest });
    }
  }
  return sections.filter(({ heading, lines }) => heading !== '' || lines.length > 0);
}

export function BriefText({ sections }: { readonly sections: readonly Section[] }) {
  return (
    <div class="brief-text" dir="auto">
      {sections.map(({ heading, lines }) => (
        <section key={heading}>
          {heading !== '' && <h3>{heading}</h3>}
          <Lines lines={lines} depth={0} />
        </section>
      ))}
    </div>
  );
}

/** Items of this depth with what is below each; other lines are paragraphs. */
function Lines({ lines, depth }: { readonly lines: readonly Line[]; readonly depth: number }) {
  const groups: { readonly first: Line; readonly below: Line[] }[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.first.isItem === true && line.depth > depth) last.below.push(line);
    else groups.push({ first: line, below: [] });
  }
  const items = groups.filter(({ first }) => first.isItem);
  return (
    <>
      {groups
        .filter(({ first }) => !first.isItem)
        .map(({ first }) => (
          <p key={first.text}>{linked(first.text)}</p>
        ))}
      {items.length > 0 && (
        <ul>
          {items.map(({ first, below }, index) => (
            <li key={index}>
              {linked(first.text)}
              <Lines lines={below} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** `(o-jfzry8, 2026-07-29 11:24)`: an item or the beginning of a session, and its time on this machine's clock. */
const SOURCE = /\(([a-z]-[0-9a-z]{6,12}|[0-9a-f]{8})(?:, (\d{4}-\d\d-\d\d \d\d:\d\d))?\)/g;

function linked(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const found of text.matchAll(SOURCE)) {
    const [whole, id = '', time] = found;
    parts.push(
      text.slice(end, found.index),
      <a key={found.index} class="brief-source" href={href(id.includes('-') ? 'item' : 'session', id)}>
        {time === undefined ? id : <Time at={time.replace(' ', 'T')} />}
      </a>,
    );
    end = found.index + whole.length;
  }
  return [...parts, text.slice(end)];
}
