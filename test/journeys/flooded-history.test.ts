// A creator names the key of a draft in thousands of transfers: the outcome of that draft is searched slowly, and the
// submissions of all others are sent and confirmed meanwhile.
import { Keypair, type PublicKey, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { swallowSends } from '../support/chain-proxy.ts';
import { openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { PRICED, promotionDraft, submitPromotion } from '../support/promotions.ts';
import { openCreatorBehindProxy } from '../support/service-behind-proxy.ts';
import { openTestChain } from '../support/service-on-chain.ts';
import { lifeOf, nodeAt, recordedText } from '../support/settling.ts';

const TRANSFERS = 2_500;
const AT_ONCE = 50;

/** Milliseconds: the flood takes half a minute on a busy machine, and the search over a minute by design. */
const PATIENCE = 300_000;

/** Transfers that anybody could make, each of which names the address. */
async function flood(chainUrl: string, named: PublicKey): Promise<void> {
  const node = nodeAt(chainUrl);
  const payer = Keypair.generate();
  await node.requestAirdrop(payer.publicKey, 1_000_000_000);
  await eventually('the payer has SOL', async () => (await node.getBalance(payer.publicKey)) > 0);
  for (let from = 0; from < TRANSFERS; from += AT_ONCE) {
    const { blockhash } = await node.getLatestBlockhash('confirmed');
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const transfer = SystemProgram.transfer({
          fromPubkey: payer.publicKey,
          toPubkey: payer.publicKey,
          lamports: from + index,
        });
        transfer.keys.push({ pubkey: named, isSigner: false, isWritable: false });
        const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(
          transfer,
        );
        transaction.sign(payer);
        return node.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
      }),
    );
  }
}

test(
  'others are sent and confirmed while the flooded history of a draft is searched, and the search ends',
  async () => {
    const { url: chainUrl } = await openTestChain({ nonces: false, slotMilliseconds: 400 });
    const { proxy, service, creator } = await openCreatorBehindProxy({
      chainUrl,
      lamports: 0,
      environment: {
        DRAFT_LIFETIME_KIND: 'recent-blockhash',
        NONCE_ACCOUNTS_MIN: '0',
        TREASURY_ADDRESS: Keypair.generate().publicKey.toBase58(),
        ...PRICED,
      },
    });
    const { mintAddress } = await creator.createToken();
    const draft = await promotionDraft(creator, mintAddress);
    const { message } = VersionedTransaction.deserialize(Buffer.from(draft.transaction, 'base64'));
    const key = message.staticAccountKeys[1] as PublicKey;
    expect(message.header.numRequiredSignatures).toBe(2);

    proxy.treat(swallowSends((wire) => Buffer.from(wire, 'base64').includes(key.toBuffer())));
    const answer = submitPromotion(creator, draft);
    await recordedText(service, 'SubmissionAccepted', draft, 'signature');
    // Within the slots that can hold the bytes, so that the list rules none of them out.
    await flood(chainUrl, key);

    const other = await openCreator(service);
    const isSearched = async () => !(await lifeOf(service, draft)).includes('SubmissionFailed');
    let created = 0;
    for (; created < 20 && (await isSearched()); created += 1) await other.createToken();
    expect(created).toBeGreaterThan(0);
    // More entries than long searches may read in a minute.
    await eventually('the search has ended', async () => !(await isSearched()), { seconds: 150 });
    expect(await answer).toMatchObject({
      body: { code: expect.stringMatching(/TRANSACTION_EXPIRED|CONFIRMATION_PENDING/) },
    });
    const life = await lifeOf(service, draft);
    expect(life.filter((type) => type === 'DraftHistoryFlooded')).toHaveLength(1);
    expect(life).not.toContain('SubmissionFinalized');
  },
  PATIENCE,
);
