/** Saves a run's public files, and verifies one wallet's payment with the example program, which makes no calls. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DistributionRunDetail, LevyClient } from 'levy-client';
import { hold, tell } from './telling.ts';

const EXAMPLE = fileURLToPath(new URL('../verify-payment.mjs', import.meta.url));
const run = promisify(execFile);

export async function verifyOffline(
  levy: LevyClient,
  tokenId: string,
  closed: DistributionRunDetail,
  wallet: string,
  folder: string,
): Promise<void> {
  const path = { tokenId, runId: closed.runId, wallet };
  const answer = await levy.get('/distribution/{tokenId}/runs/{runId}/payments/{wallet}', {
    params: { path },
  });
  const { sha256 = '', settlementSha256 } = closed.ledger ?? {};
  hold(sha256 !== '' && settlementSha256 !== null, 'the closed run names both of its files');
  const files = {
    answer: Buffer.from(JSON.stringify(answer)),
    run: Buffer.from(JSON.stringify({ run: closed })),
    allotment: await download(levy, sha256),
    settlement: await download(levy, settlementSha256 ?? ''),
  };
  await mkdir(folder, { recursive: true });
  const named: string[] = [];
  for (const [name, bytes] of Object.entries(files)) {
    const file = join(folder, name);
    await writeFile(file, bytes);
    named.push(`--${name}`, file);
  }
  const { stdout } = await run(process.execPath, [EXAMPLE, ...named, '--wallet', wallet]);
  hold(stdout.trimEnd().endsWith('holds'), 'the example program verifies the payment');
  tell(
    `One wallet's payment, verified offline from saved files by examples/verify-payment.mjs`,
    ...stdout.trimEnd().split('\n'),
  );
}

async function download(levy: LevyClient, sha256: string): Promise<Buffer> {
  const params = { path: { sha256 } };
  const file = (await levy.get('/files/{sha256}', { params, parseAs: 'blob' })) as Blob;
  return Buffer.from(await file.arrayBuffer());
}
