/** Memory of a process, as reported by Linux. */
import { readFileSync } from 'node:fs';

/** Megabytes of resident memory; NaN if the system does not report it. */
export function residentMegabytesOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1_024;
  } catch {
    return Number.NaN;
  }
}
