import { describe, expect, it } from 'vitest';
import { isPrivatePrompt, stripTags } from '../../../src/capture/text/tags.ts';

const person = (text: string) => stripTags(text, { author: 'person' }).text;
const tool = (text: string) => stripTags(text, { author: 'tool' }).text;

describe('tagged blocks are removed from what a person typed', () => {
  it.each([
    ['open <private>k</private> rest', 'open  rest'],
    ['open <claude-mem-context>c</claude-mem-context> rest', 'open  rest'],
    ['open <annals-context>c</annals-context> rest', 'open  rest'],
    ['<private>k</private> mid <claude-mem-context>c</claude-mem-context> end', 'mid  end'],
    ['a <persisted-output>big</persisted-output> b', 'a  b'],
    ['<private>1</private> mid <private>2</private> end', 'mid  end'],
    ['<annals-context>a</annals-context><annals-context>b</annals-context> text', 'text'],
    [
      `start${' <private>x</private> <annals-context>y</annals-context>'.repeat(5)} end`,
      `start${' '.repeat(11)}end`,
    ],
    ['<private>everything</private>', ''],
    ['<private>x</private>   <claude-mem-context>y</claude-mem-context>', ''],
    ['plain text', 'plain text'],
    ['', ''],
    ['l1\n<private>k</private>\nl2', 'l1\n\nl2'],
    ['l1\n<private>\na\nb\n</private>\nl2', 'l1\n\nl2'],
    ['<system_instruction>i</system_instruction>a<system-instruction>j</system-instruction>', 'a'],
    ['a<system-reminder>x <claude-mem-context>y</claude-mem-context> z</system-reminder>b', 'ab'],
    ['<private reason="x">k</private>', ''],
    ['<PRIVATE>k</Private>', ''],
    ['<private>a<private>b</private>c</private>', ''],
    ['keep <private>never closed', 'keep'],
    ['keep <private>a</private> b <private>c <private>d</private>', 'keep  b'],
    ['keep <system-reminder>never closed', 'keep <system-reminder>never closed'],
    ['a <system-reminder>x <private> y</system-reminder> secret</private> b', 'a  b'],
    ['a <system-reminder>the <private> tag</system-reminder> b', 'a  b'],
    ['<privateer>x</privateer> </private> <private/> b', '<privateer>x</privateer> </private> <private/> b'],
    [`<private>${'x'.repeat(10_000)}</private> keep`, 'keep'],
    [`${'<private>x</private>'.repeat(150)}keep`, 'keep'],
    ['<private>'.repeat(110_000), ''],
    [`a${'<private '.repeat(110_000)}`, 'a'],
    ['a <private x="<">b</private> c', 'a  c'],
    ["a <private x='>'>b</private> c", 'a  c'],
    ['a <private x=/>b</private> c', 'a  c'],
    ['a <private x="1"/> c', 'a <private x="1"/> c'],
    ['a < private>b</ private > c', 'a  c'],
    ['a <\u200bprivate\u200b>b< /private> c', 'a  c'],
    ["a <private it's b</private> c", 'a'],
    ['a <private my word', 'a'],
    ['a <private', 'a'],
    ['a List<privateKey> b', 'a List<privateKey> b'],
    [`a${'<private x="'.repeat(90_000)}`, 'a'],
    [`a<${' '.repeat(1_000_000)}b`, `a<${' '.repeat(1_000_000)}b`],
  ])('%.60j', (text, expected) => {
    expect(person(text)).toBe(expected);
  });
});

describe('in what tools and agents wrote', () => {
  it('only closed pairs are removed, and white space at the ends stays', () => {
    expect(tool('  a <private>k</private> b\n')).toBe('  a  b\n');
    expect(tool('a <private>never closed')).toBe('a <private>never closed');
    expect(tool('<private>a <private>b</private> c')).toBe('<private>a  c');
    expect(tool('<private>'.repeat(110_000))).toBe('<private>'.repeat(110_000));
  });
});

it('a prompt is private when it has only hidden blocks and white space', () => {
  expect(isPrivatePrompt(' <private>x</private>\n')).toBe(true);
  expect(isPrivatePrompt('<private>never closed')).toBe(true);
  expect(isPrivatePrompt('<private>x</private>\u200b\ufeff.')).toBe(true);
  expect(isPrivatePrompt('<system-reminder>a</system-reminder>\n<private>x</private>')).toBe(true);
  expect(isPrivatePrompt('<private a="<">x</private>')).toBe(true);
  expect(isPrivatePrompt('a <private>x</private>')).toBe(false);
  expect(isPrivatePrompt('<private>x</private> 7')).toBe(false);
  expect(isPrivatePrompt('')).toBe(false);
  expect(isPrivatePrompt('  ')).toBe(false);
});
