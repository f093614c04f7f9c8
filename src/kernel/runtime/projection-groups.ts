/** Decides which targets read the log together: those that are far behind hold up neither those that are nearly there nor any that are read. */
import type { EventStore } from '../ports/event-store.ts';
import type { Target } from './projection-target.ts';

type Placed = Pick<Target, 'isServed' | 'position'>;

/** Targets at most this far apart read the log together. */
const NEAR = { events: 10_000, bytes: 10_000_000 } as const;

/** Each group reads the log by itself, all of them over one connection. */
const MOST_GROUPS = 2;

export function groupTargets<Member extends Placed>(
  targets: readonly Member[],
  extentOf: EventStore['extentOf'],
  head: string,
): readonly (readonly Member[])[] {
  const served = targets.filter(({ isServed }) => isServed);
  const others = targets.filter(({ isServed }) => !isServed);
  const near = NEAR[extentOf(head).unit];
  const amountOf = ({ position }: Placed) => extentOf(position).amount;
  return [served, others].flatMap((some) => bounded(nearOnes(some, amountOf, near)));
}

/** All but the groups that are furthest ahead read together, from where the last of them is. */
function bounded<Member>(groups: readonly (readonly Member[])[]): readonly (readonly Member[])[] {
  if (groups.length <= MOST_GROUPS) return groups;
  const ahead = groups.slice(1 - MOST_GROUPS);
  return [groups.slice(0, 1 - MOST_GROUPS).flat(), ...ahead];
}

function nearOnes<Member extends Placed>(
  some: readonly Member[],
  amountOf: (target: Placed) => number,
  near: number,
): readonly (readonly Member[])[] {
  const found: Member[][] = [];
  let start = 0;
  for (const target of some.toSorted((one, other) => amountOf(one) - amountOf(other))) {
    const group = found.at(-1);
    if (group !== undefined && amountOf(target) - start <= near) {
      group.push(target);
    } else {
      found.push([target]);
      start = amountOf(target);
    }
  }
  return found;
}
