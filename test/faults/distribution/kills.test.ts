/** The real process is killed (SIGKILL) before, at and after everything that a run records; then every wallet has what it is due, once. */
import { test, vi } from 'vitest';
import { expectOneRunAcross } from '../../support/killed-distribution.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

/** So many that they are paid in several rounds. */
const HOLDERS = 140;

/** In their order within the first run of a token. */
const RECORDED = [
  'RunOpened',
  'LinksRecorded:begin',
  'LinksLanded:begin',
  'HoldersScanned',
  'TaxCollected',
  'LinksRecorded:split',
  'LinksLanded:split',
  'TaxSplit',
  'RunAllotted',
  'LinksRecorded:open',
  'LinksLanded:open',
  'RoundRecorded',
  'BatchesSettled',
  'LinksRecorded:close',
  'LinksLanded:close',
  'RunClosed',
];

/** Transactions that are sent after they were recorded. */
const SENT_AFTER = [
  'RunOpened',
  'LinksRecorded:begin',
  'HoldersScanned',
  'LinksRecorded:split',
  'LinksRecorded:open',
  'RoundRecorded',
  'LinksRecorded:close',
];

test.concurrent('a service that is killed before and after everything that a run records pays everybody once', () =>
  expectOneRunAcross(
    RECORDED.flatMap((type) => [{ at: `before:${type}` }, { at: `after:${type}` }]),
    HOLDERS,
  ));

test.concurrent('a service that is killed while it sends pays everybody once', () =>
  expectOneRunAcross(
    SENT_AFTER.map((type, index) => ({ at: `soon:${type}`, delay: 40 * index })),
    HOLDERS,
  ));
