// The real process is killed (SIGKILL) before and after each thing that the flow records, and started again on the same folder.
import { describe, test, vi } from 'vitest';
import { expectToGoOnAfter } from '../support/interrupted-journey.ts';

// Each test starts several processes, several tests at a time.
vi.setConfig({ testTimeout: 180_000 });

const steps = [
  'ServiceInitialized',
  'NonceAccountOpened',
  'DistributionWalletGenerated',
  'ImageStored',
  'DistributionWalletClaimed',
  'NonceLeased',
  'DraftIssued',
  'IdempotencyKeyUsed',
  'SubmissionAccepted',
  'TokenCreated',
  'SubmissionFinalized',
  'NonceRenewed',
];

describe.concurrent('a service that is killed before and after it records', () => {
  test.each(
    steps,
  )('%s goes on: repeated calls give the same answers, there is one token, nothing leaked', async (step) => {
    await expectToGoOnAfter(`before:${step}`, `after:${step}`);
  });
});

// What landed may be final before a service that was killed looks again: then nothing is ever just confirmed.
describe.concurrent('a service that is killed', () => {
  test('after it has sent, before it records that this was confirmed, goes on in the same way', () =>
    expectToGoOnAfter('before:SubmissionConfirmed'));
  test('directly after SubmissionConfirmed goes on in the same way', () =>
    expectToGoOnAfter('after:SubmissionConfirmed'));
});
