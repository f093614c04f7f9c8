/** The checks of every lamport and base unit of tax: the runs by the engine's rules, the chain beside them, and their files. */
import { check, HALT } from './declared-check.ts';

export const LEDGER_CHECKS = {
  rules: check('ledgers', 'rules', {
    proves:
      'every step of every run, and every byte of its ledger, is what the rules decide on what was recorded before it',
    remedy: HALT,
    findings: {
      '… follows from the rules':
        'the event was changed, or a build with other rules recorded it; the finding shows the fields that differ',
      'a row of a ledger follows from the rules':
        'the wallet was allotted another amount than its balance and the ledger before it give, or its record was changed',
      'a scan adds up to the supply': 'a holder is missing, made up or counted twice in the ledger',
      'the mint is read behind the scan': 'the record of the scan was changed',
      'a link spends the till before it': 'a link before it was removed or changed',
      "a till's address commits to what its link does": 'the recorded actions of the link were changed',
      'a sale takes no more than the settings allow': 'tokens were sold that the settings keep or burn',
      'a close takes what the pot may still pay': 'a payment was added to the log, or removed from it',
      'the pots of a run cover its payments': 'a payment of the ledger has no pot, or two',
      'a pot may pay what the ledger says': 'the pot was given another sum than its payments',
      "a pot is the wallet's": 'the pot is an account of somebody else',
      'the distributor pays out of a pot of SOL': 'somebody else may pay out of the pot',
      'a batch pays the next payments of its pot': 'payments were left out or planned twice',
      'a batch leaves out only refused payments':
        'a wallet was left out although the chain did not refuse it',
      'a batch is recorded before it is signed': 'the plan of the batch was removed or changed',
      'a settled batch lowers its pot by what it paid': 'the batch paid another sum than its payments',
    },
  }),
  payments: check('ledgers', 'payments', {
    proves:
      'every recorded link, withdrawal and batch landed as it was recorded, and our keys have signed nothing else',
    remedy: HALT,
    findings: {
      'a recorded transaction is on the chain': 'the log says that it landed, and the chain does not have it',
      'a link does what is recorded': 'another content landed than is recorded',
      'the distributor takes back no more than the rents that it lent': 'it took lamports of the token',
      'a till is recorded with all that its link left in it': 'less is divided than the sale brought',
      'a till is recorded with no more than the next link found in it':
        'more is divided than the sale brought',
      'the tax is withdrawn': 'the transaction that is recorded as the withdrawal does something else',
      'what was withdrawn is collected':
        'another amount was divided than the wallet held behind the withdrawal',
      'a batch pays what is recorded': 'the transaction paid somebody else, or another amount',
      'only recorded batches are paid':
        'the transaction paid out of a pot, and the log does not have it: the log was put back to an older state, or somebody else has the key',
      'a recorded fee is the one that the chain took': 'the costs of the run were changed',
      'the wallet signs only recorded links and collections of tax':
        'the log was put back to before this transaction, or the link was removed from it; or somebody else has the key of the wallet, and took tokens, lamports or withheld tax',
      'the till holds what is owed and what could not be divided': 'lamports are missing',
      "the wallet's account holds what is kept, owed and could not be divided": 'tokens are missing',
      'nobody is paid who can never spend it':
        'a program or a sysvar was to be paid. Or the wallet that was paid has been turned into a program since: the account of its code says in which slot that was deployed last',
    },
  }),
  files: check('ledgers', 'files', {
    proves: 'every ledger file is there, and is the one that the log names',
    remedy: 'Put the file back from a backup: its name is its SHA-256',
    findings: {
      'a ledger file is the one that the log names':
        'it is missing, cut off or changed; the allotment of its run, and of the next one, cannot be decided again without it',
    },
  }),
} as const;
