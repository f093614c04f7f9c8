/** How much memory a process holds, as Linux tells it. */
import { readFileSync } from 'node:fs';

/** Megabytes of the machine's memory; NaN where the system does not tell. */
export function residentMegabytesOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1_024;
  } catch {
    return Number.NaN;
  }
}
