/**
 * Whole flows of many concurrent creators, from the wallet to the confirmed token, against the service with its
 * embedded chain.
 */
import { openCreator } from '../../test/support/creator.ts';
import { nonceAccountsAreThere, ofACore, playFlows, stepTimes } from '../measuring/flow-load.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { startService } from '../measuring/service.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';

const TIMES = { warmUpMilliseconds: 3_000, milliseconds: 12_000 };
/** Each creator has one flow in progress. */
const CREATORS = [8, 48];
const SOL = 1_000;
/** A draft holds its nonce account until the chain has finalized it, about 13 seconds. */
const NONCE_ACCOUNTS = 600;

export const flows: Line = () =>
  inTemporaryFolder(async (folder) => {
    const service = await startService(folder, {
      RATE_LIMITS: 'off',
      NONCE_ACCOUNTS_MIN: String(NONCE_ACCOUNTS),
      NONCE_ACCOUNTS_MAX: '10000',
    });
    try {
      await nonceAccountsAreThere(service.url, NONCE_ACCOUNTS);
      const comparisons: Comparison[] = [];
      for (const count of CREATORS) {
        const creators = await Promise.all(
          Array.from({ length: count }, () => openCreator(service, { sol: SOL })),
        );
        const played = await playFlows(creators, TIMES, service.processorSeconds);
        comparisons.push({
          what: `create-to-confirmed flows of ${count} concurrent creators`,
          figures: [`${written(played.rate)} flows/s`, ...stepTimes([played]), ofACore(played.shares)].join(
            '; ',
          ),
        });
      }
      return comparisons;
    } finally {
      await service.stop();
    }
  });
