// A fake Annals for the tests of the command line: returns given answers and records every call. The real library has
// its own tests.

import { AnnalsError, type LogEvent } from '../../log/index.ts';
import type {
  Annals,
  ContextAnswer,
  EmbedReport,
  ExportReport,
  ForgetPlan,
  ForgetProof,
  ImportFromReport,
  ImportReport,
  ListedSession,
  Proposal,
  RestoreReport,
  SearchResult,
  ShownItem,
  Stats,
  Status,
  TimelineRow,
  Verification,
  Why,
} from '../../src/api.ts';
import { conditionsOf, parseQuery } from '../../src/search/index.ts';

export interface FakeAnnals extends Annals {
  /** Every call in order: the method's name and its arguments. */
  readonly calls: (readonly [method: string, ...args: readonly unknown[]])[];
  closed: boolean;
}

export interface FakeAnswers {
  readonly results?: readonly SearchResult[];
  readonly events?: readonly LogEvent[];
  readonly items?: readonly ShownItem[];
  readonly why?: Why;
  readonly context?: ContextAnswer;
  readonly timeline?: readonly TimelineRow[];
  readonly forgetting?: ForgetPlan;
  readonly status?: Partial<Status>;
  readonly stats?: Stats;
  readonly listed?: readonly ListedSession[];
  readonly lowConfidence?: boolean;
  readonly verification?: Verification;
  readonly changed?: boolean;
  readonly import?: Annals['import'];
  readonly embed?: EmbedReport;
  readonly proposals?: readonly Proposal[];
}

const embedReport: EmbedReport = {
  embedder: 'static',
  recipe: null,
  documents: 0,
  withVector: 0,
  embedded: 0,
  texts: 0,
  refused: 0,
  problem: null,
  ms: 1,
};

export const importFromReport: ImportFromReport = {
  from: 'claude-mem',
  files: 1,
  kinds: {
    observation: { read: 19, new: 17, changed: 1, unchanged: 0, forgotten: 1 },
    prompt: { read: 9, new: 8, changed: 0, unchanged: 0, forgotten: 0 },
  },
  appended: 26,
  skipped: { 'it has no text, or only private text': 1 },
  skippedItems: [
    {
      file: '/home/robin/.claude-mem/claude-mem.db',
      what: 'prompt 4',
      reason: 'it has no text, or only private text',
    },
  ],
  unreadable: [],
  ms: 3,
};

export const report: ImportReport = {
  files: 2,
  sessions: 2,
  prompts: 5,
  commands: 0,
  toolUses: 23,
  appended: 61,
  duplicates: 0,
  forgotten: 0,
  parked: 0,
  parkedLines: [],
  unknown: { lines: {}, subtypes: {}, attachments: {} },
  notPrompts: {},
  unreadable: [],
  ms: 120,
};

export const exported: ExportReport = {
  folder: '/home/robin/backup',
  logId: 'ab'.repeat(16),
  after: 0,
  head: 61,
  events: 61,
  written: 61,
  blanked: 0,
  segments: 1,
  bytes: 48_213,
  chain: 'cd'.repeat(32),
  ms: 12,
};

export const restored: RestoreReport = {
  home: '/home/robin/.annals',
  logId: 'ab'.repeat(16),
  events: 61,
  blanked: 0,
  chain: 'cd'.repeat(32),
  views: [{ name: 'turns', events: 61, ms: 9, digest: 'ab'.repeat(32) }],
  ms: 40,
};

export const result: SearchResult = {
  id: 'p-k3j5h2l6a7bc',
  kind: 'prompt',
  type: null,
  outcome: null,
  title: 'The evening feeding test fails about one run in ten',
  project: 'birdfeeder',
  session: '6f1d2c1e',
  at: '2026-11-16T18:02:51.000Z',
  score: 12.5,
  snippet: 'The evening feeding test in test/schedule.test.ts fails about one run in ten',
  tokens: 38,
  turn: null,
  parts: [],
  nearDuplicates: [],
};

export function toolEvent(position: number, command = 'npm test'): LogEvent {
  return {
    position,
    recordedAt: 1_795_000_000_000,
    type: 'tool.used',
    id: position.toString(16).padStart(32, '0'),
    version: 1,
    agent: 'claude-code',
    session: '6f1d2c1e',
    dedupeKey: `toolu_${position}`,
    channel: 'transcript',
    origin: 'here',
    originSeq: position,
    occurredAt: 1_794_938_571_000,
    causation: null,
    body: { toolUseId: `toolu_${position}`, name: 'Bash', input: { command }, outcome: 'failed' },
  } as unknown as LogEvent;
}

