/** The tables of the ledger's file, as the steps that bring a file from each version of them to the next. */
import type Database from 'libsql';

const STEPS: readonly string[] = [
  `CREATE TABLE genesis (only INTEGER PRIMARY KEY CHECK (only = 1), hash BLOB NOT NULL, faucet_seed BLOB NOT NULL);
  CREATE TABLE slot_rates (first_slot INTEGER PRIMARY KEY, started_at INTEGER NOT NULL, slot_milliseconds REAL NOT NULL);
  CREATE TABLE accounts (
    address BLOB PRIMARY KEY, lamports TEXT NOT NULL, owner BLOB NOT NULL, executable INTEGER NOT NULL,
    data BLOB NOT NULL, token_mint BLOB, token_owner BLOB);
  CREATE INDEX accounts_by_owner ON accounts (owner);
  CREATE INDEX accounts_by_token_mint ON accounts (token_mint) WHERE token_mint IS NOT NULL;
  CREATE INDEX accounts_by_token_owner ON accounts (token_owner) WHERE token_owner IS NOT NULL;
  CREATE TABLE transactions (
    sequence INTEGER PRIMARY KEY, signature BLOB NOT NULL UNIQUE, slot INTEGER NOT NULL,
    block_time INTEGER NOT NULL, error TEXT, wire BLOB NOT NULL, meta TEXT NOT NULL);
  CREATE INDEX transactions_by_slot ON transactions (slot);
  CREATE TABLE address_transactions (
    address BLOB NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (address, sequence)) WITHOUT ROWID;`,
  // Before, no slot was ever skipped: a block's height was its slot.
  `ALTER TABLE slot_rates ADD COLUMN first_height INTEGER NOT NULL DEFAULT 0;
  UPDATE slot_rates SET first_height = first_slot;
  CREATE TABLE named_by_files (address BLOB PRIMARY KEY) WITHOUT ROWID;`,
  // An account that did not exist then has no lamports.
  `CREATE TABLE earlier_accounts (
    address BLOB NOT NULL, replaced_in INTEGER NOT NULL, lamports TEXT NOT NULL, owner BLOB NOT NULL,
    executable INTEGER NOT NULL, data BLOB NOT NULL, token_mint BLOB, token_owner BLOB, UNIQUE (address, replaced_in));
  CREATE INDEX earlier_accounts_by_slot ON earlier_accounts (replaced_in);`,
  // Slots of which nothing was kept count as 0: they are final.
  `ALTER TABLE accounts ADD COLUMN written_in INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE earlier_accounts ADD COLUMN written_in INTEGER NOT NULL DEFAULT 0;
  UPDATE accounts SET written_in = ifnull(
    (SELECT max(replaced_in) FROM earlier_accounts WHERE address = accounts.address), 0);
  UPDATE earlier_accounts SET written_in = ifnull(
    (SELECT max(replaced_in) FROM earlier_accounts AS before
     WHERE before.address = earlier_accounts.address AND before.replaced_in < earlier_accounts.replaced_in), 0);
  DROP INDEX accounts_by_owner;
  DROP INDEX accounts_by_token_mint;
  DROP INDEX accounts_by_token_owner;
  CREATE INDEX accounts_by_owner ON accounts (owner, written_in, address);
  CREATE INDEX accounts_by_token_mint ON accounts (token_mint, written_in, address) WHERE token_mint IS NOT NULL;
  CREATE INDEX accounts_by_token_owner ON accounts (token_owner, written_in, address) WHERE token_owner IS NOT NULL;
  CREATE INDEX earlier_accounts_by_owner ON earlier_accounts (owner, written_in, address);
  CREATE INDEX earlier_accounts_by_token_mint ON earlier_accounts (token_mint, written_in, address)
    WHERE token_mint IS NOT NULL;
  CREATE INDEX earlier_accounts_by_token_owner ON earlier_accounts (token_owner, written_in, address)
    WHERE token_owner IS NOT NULL;`,
];

/**
 * Brings the tables to the version of this program, in one commit with what `begin` puts into a file that is new.
 * @throws Error when a later version has written the file: nothing in it may be touched then.
 */
export function bringUpToDate(database: Database.Database, path: string, begin: () => void): void {
  const [[version = 0] = []] = database.prepare('PRAGMA user_version').raw().all() as number[][];
  if (version > STEPS.length) {
    throw new Error(`the chain in ${path} was written by a later version of this program`);
  }
  if (version === STEPS.length) return;
  database.exec('BEGIN IMMEDIATE');
  for (const step of STEPS.slice(version)) database.exec(step);
  if (version === 0) begin();
  database.exec(`PRAGMA user_version = ${STEPS.length}`);
  database.exec('COMMIT');
}
