/** Programs in Go that read transparency logs and are not ours. Their versions are pinned in `go.mod` and `go.sum`. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { folderForTheFile } from './after-the-file.ts';

const AUDITOR = fileURLToPath(new URL('../../examples/verify-log', import.meta.url));
const installed = process.env.TEST_SERVERS_DIR ?? join(homedir(), '.cache', 'levy-test-servers');
const litewitness = join(installed, 'litewitness-0.9.0');

/**
 * Builds what an auditor runs; undefined where Go, a newer Go or a module is missing, which is said with the number of
 * tests that are skipped. Rejects if it does not compile.
 */
export async function auditorProgram(tests: number): Promise<string | undefined> {
  // Another toolchain is never fetched.
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '' };
  const go = (...args: string[]) => promisify(execFile)('go', args, { cwd: AUDITOR, env });
  try {
    await go('mod', 'download');
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().replaceAll('\n', ' ') : String(error);
    console.warn(`SKIPPED: ${tests} tests with Go's packages for transparency logs: ${reason}`);
    return undefined;
  }
  const program = join(await folderForTheFile(), 'verify-log');
  await go('build', '-o', program, '.');
  return program;
}

/** The witness that `install-witness.sh` builds; undefined where it is not there, which is said. */
export function witnessProgram(tests: number): string | undefined {
  const missing = existsSync(litewitness)
    ? spawnSync('ssh-agent', ['-h']).error && 'ssh-agent'
    : 'litewitness (test/support/install-witness.sh builds it)';
  if (missing === undefined) return litewitness;
  console.warn(`SKIPPED: ${tests} tests with a witness of others, because there is no ${missing}`);
  return undefined;
}
