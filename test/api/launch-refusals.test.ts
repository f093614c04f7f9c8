// A launch is refused where its venue is not on the chain.
import { expect, test } from 'vitest';
import { VENUE_PROGRAM } from '../../src/chain/venue/addresses.ts';
import { openCreator } from '../support/creator.ts';
import { LAUNCH_PARAMETERS } from '../support/launching.ts';
import { openTestService } from '../support/service.ts';

test('where the venue is not on the chain, a launch is refused, and the answer says how to load it', async () => {
  const service = await openTestService();
  const creator = await openCreator(service);
  const { mintAddress } = await creator.createToken();
  const refusal = await creator.client.refusal('VENUE_UNAVAILABLE', 'POST', '/launchpad/create-unsigned', {
    token: creator.token,
    json: { tokenMint: mintAddress, ...LAUNCH_PARAMETERS },
  });
  // 503 alone would ask for a repetition.
  expect(refusal.status).toBe(409);
  expect(refusal.detail).toMatch(/^Launches are not available: .* Retrying does not help\./);
  expect(refusal.detail).toContain(`LOCAL_CHAIN_ACCOUNTS=${VENUE_PROGRAM}=`);
  await creator.client.refusal('LAUNCH_NOT_FOUND', 'GET', `/launchpad/${mintAddress}/status`);
  expect(service.recorded.filter(({ data }) => JSON.stringify(data).includes('"launch"'))).toEqual([]);
});
