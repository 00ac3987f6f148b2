// Turns lines into records as a description says.
import type { Json } from '../../../log/index.ts';
import { withoutBlocks } from '../common/context-blocks.ts';
import type { JsonObject } from '../common/json-fields.ts';
import type {
  LineLocation,
  RecordFields,
  SessionRecord,
  TranscriptFormat,
  TranscriptRecord,
} from '../common/records.ts';
import type { Description, Field, Rule } from './description.ts';
import { type Scope, valuesAt } from './field-path.ts';
import {
  firstAt,
  fulfils,
  idAt,
  inputAt,
  pathOf,
  scopeOf,
  textsAt,
  timeAt,
  usageAt,
} from './field-values.ts';

/** The session of the lines before. */
type Memory = { readonly session: string | null };

/** What a rule made of a line, or of an item of one. */
export interface RuleMatch {
  /** Index of the rule. */
  readonly rule: number;
  readonly record: TranscriptRecord | null;
  /** The field without which there is no record. */
  readonly missing: string | null;
}

/** A line, or an entry of a document. */
export interface LineMatches {
  /** Set when the line names another session than the one before. */
  readonly session: TranscriptRecord | null;
  readonly matches: readonly RuleMatch[];
  readonly kind: Json | undefined;
}

export interface DeclaredFormat extends TranscriptFormat<Memory> {
  /** Says which rule made which record: for `annals agent check`. */
  matchesOf(line: JsonObject, memory: Memory, location: LineLocation): readonly LineMatches[];
}

/** Our own context is in no prompt. */
const INJECTED = ['annals-context'];

/** @param version another one for each description: a changed one reads the files again */
export function declaredFormat(description: Description, version: number): DeclaredFormat {
  const { form, entries } = description;
  const entriesPath = entries === undefined ? null : pathOf(entries);
  const matchesOf: DeclaredFormat['matchesOf'] = (document, memory, { offset }) => {
    const parts = entriesPath === null ? [document] : valuesAt(entriesPath, scopeOf(document));
    let { session } = memory;
    return parts.map((line, index) => {
      const at = entriesPath === null ? [offset] : [offset, index];
      const read = new DescribedLine(description, { line, item: line, document }, at, session).read();
      for (const record of recordsOf(read)) if (record.kind === 'session') session = record.session;
      return read;
    });
  };
  return {
    version,
    form,
    memory: { session: null },
    matchesOf,
    records(line, memory, location) {
      const read = matchesOf(line, memory, location);
      const records = read.flatMap((one) => [...recordsOf(one), ...unread(one, form)]);
      const session = records.findLast((one): one is SessionRecord => one.kind === 'session');
      return { records, memory: session === undefined ? memory : { session: session.session } };
    },
  };
}

function recordsOf({ session, matches }: LineMatches): readonly TranscriptRecord[] {
  return [session, ...matches.map(({ record }) => record)].filter((record) => record !== null);
}

/** A line that no rule is for, or that lacks what its rule needs. A document is not unknown because of one entry. */
function unread({ matches, kind }: LineMatches, form: Description['form']): readonly TranscriptRecord[] {
  if (matches.length > 0 && matches.every(({ missing }) => missing === null)) return [];
  return form === 'document'
    ? [{ kind: 'ignored', at: null, reason: 'entry that no rule reads' }]
    : [{ kind: 'unknown', at: null, name: kind }];
}

/** One line while it is being read. */
class DescribedLine {
  readonly #description: Description;
  readonly #scope: Scope;
  readonly #at: readonly number[];
  readonly #sessionBefore: string | null;
  /** Ids of the prompts and replies of this line. */
  readonly #ids = new Set<string>();
  #hasUsage = false;

  constructor(description: Description, scope: Scope, at: readonly number[], sessionBefore: string | null) {
    this.#description = description;
    this.#scope = scope;
    this.#at = at;
    this.#sessionBefore = sessionBefore;
  }

