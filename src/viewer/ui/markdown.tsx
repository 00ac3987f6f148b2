// Markdown as elements. The text is parsed into tokens and never becomes HTML: markup in it is shown as it was written,
// images are not loaded, and only links to web pages can be followed.
import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { plain } from './plain.ts';

/** Longer texts are shown as they are: parsing one would stop the page. */
const CHARS_MAX = 60_000;
/** Deeper lists and quotes are shown as text. */
const DEPTH_MAX = 12;

export function Markdown({ text }: { readonly text: string }) {
  const shown = plain(text);
  if (shown.length > CHARS_MAX) return <pre class="text">{shown}</pre>;
  return <div class="markdown">{blocks(tokensOf(shown), 0)}</div>;
}

function tokensOf(text: string): readonly Token[] {
  try {
    return lexer(text, { gfm: true });
  } catch {
    return [{ type: 'text', raw: text, text } as Token];
  }
}

function blocks(tokens: readonly Token[], depth: number): ComponentChildren {
  return tokens.map((token, index) => <Block key={`${index} ${token.type}`} token={token} depth={depth} />);
}

function Block({ token, depth }: { readonly token: Token; readonly depth: number }) {
  if (depth > DEPTH_MAX) return <p>{token.raw}</p>;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr />;
    case 'heading':
      // The page's own headings come first.
      return <p class={`heading level-${(token as Tokens.Heading).depth}`}>{inline(token.tokens, depth)}</p>;
    case 'paragraph':
      return <p>{inline(token.tokens, depth)}</p>;
    case 'code':
      return (
        <pre>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [], depth + 1)}</blockquote>;
    case 'list':
      return <List token={token as Tokens.List} depth={depth + 1} />;
    case 'table':
      return <Table token={token as Tokens.Table} depth={depth + 1} />;
    case 'text':
      return <>{token.tokens === undefined ? token.raw : inline(token.tokens, depth)}</>;
    default:
      return <p class="raw">{token.raw}</p>;
  }
}

function List({ token, depth }: { readonly token: Tokens.List; readonly depth: number }) {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task && <input type="checkbox" checked={item.checked === true} disabled aria-label="Task" />}
      {blocks(item.tokens, depth)}
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token, depth }: { readonly token: Tokens.Table; readonly depth: number }) {
  const row = (cells: readonly Tokens.TableCell[], Cell: 'th' | 'td') =>
    cells.map((cell, index) => <Cell key={index}>{inline(cell.tokens, depth)}</Cell>);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard.
    <section class="wide" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>{row(token.header, 'th')}</tr>
        </thead>
        <tbody>
          {token.rows.map((cells, index) => (
            <tr key={index}>{row(cells, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function inline(tokens: readonly Token[] | undefined, depth: number): ComponentChildren {
  return (tokens ?? []).map((token, index) => (
    <Inline key={`${index} ${token.type}`} token={token} depth={depth + 1} />
  ));
}

function Inline({ token, depth }: { readonly token: Token; readonly depth: number }) {
  if (depth > DEPTH_MAX) return <>{token.raw}</>;
  switch (token.type) {
    case 'text':
      return <>{token.tokens === undefined ? unescaped(token.text) : inline(token.tokens, depth)}</>;
    case 'escape':
      return <>{token.text}</>;
    case 'strong':
      return <strong>{inline(token.tokens, depth)}</strong>;
    case 'em':
      return <em>{inline(token.tokens, depth)}</em>;
    case 'del':
      return <del>{inline(token.tokens, depth)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link token={token as Tokens.Link} depth={depth} />;
    case 'image':
      return <span class="image">[image: {(token as Tokens.Image).text || 'no text'}]</span>;
    default:
      return <>{token.raw}</>;
  }
}

function Link({ token, depth }: { readonly token: Tokens.Link; readonly depth: number }) {
  const content = inline(token.tokens, depth);
  if (!/^https?:\/\//i.test(token.href)) return <>{content}</>;
  return (
    <a href={token.href} target="_blank" rel="noreferrer noopener" title={token.href}>
      {content}
    </a>
  );
}

/** The entities that a text in Markdown may hold. */
function unescaped(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}
