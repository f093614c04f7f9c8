/** What operators hide stays hidden across a kill of the process, whose log holds no operator's key. */
import { expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import { openCreator } from '../support/creator.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { startServiceProcess } from '../support/service-process.ts';

test('what is hidden is hidden after the process was killed and started again, and its log holds no key', async () => {
  const environment = { NONCE_ACCOUNTS_MIN: '1', LOG_LEVEL: 'trace' };
  const first = await startServiceProcess(environment);
  const owner = await openCreator(first);
  const { mintAddress } = await owner.createToken();
  await owner.client.ask('POST', `/operator/tokens/${mintAddress}/hide`, {
    json: { reason: 'a copy' },
    operatorKey: OPERATOR_KEY,
  });
  // What is answered is logged a moment later: when the next call is answered, it has been.
  await owner.client.ask('GET', '/health');
  const { stderr } = await first.stop('SIGKILL');
  expect(stderr).toContain('/operator/tokens/:mintAddress/hide');
  expect(stderr).not.toContain(OPERATOR_KEY);

  const again = await startServiceProcess(environment, { folder: first.folder });
  const client = createClient(again.url);
  expect(await client.ask('GET', '/tokens')).toMatchObject({ tokens: [], pagination: { total: 0 } });
  await client.refusal('TOKEN_NOT_FOUND', 'GET', `/tokens/${mintAddress}`);
  const own = await client.ask<{ token: object }>('GET', `/tokens/${mintAddress}`, { token: owner.token });
  expect(own.token).toMatchObject({ hidden: true });
});