  read(): LineMatches {
    const { rules, every, kind = 'type' } = this.#description;
    const matches: RuleMatch[] = [];
    for (const [index, rule] of rules.entries()) {
      const made = this.#apply(rule);
      matches.push(...made.map((one) => ({ rule: index, ...one })));
      if (rule.record === 'none' && made.length > 0) break;
    }
    const session = idAt(every.session, this.#scope);
    const isNew = matches.length > 0 && session !== null && session !== this.#sessionBefore;
    return {
      session: isNew ? { kind: 'session', ...this.#fields({}, this.#scope), session } : null,
      matches,
      kind: firstAt(kind, this.#scope),
    };
  }

  #apply(rule: Rule): readonly Omit<RuleMatch, 'rule'>[] {
    const each = 'each' in rule ? rule.each : undefined;
    const items = each === undefined ? [this.#scope.line] : valuesAt(pathOf(each), this.#scope);
    return items.flatMap((item, index) => {
      const scope = { ...this.#scope, item };
      if (!fulfils(rule.when, scope)) return [];
      const position = each === undefined ? this.#at : [...this.#at, index];
      const record = this.#record(rule, scope, `@${position.map((part) => part.toString(36)).join('.')}`);
      return [typeof record === 'string' ? { record: null, missing: record } : { record, missing: null }];
    });
  }

  /** Null for a line with nothing to keep; a text is the name of the field that it lacks. */
  #record(rule: Rule, scope: Scope, position: string): TranscriptRecord | null | string {
    if (rule.record === 'none')
      return rule.reason === undefined ? null : { kind: 'ignored', at: null, reason: rule.reason };
    const fields = this.#fields(rule, scope);
    const model = 'model' in rule ? idAt(rule.model, scope) : null;
    if (rule.record === 'session') {
      const session = idAt(rule.id, scope);
      if (session === null) return 'id';
      const version = idAt(rule.version, scope);
      const branch = idAt(rule.branch, scope);
      return { kind: 'session', ...fields, session, model, branch, agentVersion: version };
    }
    const own = idAt(rule.id, scope);
    const id = own ?? position;
    switch (rule.record) {
      case 'prompt': {
        const texts = textsAt(rule.text, scope);
        const tags = [...INJECTED, ...this.#description.injected];
        const text = texts.map((one) => withoutBlocks(one, tags)).filter(hasWords);
        if (text.length > 0)
          return { kind: 'prompt', ...fields, id: this.#unused(id), uuid: own, text: text.join('\n') };
        return { kind: 'ignored', at: null, reason: texts.some(hasWords) ? 'injected context' : 'no text' };
      }
      case 'reply': {
        const texts = textsAt(rule.text, scope).filter(hasWords);
        const usage = this.#hasUsage ? null : usageAt(rule.usage, scope);
        if (texts.length === 0 && usage === null) return null;
        this.#hasUsage ||= usage !== null;
        const text = texts.length === 0 ? null : texts.join('\n');
        return { kind: 'reply', ...fields, id: this.#unused(id), uuid: own, text, model, usage };
      }
      case 'call': {
        const name = idAt(rule.name, scope);
        if (name === null) return 'name';
        return { kind: 'call', ...fields, id, name, input: inputAt(rule.input, scope), model };
      }
      case 'result': {
        const texts = textsAt(rule.text, scope);
        const text = texts.length === 0 ? null : texts.join('\n');
        return { kind: 'result', ...fields, id, outcome: outcomeOf(rule, scope), text };
      }
    }
  }

  #fields(
    rule: { readonly [name in 'at' | 'cwd' | 'turn']?: Field | undefined },
    scope: Scope,
  ): RecordFields {
    const { every } = this.#description;
    const at = firstAt(rule.at, scope) ?? firstAt(every.at, scope);
    const cwd = firstAt(rule.cwd, scope) ?? firstAt(every.cwd, scope);
    const turn = idAt(rule.turn, scope) ?? idAt(every.turn, scope);
    return { at: timeAt(at), cwd: typeof cwd === 'string' && cwd !== '' ? cwd : null, turn };
  }

  /** A line may hold several prompts or replies, and one id. */
  #unused(id: string): string {
    let free = id;
    for (let count = 2; this.#ids.has(free); count++) free = `${id}:${count}`;
    this.#ids.add(free);
    return free;
  }
}

function outcomeOf(
  { failed, cancelled }: Extract<Rule, { record: 'result' }>,
  scope: Scope,
): 'ok' | 'failed' | 'cancelled' {
  if (cancelled !== undefined && fulfils(cancelled, scope)) return 'cancelled';
  return failed !== undefined && fulfils(failed, scope) ? 'failed' : 'ok';
}

function hasWords(text: string): boolean {
  return text.trim() !== '';
}
