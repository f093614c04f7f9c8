/** Description of the machine on which a benchmark runs. */
import { readFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem, version } from 'node:os';

export function describeMachine(): string {
  const processors = cpus();
  return [
    `${processors.length} cores (${processors[0]?.model.trim() ?? 'unknown'})`,
    `${Math.round(totalmem() / 2 ** 30)} GB of memory`,
    `Node ${process.versions.node}`,
    `${process.platform} ${process.arch} ${version()}`,
    `temporary files on ${fileSystemOf(tmpdir())}`,
  ].join('; ');
}

/** Idle seconds of all cores since the machine started. */
export function idleSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0) / 1_000;
}

function fileSystemOf(folder: string): string {
  let mounts: string;
  try {
    mounts = readFileSync('/proc/mounts', 'utf8');
  } catch {
    return 'an unknown file system';
  }
  const holding = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, point = '']) => point === '/' || `${folder}/`.startsWith(`${point}/`))
    .sort(([, a = ''], [, b = '']) => b.length - a.length)[0];
  return holding === undefined ? 'an unknown file system' : `${holding[2]} (${holding[0]})`;
}
