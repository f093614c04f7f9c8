/**
 * List of findings with a limit per kind, so that a frequent kind cannot displace the others. Findings beyond the limit are
 * counted.
 */
import { CHECKS, type CheckNames, type DeclaredCheck } from './checks.ts';

/** Findings stored per kind. There are fewer than a hundred kinds, so the report of any log is bounded. */
export const MAX_OF_A_KIND = 1_000;

export type BoundedFindings<Entry> = ReturnType<typeof createBoundedFindings<Entry>>;

export function createBoundedFindings<Entry>(most = MAX_OF_A_KIND) {
  const shelves = new Map<string, ReturnType<typeof createShelf<Entry>>>();
  const omitted = new Map<string, number>();
  const count = (kind: string, more: number) => {
    if (more > 0) omitted.set(kind, (omitted.get(kind) ?? 0) + more);
  };
  return {
    /** `about`: subject of the finding, such as the token. Subjects share the limit of a kind evenly. */
    add(entry: Entry, kind: string, about: string): void {
      const shelf = shelves.get(kind) ?? createShelf<Entry>(most);
      shelves.set(kind, shelf);
      if (!shelf.keep(entry, about)) count(kind, 1);
    },
    /** Counts omitted entries. */
    count,
    kept: (): readonly Entry[] => [...shelves.values()].flatMap((shelf) => shelf.entries()),
    /** Number of omitted entries by kind; kinds without omissions are absent. */
    notKept: (): ReadonlyMap<string, number> => omitted,
  };
}

/** A full shelf replaces an entry of its most frequent subject by one of a rarer subject, so that no token hides the others. */
function createShelf<Entry>(most: number) {
  const piles = new Map<string, Entry[]>();
  let [count, fullest]: [number, Entry[]] = [0, []];
  return {
    /** False if this entry, or the entry that it replaced, is omitted. */
    keep(entry: Entry, about: string): boolean {
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
    entries: (): readonly Entry[] => [...piles.values()].flat(),
  };
}

/** Declared form of a finding's sentence, with `…` for its variable parts; empty if the check does not declare it. */
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
