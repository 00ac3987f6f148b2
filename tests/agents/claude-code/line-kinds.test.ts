import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ATTACHMENT_KINDS,
  KNOWN_ATTACHMENTS,
  KNOWN_LINES,
  KNOWN_SUBTYPES,
  LINE_KINDS,
  SYSTEM_KINDS,
} from '../../../src/agents/claude-code/line-kinds.ts';
import { ofType, readWhole, Script } from '../../helpers/transcripts.ts';

describe('The table of known kinds', () => {
  it('names each kind once', () => {
    for (const groups of [LINE_KINDS, SYSTEM_KINDS, ATTACHMENT_KINDS]) {
      const names = groups.flatMap((group) => group.names);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('equals the table in docs/transcripts.md, group by group', () => {
    const docs = readFileSync(new URL('../../../docs/transcripts.md', import.meta.url), 'utf8');
    for (const [what, groups] of [
      ['line', LINE_KINDS],
      ['system', SYSTEM_KINDS],
      ['attachment', ATTACHMENT_KINDS],
    ] as const)
      for (const { treatment, why, names } of groups) {
        const listed = names.map((name) => `\`${name}\``).join(' ');
        expect(docs).toContain(`| ${what} | ${treatment} | ${why} | ${listed} |`);
      }
  });

  it('stores nothing of kinds that are skipped or must never be stored', () => {
    const script = new Script();
    script.prompt('go');
    const kept = new Set(['user', 'assistant', 'ai-title', 'custom-title', 'summary']);
    for (const type of KNOWN_LINES)
      if (!kept.has(type))
        script.meta(type, { text: 'HERON', content: { request: 'HERON' }, prompt: 'HERON' });
    for (const subtype of KNOWN_SUBTYPES)
      if (subtype !== 'away_summary')
        script.system(subtype, { content: 'HERON', message: { text: 'HERON' } });
    for (const type of KNOWN_ATTACHMENTS)
      if (type !== 'queued_command') script.attachment({ type, content: ['HERON'], rendered: 'HERON' });
    const { newEvents, state } = readWhole(script.bytes());
    expect(JSON.stringify([newEvents, state])).not.toContain('HERON');
    expect(state.counts).toMatchObject({ unknownLines: {}, unknownSubtypes: {}, unknownAttachments: {} });
  });

  it('counts unknown kinds by name and stores nothing of them', () => {
    const script = new Script();
    script.prompt('go');
    script.meta('brand-new', { text: 'HERON' });
    script.meta('brand-new', { text: 'HERON' });
    script.meta('HERON is no name', { text: 'HERON' });
    script.system('brand_new_subtype', { content: 'HERON' });
    script.attachment({ type: 'brand_new_attachment', content: 'HERON' });
    const { newEvents, state } = readWhole(script.bytes());
    expect(state.counts).toMatchObject({
      unknownLines: { 'brand-new': 2, '(unnamed)': 1 },
      unknownSubtypes: { brand_new_subtype: 1 },
      unknownAttachments: { brand_new_attachment: 1 },
    });
    expect(JSON.stringify([newEvents, state])).not.toContain('HERON');
  });
});

describe('The agent’s own recap', () => {
  function recaps(script: Script) {
    return ofType(readWhole(script.bytes()).newEvents, 'agent.replied')
      .map(({ body }) => body)
      .filter(({ recap }) => recap === true);
  }

  it('is recorded as the agent’s text, separate from its answers', () => {
    const script = new Script();
    script.prompt('go');
    script.reply('done');
    script.system('away_summary', { content: 'We move the cache. Next: the tests. sk-ant-api03-x' });
    expect(recaps(script)).toMatchObject([{ text: expect.stringContaining('Next: the tests.') }]);
    expect(ofType(readWhole(script.bytes()).newEvents, 'agent.replied')).toHaveLength(2);
  });

  it('is not stored after a private turn in the session', () => {
    const script = new Script();
    script.prompt('<private>PSECRET</private>');
    script.system('away_summary', { content: 'We look for PSECRET.' });
    script.prompt('something else');
    script.reply('done');
    script.system('away_summary', { content: 'We looked for PSECRET and did something else.' });
    const { newEvents } = readWhole(script.bytes());
    expect(JSON.stringify(newEvents)).not.toContain('PSECRET');
  });
});
