/**
 * Every check of an audit, with what it proves, what each of its findings means, and what to do about them. The reference
 * page is made of this list; a variable part of a sentence is `…`, and `run …: ` before it is left out.
 */
import type { CheckGroup, CheckNames } from './check-names.ts';

export interface DeclaredCheck extends CheckNames {
  readonly proves: string;
  /** By the sentence of the finding: what it means. */
  readonly findings: { readonly [what: string]: string };
  /** Markdown, with links as they stand in docs/reference. */
  readonly remedy: string;
}

const RESTORE =
  '[Restore](../how-to/operate/back-up-and-restore.md) a backup that the audit finds nothing in';
const HALT =
  '[Halt the token](../how-to/operate/distribute-tax.md) first. Then look at the signature with a node that you believe';

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
      "a stream's events are numbered without a gap": 'an event before it was removed, moved or doubled',
      'positions grow': 'the store gives events in another order than their positions',
    },
  }),
  ids: check('log', 'ids', {
    proves: 'no two events have the same id',
    remedy: RESTORE,
    findings: { 'an id is of one event': 'an event was copied' },
  }),
  schema: check('log', 'schema', {
    proves: 'every event is of a known type and valid under its schema',
    remedy: '[Give up an event](../how-to/operate/give-up-an-event.md), if no backup has it whole',
    findings: { 'every event can be decoded': 'its data were changed, or another program wrote it' },
  }),
  fold: check('log', 'fold', {
    proves: 'every stream can be folded by its own rules',
    remedy: `${RESTORE}; report it if there is none`,
    findings: { 'a stream can be folded': 'the event does not fit what stands before it' },
  }),
  order: check('log', 'order', {
    proves: "the events of a stream follow each other as the stream's rules allow",
    remedy: RESTORE,
    findings: {
      'an event is in the stream that it names': 'it was moved to another stream',
      '… comes before everything else of its stream': "the stream's first event was removed or moved",
      '… comes once in its stream': 'the event was doubled',
      '… is recorded only where it is not so already': 'a copy of the event was appended',
      "a draft's events follow each other as they may": 'one of them was removed, doubled or swapped',
      'a nonce account is leased to one draft at a time, at the value that it has':
        'two drafts share a nonce, of which only one can land',
      'a nonce account is taken back from the draft that leases it': 'a lease was removed or changed',
      'a token has one open run at a time': 'the end of a run was removed, or a run was doubled',
      'the runs of a token are numbered': 'a run was removed or changed',
      'a step belongs to the open run': 'the step, or the opening of its run, was moved or changed',
      'a link was recorded before it landed':
        'something landed that was not planned; or the plan was removed',
      'a batch was recorded before it was paid':
        'something was paid that was not planned; or the plan was removed',
    },
  }),
  causes: check('log', 'causes', {
    proves: 'what led to an event is in the log',
    remedy: RESTORE,
    findings: { 'what led to an event is in the log': 'the event that led to it was removed' },
  }),
  transparency: check('log', 'transparency', {
    proves: "the transparency log's tiles match every event",
    remedy: `${RESTORE}. What everybody could see of the log before was another: tell those who rely on it`,
    findings: {
      'the tiles of the transparency log give the root that its key has signed':
        'a tile or the checkpoint is missing, was replaced, or was signed by another key',
      'an event is the one that the transparency log has an entry of':
        'the event was changed after it was published',
      'no event was put in the place of another': 'the event stands where another was published',
      'an event is in the transparency log': 'it was inserted before events that are published, or changed',
      'an event of the transparency log is in the log':
        'a published event was removed, or the log was put back to an older state',
      'events stand in the order in which the notary saw them': 'events were moved within the log',
    },
  }),
  documents: check('read-models', 'documents', {
    proves: 'every document of the read models is what the log says',
    remedy: '[`levy rebuild`](../how-to/operate/rebuild-and-compare.md)',
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
    remedy: 'Compare with another node first. If it says the same, restore',
    findings: {
      'a submission landed': 'the chain does not have it, though the node has transactions of that time',
      'a submission that landed had no error': 'it took no effect, and the log says that it did',
      'a submission landed in the slot that is recorded':
        'the record was changed, or a fork moved it after it was final',
      'what landed was issued': 'no draft with this message is in the log',
      'what landed is the message that was issued':
        'another message landed under this signature, or the draft was changed',
    },
  }),
  failures: check('chain', 'failed-submissions', {
    proves: 'no submission that is recorded as failed took effect',
    remedy: 'Compare with another node first. If it says the same, restore',
    findings: { 'a failed submission took no effect': 'it did, and the log says that it did not' },
  }),
  mints: check('chain', 'mints', {
    proves: "every token's mint has the tax, authorities, supply and metadata that are recorded",
    remedy:
      'Compare with another node first. A creator may change what it kept the right to change; anything else: restore',
    findings: {
      'a token has its mint': 'the chain has no mint of Token-2022 at the address',
      'a mint has the recorded decimals': 'the record was changed',
      'a mint has at most the recorded supply':
        'more was minted than is recorded. Less is right: everybody may burn',
      'nobody can mint more of a token': 'somebody can',
      'nobody can freeze a token': 'somebody can',
      'a mint has a tax': 'transfers are not taxed',
      'a mint has the recorded tax':
        'the record was changed; or its creator has just changed the tax, and no service has seen it yet',
      'nobody can change the tax': 'somebody can, and its creator gave the right up',
      'the tax is withdrawn by the distribution wallet': "somebody else can withdraw the holders' tax",
      'the metadata are in the mint': 'wallets show what stands elsewhere',
      'nobody can put the metadata elsewhere': 'somebody can',
      'a mint has metadata': 'the mint has none',
      'the metadata are of this mint': 'they name another',
      'the metadata have the recorded name':
        'the record was changed: nobody can change the metadata of this token',
      'the metadata have the recorded symbol': 'the same',
      'the metadata have the recorded URI': 'the same',
      'nobody can change the metadata': 'somebody can, and its creator gave the right up',
    },
  }),
  payments: check('ledgers', 'payments', {
    proves:
      'every payment of the ledgers was made, every payment that was made is in them, none twice, and all equations hold',
    remedy: HALT,
    findings: {
      'every payment of the ledger is on the chain':
        'the ledger says that this transaction paid, and the chain does not have it',
      'every payment on the chain is in the ledger': 'this transaction paid, and the ledger does not have it',
      'each is paid by one batch at most in one capacity': 'the ledger has a payment twice',
      'a payment is what was planned': 'another amount was paid than was allotted',
      "a payment is the ledger's": 'the transaction paid somebody else, or another amount',
      'a batch pays as many as the ledger says': 'the transaction paid more or fewer',
      'every batch is paid by a pot of the run': 'the ledger names an account that is no pot of the run',
      'a pot may pay what the ledger says': 'the chain allowed it another sum',
      'a pot pays no more than it may': 'more left the pot than was allowed',
      "a run's key is lent lamports by links": 'the distributor gave it lamports by another transaction',
      "a run's key gives lamports back, and to nobody else": 'it paid somebody else',
      "what a run's key was lent is there, came back or was paid as fees":
        'lamports that the distributor lent are gone',
      'a delegate is approved once for one account':
        'it was approved again, so that late payments could land twice',
      'nothing but payments and closings touches a pot': 'our keys signed something else about it',
      'what is paid is the allowance less the meter':
        'a payment is missing in what the node shows, or was made past the meter',
      'what is paid is the allowance less the meter at the close': 'the same, of a pot that is closed',
      'the chain has as many links as the books':
        'the wallet signed something that is not recorded, or a record has no transaction',
      'the wallet signs only links that are recorded':
        'the log was put back to before this link, or the link was removed from it; or somebody else has the key of the wallet',
      'each till is the one that the books name': 'another content landed than is recorded',
      'each link is the one that the books name': 'another transaction made the till than is recorded',
      'a till is spent once': 'two transactions closed it',
      'whatever a link closes goes into the new till': 'lamports of the token went elsewhere',
      'what leaves a till goes into a pot of the books': 'lamports of the token went elsewhere',
      'the distributor takes back the rents that it lent, and no more':
        'it took lamports of the token, or left some',
      'a link burns what the books say': 'more or less was burned',
      'the last till is there': 'the account that holds what is owed is gone',
      'the till holds what is owed and what could not be divided': 'lamports are missing',
      "the wallet's account holds what is kept, owed and could not be divided": 'tokens are missing',
      "the chain was told the ledger's root before anything was paid":
        'the ledger is not the one that was announced: it was made anew afterwards',
      'what was collected and kept is burned, sold or kept': 'the sums of the run do not add up',
      'the proceeds are for costs, developer and holders': 'the sums of the run do not add up',
      "the holders' part and earlier dust are shares and dust": 'the sums of the run do not add up',
      'the shares are those of the ledger': 'the page of the run and its ledger differ',
      'what was owed is what the ledger says': 'the page of the run and its ledger differ',
      'what was paid is what the batches paid': 'the page of the run and its settlement differ',
      'debts were paid by the batches': 'the page of the run and its settlement differ',
      'what is owed is what was owed and earned, less what was paid': 'the sums of the run do not add up',
      'the costs are those of the ledger': 'the page of the run and its ledger differ',
      "the developer's part is that of the ledger": 'the page of the run and its ledger differ',
      'the ledger is of the run': 'its file is that of another run',
      'the ledger names the one before it': 'a ledger between the two was replaced or left out',
      'weights are computed as the settings say':
        'the ledger weighs holders by another model than was chosen',
      'holders need what the settings say': 'the ledger asks for another holding than was chosen',
      "what is divided is the holders' part and earlier dust": 'the ledger divides another sum',
      'a scan says what it adds up to': 'the record of the scan is damaged',
      'the mint is read behind the scan': 'the record of the scan was changed',
      'the accounts of a scan are no fewer':
        'a holder is missing: the node left one out, or the record was changed',
      'the accounts of a scan are no more':
        'a holder is made up or counted twice: by the node, or the record was changed',
      'what a scan leaves open is what was burned and harvested meanwhile':
        'the record of the scan was changed',
      'the holders of the ledger have what the scan has found':
        'the ledger lacks a holder or has another balance than was found',
      'the weights add up': 'the sum by which shares are computed is wrong',
      'a share is what the weight makes it': 'the holder got too much or too little',
      'nobody weighs more than they hold': 'the holder counts with more than the balance',
      'a debt has no share': 'somebody got a share in an asset that the run does not pay',
      'all that is due is paid, or nothing': 'the planned payment is another sum than what is due',
      'who is not paid has a reason': 'the reason does not fit the planned payment',
      'a payment is at least the smallest': 'a payment was planned that is too small to be worth its cost',
      'nobody is paid who can never spend it':
        'a program or a sysvar was to be paid. Or the wallet that was paid has been turned into a program since: the account of its code says in which slot that was deployed last',
      'it keeps what was kept before': 'tokens that an earlier run kept are lost or made up',
      'it divides what was not divided before': 'what an earlier run could not divide is lost or made up',
      'it owes what was owed before': 'debts are lost or made up',
      'it begins with what run … left owed': 'a debt to this wallet is lost or made up',
      'it has counted what was paid up to run …':
        'the ledger forgets or makes up earlier payments to this wallet',
      'nobody is owed what no earlier run left': 'a debt to this wallet is made up',
      'the tax was withdrawn': 'no withdrawal of the tax is on the chain',
      'all that was withdrawn is collected': 'less was collected than the account held',
      'no more is collected than was there to be split': 'more was collected than the account held',
      'the sale goes into a till': 'what was sold was paid elsewhere',
      'all that the sale brought are proceeds': 'less is divided than the sale brought',
      'no more are proceeds than was in the till': 'more is divided than the sale brought',
    },
  }),
  files: check('ledgers', 'files', {
    proves: 'every ledger file is there, and is the one that the log names',
    remedy: 'Put the file back from a backup: its name is its SHA-256',
    findings: {
      'a ledger file is the one that the log names':
        'it is missing, cut off or changed; the run cannot be audited without it. Of a changed allotment the finding says among which records, and whose sums the next run shows otherwise',
    },
  }),
  promotions: check('promises', 'promotions', {
    proves: 'every promotion was paid for by a final payment of its price',
    remedy: 'Look at the signature, and end the promotion',
    findings: {
      'a promotion starts when its payment is final': 'it began without a payment',
      'a promotion names its payment': 'it names another transaction than its draft',
      'a promotion was paid for': 'its creator paid the treasury another sum than the price',
    },
  }),
  launches: check('promises', 'launches', {
    proves: 'the liquidity of every launch is locked',
    remedy: 'Look at the pool, and warn those who trade in it',
    findings: {
      'a launch has its pool': 'the chain has no pool of the venue at the address',
      'a pool is of the launched token': 'it trades another one',
      'a pool is paid in SOL': 'it is paid in something else',
      "a pool is the creator's": 'somebody else made it',
      'the liquidity of a launch is locked':
        'less is locked than is recorded: somebody can take the rest out',
    },
  }),
  settings: check('promises', 'settings', {
    proves: "a token's settings and lists of owners were changed by its creator alone",
    remedy: '[Halt the token](../how-to/operate/distribute-tax.md), and look at who acted',
    findings: { 'settings are changed by the creator': 'somebody else changed them' },
  }),
  pinned: check('promises', 'pinned-settings', {
    proves: "every run was opened and split by the settings of its token's creator",
    remedy: HALT,
    findings: {
      'a run is of a token': 'the token is not in the log',
      'a run goes by the settings that its creator chose: …':
        'the run has another setting, and its creator has not changed it within the minute before',
      'a run is of the mint of its token': 'it distributes another one',
      'a run is paid by the wallet of its token': 'it is paid by another one',
      'a run burns what its settings say': 'more or less was burned',
      'a run takes over the tax of earlier sales: …':
        'it begins with more or less than the run before has left',
      'the tax of earlier sales comes back: …': 'it was divided as new tax, or new tax was taken for it',
      "the tax of a run's sale is that of its rates":
        'the rates that the run is bound to do not give this tax',
      'the tax of a sale stays in the buckets that were sold: …':
        'the developer got the tax of the holders, or the reverse',
      'a run hands on the tax of its sales: …': 'the next run begins with more or less',
      'a run divides what it collected as its settings say: …':
        'the developer or the holders got another part',
      'a run sells no more than its settings allow: …': 'more was sold than the settings allow',
      "the developer gets the part of the proceeds of the developer's tokens":
        'the developer got too much or too little',
    },
  }),
  prices: check('promises', 'fair-price', {
    proves:
      'no sale into a pool could bring less than its floor, which follows from the recorded reference, and the sales of half an hour kept to their budget',
    remedy: `${HALT}; [A fair price](../explanation/fair-price.md) says how sales are bound`,
    findings: {
      'a sale into a pool has a reference': 'it was made at the price of the moment alone',
      'the reference of a sale is of enough samples': 'a few moments of the pool made it',
      'the reference of a sale covers enough time': 'a short time of the pool made it',
      'the floor of a sale follows from its reference':
        'the floor is not what the pool pays at the reference price',
      'the minimum of a sale is not under its floor': 'the chain would have accepted less',
      'no more arrives in the pool than is sold': 'the figures of the sale do not fit each other',
      'a sale counts the others of its half hour': 'what others had moved the price by was left out',
      'the sales of half an hour stay within their budget': 'they moved the price further than is promised',
    },
  }),
} as const;
