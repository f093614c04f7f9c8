/** A halted token whose log has more in its till than the chain: its wallet has an account of the token, and one that stands for the till. */
import {
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, PublicKey, sendAndConfirmTransaction, Transaction } from '@solana/web3.js';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { DistributionHalted, LinksLanded, LinksRecorded, RunOpened } from '../../src/streams/distribution.ts';
import type { Creator } from './creator.ts';
import { begun, linksLanded, runOpened } from './distribution-examples.ts';
import { createRunRecorder } from './recorded-runs.ts';
import type { TestService } from './service.ts';

/** The token's id; nothing is in either account. */
export async function haltWithWrongBooks(
  creator: Creator,
  service: Pick<TestService, 'append' | 'folder' | 'chainUrl'>,
): Promise<string> {
  const wallet = await creator.generateWallet();
  const { mintAddress, token } = await creator.createToken({ walletId: wallet.walletId });
  const owner = new PublicKey(wallet.address);
  const { publicKey: payer } = creator.keypair;
  const mint = new PublicKey(mintAddress);
  const account = getAssociatedTokenAddressSync(mint, owner, true, TOKEN_2022_PROGRAM_ID);
  const till = getAssociatedTokenAddressSync(NATIVE_MINT, owner, true);
  const connection = new Connection(service.chainUrl, 'confirmed');
  const transaction = new Transaction().add(
    createAssociatedTokenAccountIdempotentInstruction(payer, account, owner, mint, TOKEN_2022_PROGRAM_ID),
    createAssociatedTokenAccountIdempotentInstruction(payer, till, owner, NATIVE_MINT),
  );
  await sendAndConfirmTransaction(connection, transaction, [creator.keypair], { commitment: 'finalized' });
  const { record } = createRunRecorder(service);
  const run = { tokenId: token.id, runId: randomId() };
  const links = [{ ...begun, till: till.toBase58() }];
  const landed = links.map((link) => ({
    ...link,
    signature: linksLanded.data.links[0]?.signature ?? '',
    fee: '5000',
  }));
  for (const event of [
    RunOpened({ ...runOpened.data, ...run, mint: mintAddress, walletId: wallet.walletId }),
    LinksRecorded({ ...run, purpose: 'begin', links }),
    LinksLanded({ ...run, purpose: 'begin', links: landed, slot: '1', lamports: '3000000000', tokens: '0' }),
    DistributionHalted({ ...run, code: 'OPERATOR', reason: 'The node was wrong.' }),
  ])
    await record(token.id, event);
  return token.id;
}
