/** How much processor time a process has taken, as Linux tells it. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Of all its threads, since it started; NaN where the system does not tell. */
export function processorSecondsOf(pid: number): number {
  try {
    // The name in the second field may hold blanks; what follows it does not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** As `processorSecondsOf`, with that of all who descend from it and are alive. */
export function processorSecondsOfTree(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + processorSecondsOfTree(child), processorSecondsOf(pid));
}