export const FORGET_PLAN: ForgetPlan = {
  by: 'ids',
  events: 2,
  bytes: 812,
  sessions: 1,
  kinds: [{ kind: 'prompt', count: 1, bytes: 812 }],
  items: 1,
  things: [
    {
      id: 'p-k3j5h2l6a7bc',
      kind: 'prompt',
      title: 'The doormat',
      project: 'porch',
      session: '6f1d2c1e',
      at: '2026-11-16T18:02:51.000Z',
      matched: null,
    },
  ],
  same: { included: true, events: 1, sessions: 1 },
  copies: {
    included: false,
    events: 1,
    kinds: [{ kind: 'answer', count: 1, bytes: 300 }],
    items: 1,
    things: [
      {
        id: 'a-aaaaaaaaaaaa',
        kind: 'answer',
        title: 'Under the doormat, then',
        project: 'porch',
        session: '6f1d2c1e',
        at: null,
        matched: { before: '', text: 'Under the doormat', after: ', then' },
      },
    ],
  },
  derived: 2,
  spoolFiles: 0,
  team: false,
};

const PROOF: ForgetProof = {
  ok: true,
  needles: ['under the doormat'],
  files: 31,
  bytes: 4_200_000,
  found: [],
  unreadable: 0,
  control: { text: 'ab'.repeat(16), found: true },
};

