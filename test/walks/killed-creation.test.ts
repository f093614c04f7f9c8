// A token is created by a service that is killed at four of its steps, and started again on the same folder.
import { test } from 'vitest';
import { expectToGoOnAfter } from '../support/interrupted-journey.ts';

test('killed at four steps of a creation, a service goes on: repeated calls give the same answers, there is one token', () =>
  expectToGoOnAfter(
    'after:DistributionWalletGenerated',
    'before:DraftIssued',
    'after:SubmissionAccepted',
    'before:SubmissionFinalized',
  ));
