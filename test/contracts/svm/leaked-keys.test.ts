// Somebody else has a key of the service and takes from a pot, in a form of their own: the token halts, by the real steps of a run.
import { base58, decodeTransaction } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { createKeyring } from '../../../src/chain/keys.ts';
import { unwrapLamports } from '../../../src/chain/payment-instructions.ts';
import { actionsOf } from '../../support/decode-actions.ts';
import { ids } from '../../support/domain-examples.ts';
import { runEngine } from '../../support/faulty-chain/engine-run.ts';
import { keyOf, signed } from '../../support/faulty-chain/token-world.ts';
import { CALM } from '../../support/faulty-chain/weather.ts';

const KEYRING = createKeyring(Buffer.alloc(32, 12));
const THIEF = keyOf(950).address;

test.each([
  ['the distributor', KEYRING.distributor],
  ['the distribution wallet', KEYRING.distributionWallet(ids.walletId)],
])('a plain unwrapping by the key of %s halts the token and names the transaction', async (_whose, key) => {
  let theft = '';
  const { halted, closed } = await runEngine(3, {
    weather: CALM,
    assets: ['sol'],
    lying: (chain) => ({
      ...chain,
      async send(wire) {
        const [guard] = actionsOf(wire);
        if (theft === '' && guard?.kind === 'move' && guard.from === guard.to) {
          const [account] = await chain.accounts([guard.from], 'confirmed');
          const held = Buffer.from(account?.data ?? new Uint8Array(72)).readBigUInt64LE(64);
          const instruction = unwrapLamports({
            from: guard.from,
            to: THIEF,
            authority: key.address,
            lamports: held,
          });
          const { blockhash } = await chain.recentBlockhash();
          const stolen = signed(
            [instruction],
            [KEYRING.distributor, ...(key === KEYRING.distributor ? [] : [key])],
            blockhash,
          );
          const decoded = decodeTransaction(stolen);
          theft = decoded.ok ? base58(decoded.transaction.signatures[0] ?? new Uint8Array()) : '';
          // The payment itself is lost this time, so that the theft is first.
          return chain.send(stolen);
        }
        return chain.send(wire);
      },
    }),
  });
  expect({ closed, halted }).toEqual({
    closed: 0,
    halted: expect.stringMatching(`^PAYMENT_UNKNOWN: The transaction ${theft} lowered the pot `),
  });
});
