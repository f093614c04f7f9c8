import { Connection, Keypair, Transaction, sendAndConfirmTransaction, PublicKey } from '@solana/web3.js';
import { createAssociatedTokenAccountInstruction, createTransferCheckedWithFeeInstruction, getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { expect, test } from 'vitest';
import { fund, openCreator } from '../../support/creator.ts';
import { openTestService } from '../../support/service.ts';
import { OPERATOR_KEY } from '../../support/operator.ts';

test('a run', async () => {
  const service = await openTestService({ LOCAL_CHAIN_SLOT_MS: '25', LOG_LEVEL: 'info' });
  const creator = await openCreator(service);
  const token = await creator.createToken({ transferFeePercent: 5, burnPercent: 10, developerFeePercent: 10, supply: '1000000000000', decimals: 6, rewardToken: process.env.REWARD ?? 'SOL' });
  console.log(token);
  const mint = new PublicKey(token.mintAddress);
  const connection = new Connection(service.chainUrl, 'confirmed');
  const wallets = Array.from({ length: Number(process.env.N ?? 5) }, () => Keypair.generate());
  const from = getAssociatedTokenAddressSync(mint, creator.keypair.publicKey, false, TOKEN_2022_PROGRAM_ID);
  const pend: Promise<unknown>[] = [];
  for (const w of wallets) {
    await fund(service.chainUrl, w.publicKey.toBase58(), 10_000_000);
    const to = getAssociatedTokenAddressSync(mint, w.publicKey, false, TOKEN_2022_PROGRAM_ID);
    const amount = 10_000_000_000n;
    const tx = new Transaction().add(
      createAssociatedTokenAccountInstruction(creator.keypair.publicKey, to, w.publicKey, mint, TOKEN_2022_PROGRAM_ID),
      createTransferCheckedWithFeeInstruction(from, mint, to, creator.keypair.publicKey, amount, 6, amount * 500n / 10_000n, [], TOKEN_2022_PROGRAM_ID));
    pend.push(sendAndConfirmTransaction(connection, tx, [creator.keypair]));
  }
  await Promise.all(pend);
  const tokenId = (await (await fetch(`${service.url}/tokens/${token.mintAddress}`)).json()).token?.id ?? token.tokenId;
  await new Promise((r) => setTimeout(r, 1500));
  const res = await fetch(`${service.url}/operator/distributions/${token.mintAddress}/run`, { method: 'POST', headers: { 'x-operator-key': OPERATOR_KEY, 'content-type': 'application/json' }, body: JSON.stringify({ reason: 'test' }) });
  console.log(res.status, await res.text());
  let last = '';
  for (let i = 0; i < 200; i++) {
    await new Promise((r) => setTimeout(r, 300));
    const d = await (await fetch(`${service.url}/operator/distributions?limit=5`, { headers: { 'x-operator-key': OPERATOR_KEY } })).json();
    const text = JSON.stringify(d.distributions?.[0]?.progress ?? d.distributions?.[0]);
    if (text !== last) console.log(i, text);
    last = text;
    if (d.distributions?.[0]?.lastClosedAt) break;
  }
  const runs = await (await fetch(`${service.url}/distribution/${token.mintAddress}/runs`)).json();
  console.log(JSON.stringify(runs, null, 1));
  if (runs.runs?.[0]) console.log(JSON.stringify(await (await fetch(`${service.url}/distribution/${token.mintAddress}/runs/${runs.runs[0].runId}`)).json(), null, 1));
  console.log(JSON.stringify(service.logged.slice(-5), null, 1));
  void tokenId; expect(runs.runs[0].status).toBe('completed');
}, 120_000);
