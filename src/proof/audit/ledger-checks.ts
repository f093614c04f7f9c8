/** The checks of every lamport and base unit of tax: the chain beside the ledgers of the runs. */
import { check, HALT } from './declared-check.ts';

export const LEDGER_CHECKS = {
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
      'a delegate is approved once for one account':
        'it was approved again, so that late payments could land twice',
      'nobody else may pay from a pot of SOL':
        'the wallet approved somebody who is not in the books: what they may take is not theirs',
      'a link approves nobody but whom the books name': 'the same, of any account of the wallet',
      'nothing but payments and closings touches a pot': 'our keys signed something else about it',
      'what is paid is the allowance less the meter':
        'a payment is missing in what the node shows, or was made past the meter',
      'what is paid is the allowance less the meter at the close': 'the same, of a pot that is closed',
      'the chain has as many links as the books':
        'the wallet signed something that is not recorded, or a record has no transaction',
      'the wallet signs only links that are recorded':
        'the log was put back to before this link, or the link was removed from it; or somebody else has the key of the wallet',
      'the wallet signs only links and collections of tax':
        'tokens or withheld tax were taken with the key of the wallet: somebody else has it',
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
      'what was paid is what the batches paid: …':
        'the run says that holders, developer or distributor got another part than its settlement gives them',
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
} as const;
