// The library on an open home: each call, wired to the part that does it. Every reading call first brings the views up to
// the log, so a caller finds everything that was acknowledged.
import { AnnalsError, isAnnalsError } from '../log/index.ts';
import { resolveProject } from '../projections/index.ts';
import type {
  Annals,
  AsOfOptions,
  AsOfReport,
  DrainReport,
  OpenOptions,
  SaveInput,
  SoFarOptions,
} from './api.ts';
import type { ReadyFiles } from './brief/ready-files.ts';
import type { Home } from './home/home.ts';
import { isPartial, mayReadNow, partialSentences } from './home/home-state.ts';
import { refuseIfPaused } from './home/refuse-if-paused.ts';
import { replay } from './home/replay-views.ts';
import { verifyAll } from './home/verify-home.ts';
import { drainOpenHome } from './import/drain-home.ts';
import type { ObserverReactor } from './observer/auto/observer-reactor.ts';
import { openParts } from './open-parts.ts';
import { exists } from './platform/disk-files.ts';
import { givenPath } from './platform/path-inside.ts';
import { randomBytes } from './platform/random-bytes.ts';
import { startHomeThread } from './platform/threads.ts';
import type { PastViews } from './read/past-views.ts';
import { readEvents } from './read/read-log.ts';
import type { SessionReports } from './save/record-report.ts';
import { searchMemory } from './search/search-home.ts';
import type { Sharing } from './share/sharing.ts';

/**
 * Opens a home, or creates it. Only one process at a time can have it open.
 * @throws AnnalsError HOME_INVALID, HOME_UNWRITABLE, HOME_LOCKED, RESTORE_UNFINISHED, LOG_DAMAGED, LOG_TOO_NEW, DISK_FULL
 */
export async function openAnnals(options: OpenOptions = {}): Promise<Annals> {
  if (options.thread === true) {
    const thread = startHomeThread();
    if (thread !== null) return (await import('./thread/open-in-thread.ts')).openInThread(options, thread);
  }
  return annalsOf(await openParts(options), options);
}

