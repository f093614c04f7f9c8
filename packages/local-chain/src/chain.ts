/** One chain in one process: ledger, clock, LiteSVM and bank, opened together from a folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadAccounts } from './account-files.ts';
import { Bank, stored } from './bank.ts';
import { SlotClock } from './clock.ts';
import { FAUCET_LAMPORTS, Faucet } from './faucet.ts';
import { LEDGER_FILE, Ledger, LedgerInUse, type StoredAccount } from './ledger.ts';
import { loadPrograms, type ProgramFile } from './program-files.ts';
import { programKeys } from './program-keys.ts';
import { Svm } from './svm.ts';

export interface Chain {
  readonly ledger: Ledger;
  readonly clock: SlotClock;
  readonly svm: Svm;
  readonly bank: Bank;
  readonly faucet: Faucet;
}

const RESTORE_PAGE = 1_000;
/** Retries while the file is locked, because a killed process may still hold it. */
const IN_USE_RETRIES = 20;
const IN_USE_PAUSE_MILLISECONDS = 100;

/** User's names for the options with files, for error messages. */
export interface OptionNames {
  readonly programs: string;
  readonly accountFiles: string;
}

export interface ChainOptions {
  readonly dataDir: string;
  readonly slotMilliseconds: number;
  /** True if the chain supports durable nonces. */
  readonly nonces: boolean;
  readonly programs: readonly ProgramFile[];
  readonly accountFiles: readonly string[];
  readonly optionNames: OptionNames;
  /** Receives warnings about skipped work that users might expect. */
  readonly report: (message: string) => void;
}

/**
 * Opens the chain of a folder, and creates a missing folder.
 * @throws LedgerInUse if another process has it open; FileRefused.
 */
export async function openChain(options: ChainOptions): Promise<Chain> {
  const { dataDir, slotMilliseconds, nonces, programs, accountFiles, optionNames, report } = options;
  mkdirSync(dataDir, { recursive: true });
  const ledger = await openLedger(join(dataDir, LEDGER_FILE), slotMilliseconds);
  const clock = new SlotClock(ledger.genesis.hash, ledger.slotRates, Math.max(1, ledger.newestSlot));
  const svm = new Svm(clock);
  const faucet = new Faucet(ledger.genesis.faucetSeed);
  await restoreAccounts(ledger, svm);
  loadPrograms(svm, programs, optionNames.programs);
  if (ledger.isEmpty && svm.account(faucet.address) === undefined) {
    await seedGenesis(ledger, svm, faucet);
  }
  for (const address of loadAccounts(svm, ledger, accountFiles, optionNames.accountFiles)) {
    report(`${optionNames.accountFiles}: the account ${address} exists on this chain and was not changed`);
  }
  await ledger.durable();
  return { ledger, clock, svm, faucet, bank: new Bank(svm, ledger, clock, { nonces }) };
}

async function openLedger(path: string, slotMilliseconds: number): Promise<Ledger> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return new Ledger(path, slotMilliseconds, Date.now());
    } catch (error) {
      if (!(error instanceof LedgerInUse) || attempt === IN_USE_RETRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, IN_USE_PAUSE_MILLISECONDS));
    }
  }
}

async function restoreAccounts(ledger: Ledger, svm: Svm): Promise<void> {
  // Setting a program's account loads the program, so the account with its code must be set first.
  const programs: StoredAccount[] = [];
  let after = 0;
  for (;;) {
    const page = ledger.accountsAfter(after, RESTORE_PAGE);
    for (const { row, account } of page) {
      if (account.executable) programs.push(account);
      else svm.setAccount(account.address, account);
      after = row;
    }
    if (page.length < RESTORE_PAGE) break;
    // libsql frees query results only when the event loop runs.
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const account of programs) svm.setAccount(account.address, account);
}

async function seedGenesis(ledger: Ledger, svm: Svm, faucet: Faucet): Promise<void> {
  svm.setAccount(faucet.address, {
    lamports: FAUCET_LAMPORTS,
    owner: programKeys.system,
    executable: false,
    data: new Uint8Array(),
  });
  const seeded = [faucet.address, programKeys.nativeMint, programKeys.nativeMint2022];
  ledger.seed(
    seeded.flatMap((address) => {
      const account = svm.account(address);
      return account === undefined ? [] : [stored(address, account)];
    }),
  );
  await ledger.durable();
}
