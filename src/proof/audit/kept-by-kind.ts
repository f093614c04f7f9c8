/** A bounded list of findings in which no frequent kind crowds out another: so many of each are kept, the others counted. */
import type { CheckNames } from './check-names.ts';
import { CHECKS } from './checks.ts';
import type { DeclaredCheck } from './declared-check.ts';

/** Findings that are kept of each kind. There are fewer than a hundred kinds, so the report of any log is bounded. */
export const MOST_OF_A_KIND = 1_000;

export interface KeptByKind<Entry> {
  /** `about`: what shares the room of the kind evenly, such as the token. */
  add(entry: Entry, kind: string, about: string): void;
  /** Counts some that nobody has kept. */
  count(kind: string, count: number): void;
  kept(): readonly Entry[];
  /** How many are not kept, by kind; only kinds of which some are not. */
  notKept(): ReadonlyMap<string, number>;
}

export function createKeptByKind<Entry>(most = MOST_OF_A_KIND): KeptByKind<Entry> {
  const shelves = new Map<string, Shelf<Entry>>();
  const notKept = new Map<string, number>();
  const count = (kind: string, more: number) => {
    if (more > 0) notKept.set(kind, (notKept.get(kind) ?? 0) + more);
  };
  return {
    add(entry, kind, about) {
      const shelf = shelves.get(kind) ?? createShelf<Entry>(most);
      shelves.set(kind, shelf);
      if (!shelf.keep(entry, about)) count(kind, 1);
    },
    count,
    kept: () => [...shelves.values()].flatMap((shelf) => shelf.entries()),
    notKept: () => notKept,
  };
}

interface Shelf<Entry> {
  /** False if this entry, or another one that gave way to it, is not kept. */
  keep(entry: Entry, about: string): boolean;
  entries(): readonly Entry[];
}

/** When it is full, what most entries are about gives one up for what fewer are about: one token hides no other. */
function createShelf<Entry>(most: number): Shelf<Entry> {
  const piles = new Map<string, Entry[]>();
  let [count, fullest]: [number, Entry[]] = [0, []];
  return {
    keep(entry, about) {
      const own = piles.get(about) ?? [];
      if (count < most) {
        piles.set(about, own);
        own.push(entry);
        count += 1;
        if (own.length > fullest.length) fullest = own;
        return true;
      }
      if (fullest.length > own.length + 1) {
        fullest.pop();
        piles.set(about, own);
        own.push(entry);
        for (const pile of piles.values()) if (pile.length > fullest.length) fullest = pile;
      }
      return false;
    },
    entries: () => [...piles.values()].flat(),
  };
}

/** The sentence of a finding without what varies in it, as the check declares it; empty for one that it does not declare. */
export function kindOf(names: CheckNames, what: string): string {
  const declared = kindsOf(names);
  if (declared.fixed.has(what)) return what;
  return declared.varying.find(({ pattern }) => pattern.test(what))?.sentence ?? '';
}

interface Kinds {
  readonly fixed: ReadonlySet<string>;
  readonly varying: readonly { readonly sentence: string; readonly pattern: RegExp }[];
}

const kinds = new Map<string, Kinds>();

function kindsOf({ group, check }: CheckNames): Kinds {
  const name = `${group}/${check}`;
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const declared = Object.values<DeclaredCheck>(CHECKS).find(
    (one) => one.group === group && one.check === check,
  );
  const sentences = Object.keys(declared?.findings ?? {});
  const made: Kinds = {
    fixed: new Set(sentences.filter((sentence) => !sentence.includes('…'))),
    varying: sentences
      .filter((sentence) => sentence.includes('…'))
      .map((sentence) => ({ sentence, pattern: patternOf(sentence) })),
  };
  kinds.set(name, made);
  return made;
}

function patternOf(sentence: string): RegExp {
  const parts = sentence.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.+')}$`, 's');
}