export function fakeAnnals(answers: FakeAnswers = {}): FakeAnnals {
  const calls: FakeAnnals['calls'] = [];
  const views = [{ name: 'turns', events: 61, ms: 9, digest: 'ab'.repeat(32) }];
  const fake: FakeAnnals = {
    calls,
    closed: false,
    home: '/home/robin/.annals',
    append: async () => [],
    save: (async (memory: unknown) => {
      calls.push(['save', memory]);
      return { id: 'm-abcdefghijkl' };
    }) as Annals['save'],
    async import(paths, options) {
      calls.push(['import', paths]);
      const imported = answers.import ? await answers.import(paths, options) : report;
      await options?.onSearchable?.(imported);
      return imported;
    },
    async importFrom(from, paths, options) {
      calls.push(['importFrom', from, paths, options]);
      return importFromReport;
    },
    async drain() {
      calls.push(['drain']);
      return {
        ...{
          appended: 0,
          duplicates: 0,
          ignored: {},
          private: 0,
          waiting: 0,
          unfinished: 0,
          bad: 0,
          foreign: 0,
        },
        ...{ problems: [], cwds: [] },
      };
    },
    onChange: () => () => {},
    async project(cwd) {
      calls.push(['project', cwd]);
      return { name: 'birdfeeder', key: 'root:/home/robin/birdfeeder' };
    },
    async recall(options) {
      calls.push(['recall', options]);
      return { text: '', tokens: 0, project: 'birdfeeder', items: [] };
    },
    observe: () => Promise.reject(new Error('not scripted')),
    observerRecipes: () => Promise.reject(new Error('not scripted')),
    compareReadings: () => Promise.reject(new Error('not scripted')),
    chooseRecipe: () => Promise.reject(new Error('not scripted')),
    buildCorpus: () => Promise.reject(new Error('not scripted')),
    corpora: () => Promise.reject(new Error('not scripted')),
    corpus: () => Promise.reject(new Error('not scripted')),
    deleteCorpus: () => Promise.reject(new Error('not scripted')),
    askCorpus: () => Promise.reject(new Error('not scripted')),
    observerCost: () => Promise.reject(new Error('not scripted')),
    shareJoin: () => Promise.reject(new Error('not scripted')),
    shareAccept: () => Promise.reject(new Error('not scripted')),
    shareInvite: () => Promise.reject(new Error('not scripted')),
    shareCredential: () => Promise.reject(new Error('not scripted')),
    shareMembers: () => Promise.reject(new Error('not scripted')),
    shareRemove: () => Promise.reject(new Error('not scripted')),
    shareRotate: () => Promise.reject(new Error('not scripted')),
    shareRecover: () => Promise.reject(new Error('not scripted')),
    shareLeave: () => Promise.reject(new Error('not scripted')),
    shareProject: () => Promise.reject(new Error('not scripted')),
    sharePreview: () => Promise.reject(new Error('not scripted')),
    shareSync: () => Promise.reject(new Error('not scripted')),
    shareStatus: () => Promise.reject(new Error('not scripted')),
    shareDigests: () => Promise.reject(new Error('not scripted')),
    shareForgettings: async () => [],
    async embed(options) {
      calls.push(['embed', options?.again]);
      return answers.embed ?? embedReport;
    },
    async export(folder, options) {
      calls.push(['export', folder, options?.since]);
      return exported;
    },
    async search(query, options) {
      calls.push(['search', query, options]);
      const { text, phrases, without, conditions } = parseQuery(query);
      return {
        results: answers.results ?? [],
        query: {
          text,
          phrases,
          without,
          conditions: [...conditions, ...conditionsOf(options ?? {})],
          times: [],
        },
        lowConfidence: answers.lowConfidence ?? false,
        degraded: [],
        ms: 3,
      };
    },
    async context(options) {
      calls.push(['context', options]);
      return (
        answers.context ?? {
          ...{ text: '', tokens: 0, project: 'birdfeeder', items: [] },
          ...{ degraded: [], pausedBecause: null },
        }
      );
    },
    async receipts(options) {
      calls.push(['receipts', options]);
      return { projects: [], degraded: [] };
    },
    async recordInjection(injection) {
      calls.push(['recordInjection', injection]);
    },
    async report(report) {
      calls.push(['report', report]);
      return { outcome: 'recorded', prompt: null };
    },
    async list(kind, options) {
      calls.push(['list', kind, options]);
      return { items: (answers.listed ?? []) as never, next: null };
    },
    async stats() {
      if (answers.stats === undefined) throw new Error('not needed here');
      return answers.stats;
    },
    async growth() {
      throw new Error('not needed here');
    },
    async timeline(options) {
      calls.push(['timeline', options]);
      return { rows: answers.timeline ?? [], degraded: [] };
    },
    async get(id, options) {
      calls.push(options === undefined ? ['get', id] : ['get', id, options]);
      const item = answers.items?.find((known) => known.id === id);
      if (item === undefined) throw new AnnalsError('NOT_FOUND', `Nothing has the id ${id}.`);
      return item;
    },
    async why(id) {
      calls.push(['why', id]);
      return answers.why ?? { id, title: 'npm test', kind: 'tool', steps: [], events: [] };
    },
    async *log(options) {
      calls.push(['log', options]);
      const events = answers.events ?? [];
      yield* options?.last === undefined ? events : events.slice(-options.last);
    },
    async replay(options) {
      calls.push(['replay', options?.from]);
      return { views: views.map((view) => ({ ...view, changed: answers.changed === true })) };
    },
    async rebuild(names) {
      calls.push(['rebuild', names]);
      return { views };
    },
    async forget(selection, options) {
      calls.push(['forget', selection, options?.withCopies, options?.dryRun]);
      const plan = answers.forgetting ?? FORGET_PLAN;
      const done = { id: null, at: null, plan, proof: null, ms: 12 };
      if (options?.dryRun === true) return { ...done, outcome: 'shown' };
      if (options?.confirm !== undefined && !(await options.confirm(plan)))
        return { ...done, outcome: 'declined' };
      return {
        ...done,
        outcome: 'forgotten',
        id: 'f'.repeat(32),
        at: '2026-11-18T12:00:00.000Z',
        proof: PROOF,
      };
    },
    async act(input) {
      calls.push(['act', input]);
      const proposal = input.author === 'agent' ? 'ab'.repeat(16) : null;
      const outcome = proposal === null ? 'done' : 'proposed';
      return { outcome, id: input.id ?? 'm-abcdefghijkl', title: 'Feeding times are UTC', proposal };
    },
    async notes(options) {
      calls.push(['notes', options]);
      return [{ id: 'm-abcdefghijkl', text: 'Never rebase main', at: '2026-11-18T12:00:00.000Z' }];
    },
    async proposals() {
      calls.push(['proposals']);
      return answers.proposals ?? [];
    },
    async decide(id, decision) {
      const { confirmed, confirm } = decision;
      calls.push(['decide', id, { confirmed }]);
      const proposal = answers.proposals!.find((one) => one.id === id)!;
      if (!confirmed || proposal.selection === null)
        return { outcome: confirmed ? 'confirmed' : 'refused', proposal, forgetting: null };
      const plan = answers.forgetting ?? FORGET_PLAN;
      const outcome = (await confirm!(plan)) ? 'forgotten' : 'declined';
      const forgetting = { outcome, id: null, at: null, plan, proof: PROOF, ms: 12 } as const;
      return { outcome: outcome === 'declined' ? outcome : 'confirmed', proposal, forgetting };
    },
    async compact() {
      calls.push(['compact']);
      return { bytesBefore: 4_000_000, bytesAfter: 1_000_000, ms: 900 };
    },
    async verify(options) {
      calls.push(['verify', options?.rebuilt]);
      return answers.verification ?? { ok: true, events: 61, problems: [] };
    },
    async status() {
      return {
        home: '/home/robin/.annals',
        log: { events: 61, head: 61, bytes: 48_213 },
        size: {
          bytes: 190_400,
          log: 48_213,
          views: [{ name: 'turns', bytes: 140_000 }],
          spool: 0,
          perDay: { last30Days: 6_200, overall: 4_100 },
          reclaimable: 52_000,
        },
        views: [{ name: 'turns', version: 1, position: 61, lag: 0 }],
        spool: { new: 0, bad: 0, taken: { recorded: 0, private: 0, ignored: {}, bad: 0 } },
        hooks: [
          {
            agent: 'claude-code',
            present: true,
            installed: false,
            elsewhere: false,
            current: false,
            byPlugin: false,
            mcp: 'missing',
          },
        ],
        worker: null,
        observer: {
          ...{ auto: 'off', provider: null, model: null, place: null, why: 'There is no key.' },
          ...{ waiting: 0, away: 0, lastAnswer: null, lastDay: { usd: 0, tokens: 0, calls: 0 } },
          ...{ budget: { usdPerDay: 0.25, left: 0.25 }, hold: null },
        },
        projects: [{ name: 'birdfeeder', sessions: 2, observations: 34, memories: 0 }],
        degraded: [],
        ...answers.status,
      };
    },
    async close() {
      fake.closed = true;
    },
  };
  return fake;
}
