/**
 * Every check of an audit: the property it proves, the rules that a finding can violate, and the remedy. The reference page is
 * generated from this list.
 */
export type CheckGroup = 'log' | 'read-models' | 'chain' | 'ledgers' | 'promises';

export interface CheckNames {
  readonly group: CheckGroup;
  /** Unique in its group; stable across releases. */
  readonly check: string;
}

export interface DeclaredCheck extends CheckNames {
  readonly proves: string;
  /** Meaning of a violation, keyed by the violated rule; `…` is a variable part. */
  readonly findings: { readonly [what: string]: string };
  /** Markdown, with links relative to docs/reference. */
  readonly remedy: string;
}

const RESTORE = '[Restore](../how-to/operate/back-up-and-restore.md) a backup that passes the audit';
const HALT =
  '[Halt the token](../how-to/operate/distribute-tax.md) first. Then check the signature with a node that you trust';

function check(
  group: CheckGroup,
  name: string,
  about: Pick<DeclaredCheck, 'proves' | 'findings' | 'remedy'>,
): DeclaredCheck {
  return { group, check: name, ...about };
}

export const CHECKS = {
  revisions: check('log', 'revisions', {
    proves: "every stream's events are numbered from 0 without a gap, in the order of the log",
    remedy: RESTORE,
    findings: {
      "a stream's events are numbered without a gap": 'an event before it was removed, moved or duplicated',
      'positions grow': 'the store returns events in another order than their positions',
    },
  }),
  schema: check('log', 'schema', {
    proves: 'every event is of a known type and valid under its schema',
    remedy:
      '[Quarantine the event](../how-to/operate/quarantine-an-event.md), if no backup contains it intact',
    findings: { 'every event can be decoded': 'its data was changed, or another program wrote it' },
  }),
  fold: check('log', 'fold', {
    proves: 'every stream can be folded by its own rules',
    remedy: `${RESTORE}; if no backup passes, report the problem`,
    findings: { 'a stream can be folded': 'the event does not follow from those before it' },
  }),
  order: check('log', 'order', {
    proves: "the events of a stream follow each other as the stream's rules allow",
    remedy: RESTORE,
    findings: {
      'an event is in the stream that it names': 'it was moved to another stream',
      '… is the first event of its stream': "the stream's first event was removed or moved",
      '… occurs once in its stream': 'the event was duplicated',
      "a draft's events are in a valid order": 'one of them was removed, duplicated or swapped',
      'a nonce account is leased to one draft at a time, at its current value':
        'two drafts share a nonce, of which only one can land',
      'a nonce account is released by the draft that leased it': 'a lease was removed or changed',
      'a token has one open run at a time': 'the end of a run was removed, or a run was duplicated',
      'a step belongs to the open run': 'the step, or the opening of its run, was moved or changed',
      'a link was recorded before it landed':
        'a transaction landed that was not planned, or its plan was removed',
    },
  }),
  transparency: check('log', 'transparency', {
    proves: "the transparency log's tiles match every event",
    remedy: `${RESTORE}. The published log differs: inform its readers`,
    findings: {
      'the tiles of the transparency log have the signed root':
        'a tile or the checkpoint is missing, was replaced, or was signed by another key',
      'an event matches its entry in the transparency log':
        'the event was changed after it was published, or another one was published in its place',
      'the events are those of the transparency log, in its order':
        'an event was inserted, removed or moved here; later events are not compared',
      'an event of the transparency log is in the log':
        'the last published events were removed, or the log was restored to an older state',
    },
  }),
  documents: check('read-models', 'documents', {
    proves: 'every document of the read models follows from the log',
    remedy: '[rebuild the read model](../how-to/operate/rebuild-and-compare.md#rebuild)',
    findings: {
      'the document … of … differs in …':
        'the document was changed, or a projection was wrong when it was written',
      'the document … of … is missing': 'the document was removed',
      'the document … of … is surplus': 'no event of the log leads to the document',
    },
  }),
  node: check('chain', 'node', {
    proves: 'the node answers',
    remedy: 'Try again, or another node',
    findings: {},
  }),
  submissions: check('chain', 'submissions', {
    proves:
      'every submission that is recorded as final landed, without an error, with the message that was issued',
    remedy: 'Compare with another node first. If it agrees, restore',
    findings: {
      'a submission landed':
        'the chain does not have it, although the node still stores transactions of that period',
      'a submission that landed had no error': 'it had no effect, but the log records success',
      'a submission landed in the recorded slot':
        'the record was changed, or a fork moved it after it was final',
      'the landed message was issued': 'no draft with this message is in the log',
      'the landed message is the issued one':
        'another message landed under this signature, or the draft was changed',
    },
  }),
  failures: check('chain', 'failed-submissions', {
    proves: 'no submission that is recorded as failed had an effect',
    remedy: 'Compare with another node first. If it agrees, restore',
    findings: { 'a failed submission had no effect': 'it had one' },
  }),
  mints: check('chain', 'mints', {
    proves: "every token's mint has the tax, authorities, supply and metadata that are recorded",
    remedy:
      'Compare with another node first. The creator may change what the token allows; for any other change, restore',
    findings: {
      'a token has its mint': 'the chain has no mint of Token-2022 at the address',
      'a mint has the recorded decimals': 'the record was changed',
      'a mint has at most the recorded supply':
        'more was minted than is recorded. A lower supply is valid, since holders may burn',
      'no account can mint more of a token': 'an account has the authority',
      'no account can freeze a token': 'an account has the authority',
      'a mint has a tax': 'transfers are not taxed',
      'a mint has the recorded tax':
        'the record was changed; or its creator has just changed the tax, and no service has seen it yet',
      'no account can change the tax': 'an account still has the authority, although the creator revoked it',
      'the tax is withdrawn by the distribution wallet': "another account can withdraw the holders' tax",
      'the metadata is in the mint': 'wallets show metadata from elsewhere',
      'no account can change the metadata pointer': 'an account has the authority',
      'a mint has metadata': 'the mint has none',
      'the metadata belongs to this mint': 'it names another',
      'the metadata has the recorded name':
        'the record was changed, since the metadata of this token is immutable',
      'the metadata has the recorded symbol': 'as for the name',
      'the metadata has the recorded URI': 'as for the name',
      'no account can change the metadata':
        'an account still has the authority, although the creator revoked it',
    },
  }),
  rules: check('ledgers', 'rules', {
    proves:
      'every step of every run, and every byte of its ledger, follows by the rules from the earlier events',
    remedy: HALT,
    findings: {
      '… follows from the rules':
        'the event was changed, or a build with other rules recorded it; the finding shows the fields that differ',
      'a row of a ledger follows from the rules':
        'the allotted amount does not follow from the balance and the previous ledger, or the record was changed',
      'a scan adds up to the supply': 'a holder is missing, made up or counted twice in the ledger',
      'the mint is read after the scan': 'the record of the scan was changed',
      'a link spends the till before it': 'a link before it was removed or changed',
      "a till's address commits to the actions of its link": 'the recorded actions of the link were changed',
      'a sale sells no more than the settings allow': 'tokens were sold that the settings keep or burn',
      'a close returns the rest of its pot': 'a payment was added to the log, or removed from it',
      'the pots of a run cover its payments': 'a payment of the ledger has no pot, or two',
      'a pot may pay the sum in the ledger': 'the pot was given another sum than its payments',
      "a pot is the wallet's": 'the pot belongs to another owner',
      'the distributor pays out of a pot of SOL': 'another account may pay out of the pot',
      'a batch pays the next payments of its pot': 'payments were left out or planned twice',
      'a batch leaves out only refused payments':
        'a wallet was left out although the chain did not refuse it',
      'a batch is recorded before it is signed': 'the plan of the batch was removed or changed',
      'a settled batch lowers its pot by its payments': 'the batch paid another sum than its payments',
    },
  }),
  payments: check('ledgers', 'payments', {
    proves:
      "every recorded link, withdrawal and batch landed as recorded, and the service's keys have signed nothing else",
    remedy: HALT,
    findings: {
      'a recorded transaction is on the chain':
        'the log records that it landed, but the chain does not have it',
      'a link matches its record': 'another content landed than is recorded',
      'the distributor receives at most the rents that it lent': 'it took lamports of the token',
      'a till is recorded with everything that its link left in it': 'less is divided than the sale brought',
      'a till is recorded with at most the amount that the next link found in it':
        'more is divided than the sale brought',
      'the tax is withdrawn': 'the transaction that is recorded as the withdrawal does something else',
      'the withdrawn amount is collected':
        'another amount was divided than the wallet held after the withdrawal',
      'a batch matches its record': 'the transaction paid another recipient or another amount',
      'only recorded batches are paid':
        'the transaction paid out of a pot, and the log does not have it: the log was restored to an older state, or another party has the key',
      'a recorded fee is the fee on the chain': 'the costs of the run were changed',
      'the wallet signs only recorded links and collections of tax':
        'there are three possible causes: the log was restored to a state before this transaction, the link was removed from the log, or another party has the key of the wallet and took tokens, lamports or withheld tax',
      'the till holds the owed and undivided amounts': 'lamports are missing',
      "the wallet's account holds the retained, owed and undivided amounts": 'tokens are missing',
      'every recipient can spend the payment':
        'a program or a sysvar was to be paid. Or the paid wallet has become a program since: the account of its code names the slot of its last deployment',
    },
  }),
  files: check('ledgers', 'files', {
    proves: 'every ledger file exists, with the content that the log names',
    remedy: 'Restore the file from a backup: its name is its SHA-256',
    findings: {
      'a ledger file has the content that the log names':
        'it is missing, truncated or changed; without it the allotments of its run and of the next one cannot be recomputed',
    },
  }),
  promotions: check('promises', 'promotions', {
    proves: 'every promotion was paid for by a final payment of its price',
    remedy: 'Check the signature, and end the promotion',
    findings: {
      'a promotion starts when its payment is final': 'it started without a payment',
      'a promotion names its payment': 'it names another transaction than its draft',
      'a promotion was paid for': 'its creator paid the treasury a different sum than the price',
    },
  }),
  launches: check('promises', 'launches', {
    proves: 'the liquidity of every launch is locked',
    remedy: 'Check the pool, and warn its traders',
    findings: {
      'a launch has its pool': 'the chain has no pool of the venue at the address',
      'a pool is of the launched token': 'it trades another one',
      'a pool is paid in SOL': 'it is paid in something else',
      "a pool is the creator's": 'another account created it',
      'the liquidity of a launch is locked': 'less is locked than recorded: the rest can be withdrawn',
    },
  }),
  settings: check('promises', 'settings', {
    proves: "a token's settings and lists of owners were changed by its creator alone",
    remedy: '[Halt the token](../how-to/operate/distribute-tax.md), and check who acted',
    findings: { 'settings are changed by the creator': 'another account changed them' },
  }),
  pinned: check('promises', 'pinned-settings', {
    proves: "every run was opened with the settings of its token's creator",
    remedy: HALT,
    findings: {
      'a run is of a token': 'the token is not in the log',
      'a run uses the settings of its creator: …':
        'the run has another setting, and its creator has not changed it within the minute before',
      'a run distributes the mint of its token': 'it distributes another one',
      'a run is paid by the wallet of its token': 'it is paid by another one',
    },
  }),
  prices: check('promises', 'fair-price', {
    proves:
      'no sale into a pool accepted less than its floor, which follows from the recorded reference, and the sales of each half hour stayed within their budget',
    remedy: `${HALT}; [A fair price](../explanation/fair-price.md) explains the limits of sales`,
    findings: {
      'a sale into a pool has a reference': 'it was made at the current price alone',
      'the reference of a sale has enough samples': 'it has too few samples of the pool',
      'the reference of a sale covers enough time': 'it covers too short a time',
      'the floor of a sale follows from its reference':
        'the floor differs from what the pool pays at the reference price',
      'the minimum of a sale is not under its floor': 'the chain would have accepted less',
      'the pool receives at most the sold amount': 'the figures of the sale contradict each other',
      'a sale counts the others of its half hour': 'price moves of other sales were omitted',
      'the sales of half an hour stay within their budget': 'they moved the price further than promised',
    },
  }),
} as const;
