// What is done to a home, chosen by a seed: every byte of the small files and anchors, flips and cuts spread over
// regions, files removed, and files or folders that are an older copy of themselves.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Chance, chance } from '../helpers/chance.ts';
import { filesOf, type Region, type Stretch, stretchesOf } from './regions.ts';

export type Damage = {
  /** Below the home; a folder for `older` only. */
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
  /** Of the bytes in small files and anchors every n-th; 1 for all. */
  readonly everyByte: number;
  /** Of the files that can be removed or exchanged every n-th; 1 for all. */
  readonly everyFile: number;
}

const SMALL: readonly Region[] = ['small file', 'anchor'];

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
  const whole = [...removals(home, stretches), ...exchanges(home, older, stretches)];
  // Shuffled, so that a run that is stopped has seen something of everything.
  return luck.shuffled([
    ...every(small, amounts.everyByte, luck),
    ...flips,
    ...cuts,
    ...every(whole, amounts.everyFile, luck),
  ]);
}

/** Region by region, and inside a region half by file and half by byte: so small parts get their share. */
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

/** Files that the older copy holds too, with other bytes, and whole folders. */
function exchanges(home: string, older: string, stretches: readonly Stretch[]): Damage[] {
  const before = new Set(filesOf(older));
  const files = filesOf(home)
    .filter((name) => before.has(name))
    .filter((name) => !readFileSync(join(home, name)).equals(readFileSync(join(older, name))))
    .flatMap((name): Damage[] => {
      const of = stretches.find((one) => one.name === name);
      return of === undefined ? [] : [{ act: 'older', name, region: of.region, owner: of.owner }];
    });
  const folders = [
    'log',
    'views',
    'views/turns',
    'views/memory',
    'views/projects',
    'views/context',
    'views/text',
  ];
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
