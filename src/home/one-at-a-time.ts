// Work that looks before it appends runs alone: of two at the same time, the second would not see what the first appends.
import { Mutex } from '../../log/index.ts';
import type { Home } from './home.ts';

/** Runs work of one kind on a home, one after another. */
export function oneAtATime(): <T>(home: Home, work: () => Promise<T>) => Promise<T> {
  const mutexes = new WeakMap<Home, Mutex>();
  return (home, work) => {
    const mutex = mutexes.get(home) ?? new Mutex();
    mutexes.set(home, mutex);
    return mutex.run(work);
  };
}
