// Chooses the damages to a home from a seed: every byte of the small files and checkpoints, flips and truncations spread
// over regions, removed files, and files or folders replaced by an older copy.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Chance, chance } from '../helpers/chance.ts';
import { filesOf, type Region, type Stretch, stretchesOf } from './regions.ts';

export type Damage = {
  /** Path below the home; a folder for `older` only. */
  readonly name: string;
  readonly region: Region | 'folder';
  readonly owner: 'log' | 'views';
} & (
  | { readonly act: 'flip'; readonly offset: number; readonly bit: number }
  | { readonly act: 'cut'; readonly size: number }
  | { readonly act: 'remove' }
  | { readonly act: 'older' }
);

export interface Amounts {
  readonly seed: number;
  readonly flips: number;
  readonly truncations: number;
  /** Use every n-th byte of the small files and checkpoints; 1 for all. */
  readonly everyByte: number;
  /** Use every n-th of the files that can be removed or replaced; 1 for all. */
  readonly everyFile: number;
}

const SMALL: readonly Region[] = ['small file', 'checkpoint'];

export function chooseDamages(home: string, older: string, amounts: Amounts): Damage[] {
  const luck = chance(amounts.seed);
  const stretches = stretchesOf(home);
  const large = stretches.filter(({ region }) => !SMALL.includes(region));
  const files = large.filter(
    ({ region }) => region !== 'table footer' && region !== 'table index and filter',
  );
  const small = stretches
    .filter(({ region }) => SMALL.includes(region))
    .flatMap((one) => everyByteOf(one, luck));
  const flips = Array.from({ length: amounts.flips }, (_, number): Damage => {
    const { name, region, owner, from, to } = spread(large, number, luck);
    return { act: 'flip', name, region, owner, offset: from + luck.below(to - from), bit: luck.below(8) };
  });
  const cuts = Array.from({ length: amounts.truncations }, (_, number): Damage => {
    const { name, region, owner } = spread(files, number, luck);
    const size = luck.below(statSync(join(home, name)).size);
    return { act: 'cut', name, region, owner, size };
  });
  const fileDamages = [...removals(home, stretches), ...exchanges(home, older, stretches)];
  // Shuffled, so that an interrupted run has covered a part of everything.
  return luck.shuffled([
    ...every(small, amounts.everyByte, luck),
    ...flips,
    ...cuts,
    ...every(fileDamages, amounts.everyFile, luck),
  ]);
}

/** Region by region; inside a region half by file and half by byte, so that small parts get some too. */
function spread(stretches: readonly Stretch[], number: number, luck: Chance): Stretch {
  const kinds = [...new Set(stretches.map(({ region, owner }) => `${owner} ${region}`))];
  const kind = kinds[number % kinds.length]!;
  const those = stretches.filter(({ region, owner }) => `${owner} ${region}` === kind);
  if (luck.below(2) === 0) return those[luck.below(those.length)]!;
  let at = luck.below(those.reduce((sum, { from, to }) => sum + to - from, 0));
  for (const one of those) {
    if (at < one.to - one.from) return one;
    at -= one.to - one.from;
  }
  return those[0]!;
}

function everyByteOf({ name, region, owner, from, to }: Stretch, luck: Chance): Damage[] {
  return Array.from({ length: to - from }, (_, byte) => ({
    act: 'flip',
    name,
    region,
    owner,
    offset: from + byte,
    bit: luck.below(8),
  }));
}

function removals(home: string, stretches: readonly Stretch[]): Damage[] {
  return filesOf(home).flatMap((name): Damage[] => {
    const of = stretches.find((one) => one.name === name);
    return of === undefined ? [] : [{ act: 'remove', name, region: of.region, owner: of.owner }];
  });
}

/** Files that are in the older copy too, with other bytes, and whole folders. */
function exchanges(home: string, older: string, stretches: readonly Stretch[]): Damage[] {
  const before = new Set(filesOf(older));
  const files = filesOf(home)
    .filter((name) => before.has(name))
    .filter((name) => !readFileSync(join(home, name)).equals(readFileSync(join(older, name))))
    .flatMap((name): Damage[] => {
      const of = stretches.find((one) => one.name === name);
      return of === undefined ? [] : [{ act: 'older', name, region: of.region, owner: of.owner }];
    });
  const folders = ['log', 'views', 'views/rows-1', 'views/text'];
  return [
    ...files,
    ...folders.map(
      (name): Damage => ({ act: 'older', name, region: 'folder', owner: name === 'log' ? 'log' : 'views' }),
    ),
  ];
}

function every<T>(all: readonly T[], step: number, luck: Chance): readonly T[] {
  return step === 1 ? all : luck.shuffled(all).slice(0, Math.ceil(all.length / step));
}
