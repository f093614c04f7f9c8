// The rule of generating a distribution wallet: a command makes one, however often it is repeated.
import { describe, expect, test } from 'vitest';
import { generateDistributionWallet } from '../../../src/commands/generate-distribution-wallet.ts';
import {
  DistributionWalletClaimed,
  DistributionWalletGenerated,
} from '../../../src/streams/distribution-wallet.ts';
import { commandSpec } from '../../support/command-spec.ts';
import { addresses, ids } from '../../support/domain-examples.ts';

const wallet = { walletId: ids.walletId, address: addresses.distributionWallet };
const generated = DistributionWalletGenerated(wallet);

describe('GenerateDistributionWallet', () => {
  const spec = commandSpec(generateDistributionWallet);

  test('records the wallet that was derived', () => {
    spec.given().when({ facts: wallet }).records(generated);
  });

  test('records nothing for a wallet that is there, claimed or not', () => {
    spec.given(generated).when({ facts: wallet }).recordsNothing();
    const { walletId, transactionId } = ids;
    const claim = { walletId, transactionId, creator: addresses.creator };
    spec.given(generated, DistributionWalletClaimed(claim)).when({ facts: wallet }).recordsNothing();
  });

  test('names its stream after the command, so that a repetition meets the same wallet', () => {
    const names = [ids.transactionId, ids.transactionId, ids.otherTransactionId].map((commandId) =>
      generateDistributionWallet.streamId(
        { params: {}, query: {}, body: undefined },
        { commandId, actor: 'anonymous', tokenId: undefined },
      ),
    );
    expect(names[0]).toBe(names[1]);
    expect(names[2]).not.toBe(names[0]);
  });
});