/** The library on an open home. @throws what its parts throw when they are opened; then the home is closed */
export async function annalsOf(
  home: Home,
  options: Pick<OpenOptions, 'readyFiles' | 'observer' | 'share'>,
): Promise<Annals> {
  const { paths, log } = home;
  const { runner, views, embedding, imports } = home;
  const sources = { log, ...views };
  const loading = new Set<Promise<unknown>>();
  /** Loads a module at its first use: startup is most of the time a short command takes. */
  const part = <T>(load: Promise<T>): Promise<T> => {
    loading.add(load);
    const done = () => loading.delete(load);
    load.then(done, done);
    return load;
  };
  /** Reads wait for this caller's own writes, even if a write failed part-way. */
  const acknowledged = async <T>(pending: Promise<T>): Promise<T> => {
    try {
      return await pending;
    } finally {
      imports.noteAppended(log.head().position);
      // It waits for rows, also of events that nobody asks about.
      if (reactor !== null) runner.catchUp().catch(() => undefined);
    }
  };
  /** For answers from what the views hold so far. A failure shows at the next call. */
  const startCatchUp = () => void runner.catchUp().catch(() => undefined);
  let readyFiles: ReadyFiles | null = null;
  let reactor: ObserverReactor | null = null;
  let opened: Promise<Sharing> | null = null;
  const sharing = (): Promise<Sharing> => {
    opened ??= part(import('./share/sharing.ts'))
      .then(({ openSharing }) => openSharing(home, { live: options.share === true }))
      .catch((error: unknown) => {
        // The next call tries again.
        opened = null;
        throw error;
      });
    return opened;
  };
  const closing = new AbortController();
  let pastViews: PastViews | null = null;
  const close = async (): Promise<void> => {
    closing.abort(new AnnalsError('LOG_CLOSED', 'The home was closed before the call was done.'));
    try {
      await reactor?.close();
      await (await opened?.catch(() => null))?.exchange.close();
      // Wait for modules still loading, so that calls made before `close` have begun: their appends are then queued in the log.
      await Promise.allSettled(loading);
      await readyFiles?.close();
      await pastViews?.close();
      await embedding.close();
      await runner.close();
    } finally {
      await log.close();
    }
  };
  try {
    if (options.readyFiles === true)
      readyFiles = new (await import('./brief/ready-files.ts')).ReadyFiles(home);
    if (options.observer === true)
      reactor = await (await import('./observer/auto/start-reactor.ts')).startReactor(home);
    // Most homes share nothing, and load nothing for it.
    if (options.share === true && (await exists(paths.share))) await sharing();
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
  let reports: SessionReports | null = null;
  let drainLast: Promise<unknown> = Promise.resolve();
  let drainNext: Promise<DrainReport> | null = null;
  /** Runs a query on the current views, brought up to the log, or on the views of an earlier time. */
  const reading = async <T extends object>(
    { asOf, onProgress, signal, soFar = false }: AsOfOptions & SoFarOptions,
    ask: (at: Home) => Promise<T>,
    mayBeBehind = false,
  ): Promise<T & { asOf?: AsOfReport }> => {
    if (asOf === undefined) {
      if (soFar && isPartial(home.state())) startCatchUp();
      else if (!mayBeBehind || !mayReadNow(home.state())) await runner.catchUp();
      await embedding.refresh(views.memory);
      signal?.throwIfAborted();
      return ask(home);
    }
    const { PastViews, notThen } = await part(import('./read/past-views.ts'));
    pastViews ??= new PastViews(home);
    return pastViews.ask({ asOf, onProgress, signal }, async (then) => {
      const answer = await ask(then.home).catch((error: unknown) =>
        notThen(error, then.report, () => reading({ signal }, ask)),
      );
      return { ...answer, asOf: then.report };
    });
  };

  return {
    home: paths.home,
    async append(newEvents, appendOptions) {
      refuseIfPaused(home);
      const { cleanEvents } = await part(import('./save/clean-events.ts'));
      return acknowledged(log.append(cleanEvents(newEvents), appendOptions));
    },
    save: (async (memories: SaveInput | readonly SaveInput[]) => {
      refuseIfPaused(home);
      const { saveMemory } = await part(import('./save/save-memory.ts'));
      return acknowledged(saveMemory(memories, home, randomBytes));
    }) as Annals['save'],
    async report(report) {
      refuseIfPaused(home);
      const { SessionReports } = await part(import('./save/record-report.ts'));
      reports ??= new SessionReports(home, randomBytes);
      return acknowledged(reports.record(report));
    },
    async recordInjection(injection) {
      refuseIfPaused(home);
      const { recordInjection } = await part(import('./save/record-injection.ts'));
      return acknowledged(recordInjection(injection, home, randomBytes));
    },
    async import(files, importOptions) {
      refuseIfPaused(home);
      const { importIntoHome } = await part(import('./import/import-paths.ts'));
      return importIntoHome(
        files.map((file) => givenPath(file)),
        importOptions ?? {},
        home,
      );
    },
    async importFrom(from, files, importOptions) {
      refuseIfPaused(home);
      const { importMemories } = await part(import('./import/from/import-memories.ts'));
      const paths = files.map((file) => givenPath(file));
      return acknowledged(importMemories(from, paths, importOptions ?? {}, home));
    },
    drain() {
      // Calls that come before a drain begins share it.
      drainNext ??= drainLast.then(() => {
        drainNext = null;
        return acknowledged(drainOpenHome(home));
      });
      drainLast = drainNext.catch(() => undefined);
      return drainNext;
    },
    async export(folder, exportOptions) {
      const { exportLog } = await part(import('./transfer/export-log.ts'));
      return exportLog(folder, exportOptions ?? {}, home);
    },
    async search(query, { asOf, onProgress, ...searchOptions } = {}) {
      const { signal } = searchOptions;
      return reading({ asOf, onProgress, signal }, (at) => searchMemory(query, searchOptions, at), true);
    },
    async get(id, getOptions = {}) {
      const { resolveId } = await part(import('./read/resolve-id.ts'));
      const { showItem } = await part(import('./read/show-item.ts'));
      const ask = (options: AsOfOptions & SoFarOptions) =>
        reading(options, async ({ log, views }) => {
          const sources = { log, ...views };
          const projectName = async (workdir: string) => (await resolveProject(workdir, views.projects)).name;
          return showItem(await resolveId(id, sources), sources, projectName);
        });
      const { soFar, ...others } = getOptions;
      if (soFar !== true || !isPartial(home.state())) return ask(others);
      // What is not there may only not be there yet.
      return ask(getOptions).catch((error: unknown) => {
        if (isAnnalsError(error) && error.code === 'NOT_FOUND') return ask(others);
        throw error;
      });
    },
    async why(id) {
      const { resolveId } = await part(import('./read/resolve-id.ts'));
      const { explainItem } = await part(import('./read/explain-item.ts'));
      await runner.catchUp();
      return explainItem(await resolveId(id, sources), sources);
    },
    async context(contextOptions = {}) {
      const { contextOf } = await part(import('./brief/context-of.ts'));
      return reading(contextOptions, (at) => contextOf(contextOptions, at));
    },
    async project(cwd) {
      const { projectOfFolder } = await part(import('./home/folder-project.ts'));
      return reading({}, async (at) => {
        const { name, key } = await projectOfFolder(cwd ?? process.cwd(), at);
        return { name, key };
      });
    },
    async recall(recallOptions) {
      const { recallOf } = await part(import('./recall/recall.ts'));
      return recallOf(recallOptions, home);
    },
    async timeline(timelineOptions = {}) {
      const { timelineOf } = await part(import('./read/read-timeline.ts'));
      return reading(timelineOptions, async (at) => {
        const missing = timelineOptions.soFar === true && at === home ? partialSentences(home.state()) : [];
        const answer = await timelineOf(timelineOptions, at);
        return { ...answer, degraded: [...missing, ...answer.degraded] };
      });
    },
    async list(kind, { asOf, onProgress, signal, soFar = false, ...listOptions } = {}) {
      const { listItems } = await part(import('./read/list-items.ts'));
      return reading({ asOf, onProgress, signal, soFar }, async (at) => {
        const degraded = soFar && at === home ? partialSentences(home.state()) : [];
        return { ...(await listItems(kind, listOptions, at)), ...(degraded.length > 0 ? { degraded } : {}) };
      });
    },
    async stats() {
      const { statsOf } = await part(import('./read/memory-stats.ts'));
      return reading({}, statsOf);
    },
    async growth() {
      const { growthOf } = await part(import('./read/log-growth.ts'));
      return growthOf(home);
    },
    async receipts(receiptsOptions = {}) {
      const { receiptsOf } = await part(import('./read/read-receipts.ts'));
      return reading({}, (at) => receiptsOf(receiptsOptions, at));
    },
    log: (logOptions = {}) => readEvents(logOptions, home),
    replay: (replayOptions = {}) => replay(replayOptions, home),
    async rebuild(names, { onProgress } = {}) {
      return { views: await runner.rebuild(names, onProgress === undefined ? {} : { onProgress }) };
    },
    async embed(embedOptions) {
      const { embedWaiting } = await part(import('./embed/embed-reactor.ts'));
      const report = await embedWaiting(embedOptions ?? {}, home);
      if (embedding.usesModel)
        await runner.readers.query((upstream) => home.vectors.settle(upstream(home.vectors.follows)));
      return report;
    },
    async observe(observeOptions) {
      const { observeHome } = await part(import('./observer/observe-home.ts'));
      const signals = [closing.signal, observeOptions?.signal].filter((signal) => signal !== undefined);
      return acknowledged(observeHome({ ...observeOptions, signal: AbortSignal.any(signals) }, home));
    },
    async observerRecipes() {
      const { observerRecipes } = await part(import('./observer/readings/recipes.ts'));
      return reading({}, observerRecipes);
    },
    async compareReadings(compareOptions) {
      const { compareReadings } = await part(import('./observer/readings/compare-readings.ts'));
      return reading({}, (at) => compareReadings(compareOptions, at));
    },
    async chooseRecipe(recipe) {
      refuseIfPaused(home);
      const { chooseRecipe } = await part(import('./observer/readings/recipes.ts'));
      return acknowledged(chooseRecipe(recipe, home));
    },
    async buildCorpus(name, corpusOptions = {}) {
      refuseIfPaused(home);
      const { buildCorpus } = await part(import('./corpus/build-corpus.ts'));
      return acknowledged(reading({}, () => buildCorpus(name, corpusOptions, home)));
    },
    async corpora() {
      const { listCorpora } = await part(import('./corpus/corpora.ts'));
      return reading({}, listCorpora);
    },
    async corpus(name) {
      const { showCorpus } = await part(import('./corpus/corpora.ts'));
      return reading({}, (at) => showCorpus(name, at));
    },
    async deleteCorpus(name) {
      refuseIfPaused(home);
      const { deleteCorpus } = await part(import('./corpus/corpora.ts'));
      return acknowledged(deleteCorpus(name, home));
    },
    async askCorpus(name, question, askOptions = {}) {
      const { askCorpus } = await part(import('./corpus/ask-corpus.ts'));
      return acknowledged(
        reading({}, () => askCorpus(name, question, { ...askOptions, signal: closing.signal }, home)),
      );
    },
    async observerCost() {
      const { observerCost } = await part(import('./observer/observer-cost.ts'));
      return reading({}, observerCost);
    },
    async forget(selection, forgetOptions) {
      const { forget } = await part(import('./forget/index.ts'));
      return acknowledged(forget(selection, forgetOptions ?? {}, home, randomBytes));
    },
    async act(input) {
      refuseIfPaused(home);
      const { act } = await part(import('./acts/do-act.ts'));
      return acknowledged(act(input, home, { randomBytes }));
    },
    async notes(notesOptions = {}) {
      const { notesOf } = await part(import('./acts/notes.ts'));
      return reading({}, (at) => notesOf(notesOptions, at));
    },
    async proposals() {
      const { proposals } = await part(import('./acts/proposals.ts'));
      return reading({}, proposals);
    },
    async decide(proposal, decision) {
      refuseIfPaused(home);
      const { decide } = await part(import('./acts/proposals.ts'));
      return acknowledged(decide(proposal, decision, home, { randomBytes }));
    },
    async shareJoin(joinOptions) {
      refuseIfPaused(home);
      return (await sharing()).team.join(joinOptions);
    },
    async shareInvite(inviteOptions) {
      return (await sharing()).team.invite(inviteOptions);
    },
    async shareAccept(invitation) {
      refuseIfPaused(home);
      return acknowledged((await sharing()).team.accept(invitation));
    },
    async shareCredential(credentialOptions) {
      return (await sharing()).team.credential(credentialOptions);
    },
    async shareMembers() {
      return (await sharing()).team.members();
    },
    async shareRemove(member) {
      return (await sharing()).team.remove(member);
    },
    async shareRotate() {
      return (await sharing()).team.rotate();
    },
    async shareRecover(recoverOptions) {
      refuseIfPaused(home);
      return acknowledged((await sharing()).team.recover(recoverOptions));
    },
    async shareLeave(leaveOptions) {
      return (await sharing()).team.leave(leaveOptions);
    },
    async shareProject(name, projectOptions = {}) {
      const { key, name: found } = await (await sharing()).projects.change(name, projectOptions);
      return { key, name: found };
    },
    async sharePreview(name, lines = 0) {
      return (await sharing()).projects.preview(name, lines);
    },
    async shareSync() {
      refuseIfPaused(home);
      return acknowledged((await sharing()).exchange.sync(closing.signal));
    },
    async shareDigests() {
      return (await sharing()).projects.digests();
    },
    async shareForgettings() {
      // Most homes share nothing, and load nothing for it.
      return (await exists(paths.share)) ? (await sharing()).projects.forgettings() : [];
    },
    async shareStatus() {
      return (await sharing()).exchange.status();
    },
    onChange(listener) {
      const tell = () => listener({ head: log.head().position, projected: runner.projected() });
      const stops = [log.onHead(tell), runner.onProjected(tell)];
      tell();
      return () => {
        for (const stop of stops) stop();
      };
    },
    async compact() {
      const { compact } = await part(import('./forget/index.ts'));
      return compact(home);
    },
    verify: (verifyOptions) => verifyAll(verifyOptions ?? {}, home),
    async status({ soFar = false } = {}) {
      const { statusOf } = await part(import('./home/home-status.ts'));
      if (soFar && isPartial(home.state())) startCatchUp();
      else await runner.catchUp();
      const { copiedHome } = await part(import('./share/copied-home.ts'));
      const copied = await copiedHome(home.log, home.now());
      const missing = soFar ? partialSentences(home.state()) : [];
      return statusOf(home, copied === null ? missing : [...missing, copied]);
    },
    close,
  };
}
