// The library of a command that is served by a worker. If the worker ends in the middle of a call, the call is made once
// more, through the next worker or on the log itself, unless it would do its work twice.
import { isAnnalsError } from '../../log/index.ts';
import type { Annals } from '../api.ts';
import type { RemoteAnnals } from '../remote/remote-annals.ts';
import { METHODS, UNARY_METHODS, type UnaryMethod } from '../remote/remote-methods.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** @param reopen called at most once, when the worker has ended */
export function repeatWhenGone(served: RemoteAnnals, reopen: () => Promise<Annals>): Annals {
  let isGone = false;
  let reopened: Promise<Annals> | null = null;
  served.onDisconnect(() => {
    isGone = true;
  });
  const again = (): Promise<Annals> => {
    reopened ??= reopen();
    return reopened;
  };
  const current = async (): Promise<Annals> => (isGone ? again() : served);
  const calls = Object.fromEntries(
    UNARY_METHODS.map((method) => {
      const call = (annals: Annals, args: readonly unknown[]) => (annals[method] as Call)(...args);
      const repeated = async (...args: readonly unknown[]) => {
        try {
          return await call(await current(), args);
        } catch (error) {
          if (!METHODS[method].isRepeatable || !hasEnded(error)) throw error;
          return call(await again(), args);
        }
      };
      return [method, repeated];
    }),
  ) as unknown as Pick<Annals, UnaryMethod>;
  return {
    ...calls,
    home: served.home,
    async *log(options) {
      let hasBegun = false;
      try {
        for await (const event of (await current()).log(options)) {
          hasBegun = true;
          yield event;
        }
        return;
      } catch (error) {
        if (hasBegun || !hasEnded(error)) throw error;
      }
      yield* (await again()).log(options);
    },
    onChange: (listener) => served.onChange(listener),
    async close() {
      await served.close();
      await (await reopened?.catch(() => null))?.close();
    },
  };
}

function hasEnded(error: unknown): boolean {
  return isAnnalsError(error) && error.code === 'WORKER_GONE';
}
