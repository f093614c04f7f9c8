/** Processor time of a process, as reported by Linux. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Seconds of all threads since the start; NaN if the system does not report it. */
export function processorSecondsOf(pid: number): number {
  try {
    // The name in the second field may contain blanks; the later fields do not.
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

/** Like `processorSecondsOf`, including all living descendants. */
export function processorSecondsOfTree(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + processorSecondsOfTree(child), processorSecondsOf(pid));
}
