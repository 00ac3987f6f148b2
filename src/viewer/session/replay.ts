// A replay: the session up to a moment, which moves on by itself from one thing that happened to the next.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { TurnEntry } from '../api/session-parts.ts';

/** The slider moves by so much, so that its last step may be before the end, ms. */
export const STEP_MS = 1_000;
/** However long nothing happened, the replay waits no longer, ms. */
const WAIT_MAX_MS = 1_500;
const WAIT_MIN_MS = 40;

export interface Replay {
  /** Unix ms; null: the whole session is shown. */
  readonly moment: number | null;
  readonly isPlaying: boolean;
  readonly speed: number;
  readonly first: number;
  readonly last: number;
  setSpeed(speed: number): void;
  /** null: the end. */
  moveTo(moment: number | null): void;
  toggle(): void;
  /** Things of a turn that was read. */
  addTimes(turn: string, times: readonly number[]): void;
}

/** @param endedAt of the session; what happens in its turns may be read later */
export function useReplay(turns: readonly TurnEntry[], endedAt: string | null): Replay {
  const times = useRef(new Map<string, readonly number[]>());
  const [moment, setMoment] = useState<number | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(60);
  const starts = turns.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
  const first = starts[0] ?? 0;
  const addTimes = useCallback((turn: string, found: readonly number[]) => {
    times.current.set(turn, found);
  }, []);
  const ends = [endedAt, ...turns.map((turn) => turn.endedAt)].flatMap((at) =>
    at === null ? [] : [Date.parse(at)],
  );
  const end = Math.max(0, ...starts, ...ends);
  useEffect(() => {
    if (!isPlaying || moment === null) return;
    const next = Math.min(
      ...[...starts, ...[...times.current.values()].flat()].filter((time) => time > moment),
    );
    if (next === Number.POSITIVE_INFINITY) {
      setPlaying(false);
      setMoment(null);
      return;
    }
    const wait = Math.max(WAIT_MIN_MS, Math.min(WAIT_MAX_MS, (next - moment) / speed));
    const timer = setTimeout(() => {
      setMoment(next);
      const main = document.getElementById('main');
      main?.scrollTo(0, main.scrollHeight);
    }, wait);
    return () => clearTimeout(timer);
  }, [isPlaying, moment, speed]);
  return {
    moment,
    isPlaying,
    speed,
    first,
    last: end,
    setSpeed,
    addTimes,
    moveTo(to) {
      setMoment(to === null ? null : momentAt(to, end));
    },
    toggle() {
      if (!isPlaying && moment === null) setMoment(first);
      setPlaying(!isPlaying);
    },
  };
}

/** What the slider means by a moment: null is the end. Unix ms */
export function momentAt(to: number, end: number): number | null {
  return to > end - STEP_MS ? null : to;
}
