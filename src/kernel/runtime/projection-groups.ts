/** Decides which targets read the log together: those that are far behind hold up neither those that are nearly there nor any that are read. */
import type { EventStore } from '../ports/event-store.ts';
import type { Target } from './projection-target.ts';

type Placed = Pick<Target, 'isServed' | 'position'>;

/** Targets at most this far apart read the log together. */
const NEAR = { events: 10_000, bytes: 10_000_000 } as const;

export function groupTargets<Member extends Placed>(
  targets: readonly Member[],
  extentOf: EventStore['extentOf'],
  head: string,
): readonly (readonly Member[])[] {
  const served = targets.filter(({ isServed }) => isServed);
  const others = targets.filter(({ isServed }) => !isServed);
  const near = NEAR[extentOf(head).unit];
  const amountOf = ({ position }: Placed) => extentOf(position).amount;
  return [...nearOnes(served, amountOf, near), ...nearOnes(others, amountOf, near)];
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
