// The store of ledgers cannot be opened: whoever reads why learns no folder, and the next call tries again.
import { expect, test } from 'vitest';
import { createLedgerFiles } from '../../../src/app/ledger-files.ts';
import { silentLogger } from '../../../src/kernel/ports/logger.ts';
import type { Configuration } from '../../../src/operations/config/configuration.ts';
import { runClosed } from '../../support/distribution-examples.ts';
import { ids } from '../../support/domain-examples.ts';
import { happening, recordedEvents } from '../../support/recorded-events.ts';

/** No folder can be made there. */
const URL = 'file:/dev/null/ledgers';

function unopenable() {
  let opened = 0;
  const closing: (() => Promise<void>)[] = [];
  const configuration = {
    get ledgerStore() {
      opened += 1;
      return { url: URL };
    },
  } as unknown as Configuration;
  const files = createLedgerFiles({
    configuration,
    logger: silentLogger,
    meter: {} as never,
    whenClosing: (close) => void closing.push(close),
  });
  const [closed] = recordedEvents([happening(ids.tokenId, runClosed)]);
  if (closed === undefined) throw new Error('there is an event');
  const readFiles = async () => {
    for await (const _file of files.filesOf(closed)) return;
  };
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error) => error,
    );
  return {
    ledgerFiles: () => failureOf(files.ledgerFiles()),
    filesOf: () => failureOf(readFiles()),
    opened: () => opened,
    close: () => Promise.all(closing.map((close) => close())),
  };
}

test('operators are told the variable and the folder, and those who read why a read model waits are not', async () => {
  const { ledgerFiles, filesOf } = unopenable();
  const failure = await ledgerFiles();
  expect(failure?.message).toContain('LEDGER_STORE_URL');
  const shown = await filesOf();
  expect(shown?.message).toBe('the store of ledgers cannot be opened');
  expect(shown?.cause).toMatchObject({ message: failure?.message });
});

test('all who ask at the same moment wait for one try, and the next one tries again', async () => {
  const { ledgerFiles, filesOf, opened, close } = unopenable();
  await Promise.all([ledgerFiles(), ledgerFiles(), filesOf()]);
  expect(opened()).toBe(1);
  await ledgerFiles();
  expect(opened()).toBe(2);
  await expect(close()).resolves.toBeDefined();
});
