// Recomputes a closed distribution run from its ledger files and the chain: the holders' balances, the collected,
// burned and sold amounts, the debts of earlier runs, and every payment. Needs only Node;
// docs/how-to/integrate/recompute-a-run.md describes its use. verify-payment.mjs checks the files against each other
// (tree, shares, sums).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const USAGE = `node examples/recompute-run.mjs --allotment FILE --settlement FILE --rpc URL [--run FILE]
                               [--before-allotment FILE --before-settlement FILE]
  --allotment, --settlement  the two files of the run, from GET /files/:sha256
  --before-allotment, --before-settlement
                             the files of the token's previous run, unless this is the first
  --rpc                      any Solana node with full history
  --run                      a saved response of GET /distribution/:tokenId/runs/:runId, whose amounts are compared
exit code 0: all checks passed; 1: a check failed; 2: a check could not be made`;

/** A check failed. */
class DoesNotHold extends Error {}
/** A check could not be made. */
class CouldNotLook extends Error {}

function mustHold(holds, sentence) {
  if (!holds) throw new DoesNotHold(sentence);
}

/** Escapes control and format characters as \u001b: terminals obey the former, and the latter reorder text. */
function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

function say(sentence) {
  process.stdout.write(`${visible(sentence)}\n`);
}

const LARGEST_ANSWER = 64 * 1024 * 1024;
const DEEPEST = 100;

/** Deeper JSON would overflow the stack of recursive functions. */
function parseJson(text) {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isInString = !isInString;
    else if (isInString) at += sign === '\\' ? 1 : 0;
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > DEEPEST) throw new CouldNotLook('the JSON is nested too deep');
  }
  return JSON.parse(text);
}

async function jsonOf(response) {
  const pieces = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > LARGEST_ANSWER) throw new CouldNotLook(`a response has more than ${LARGEST_ANSWER} bytes`);
    pieces.push(piece);
  }
  return parseJson(Buffer.concat(pieces).toString());
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function base58(bytes) {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

function fromBase58(text) {
  let number = 0n;
  for (const letter of text) number = number * 58n + BigInt(ALPHABET.indexOf(letter));
  const digits = number === 0n ? '' : number.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([Buffer.alloc(text.length - text.replace(/^1+/, '').length), bytes]);
}

const KINDS = ['costs', 'developer', 'holder', 'debt'];
const REASONS = [
  'planned',
  'below-minimum-holding',
  'below-least-share',
  'below-minimum-payout',
  'no-account',
  'under-rent-floor',
  'excluded-by-creator',
  'excluded',
  'pool',
  'program-owned',
  'program',
  'sysvar',
];
/** Holders with these reasons earn nothing, whatever their balance. */
const WITHOUT_SHARE = ['excluded-by-creator', 'excluded', 'pool', 'program', 'sysvar'];
const COLUMNS = ['balance', 'basis', 'share', 'owedBefore', 'planned', 'paidBefore'];
const RECORD_SIZE = 82;
const BATCH_SIZE = 90;
const REFUSAL_SIZE = 5;
const U64_MAX = 2n ** 64n - 1n;
const ACCOUNTS_PER_CALL = 100;
/** Owners of programs, of accounts that belong to programs' loaders, and of sysvars. */
const UNSPENDABLE = [
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'Feature111111111111111111111111111111111111',
  'Sysvar1111111111111111111111111111111111111',
];

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

function readHeader(file, format) {
  const end = 4 + file.readUInt32LE(0);
  let header;
  try {
    header = parseJson(file.subarray(4, end).toString());
  } catch {
    throw new CouldNotLook(`a file does not begin with the header of a ${format}`);
  }
  if (header.format !== format) throw new CouldNotLook(`a file is a ${header.format}, not a ${format}`);
  return { header, end };
}

function readAllotment(file) {
  const { header, end } = readHeader(file, 'levy-allotment-1');
  const records = Array.from({ length: header.records }, (_, index) => {
    const bytes = file.subarray(end + index * RECORD_SIZE, end + (index + 1) * RECORD_SIZE);
    const record = { index, owner: base58(bytes.subarray(0, 32)), kind: KINDS[bytes[32]] };
    record.reason = REASONS[bytes[33]];
    for (const [column, name] of COLUMNS.entries()) record[name] = bytes.readBigUInt64LE(34 + 8 * column);
    record.asset = record.kind === 'debt' ? otherAsset(header.asset) : header.asset;
    return record;
  });
  return { header, records, sha256: hashOf(file) };
}

const otherAsset = (asset) => (asset === 'sol' ? 'token' : 'sol');

/** Decodes the settlement, with the records that each transaction paid. */
function readSettlement(file, { records, sha256 }) {
  const { header, end } = readHeader(file, 'levy-settlement-1');
  mustHold(header.allotment === sha256, 'the settlement belongs to another allotment');
  const planned = { sol: [], token: [] };
  for (const record of records) if (record.planned > 0n) planned[record.asset].push(record);
  let at = end + (header.sol.batches + header.token.batches) * BATCH_SIZE;
  const refused = new Set();
  for (const asset of ['sol', 'token'])
    for (let left = header[asset].refused; left > 0; left--, at += REFUSAL_SIZE)
      refused.add(planned[asset][file.readUInt32LE(at)]);
  at = end;
  const batches = [];
  for (const asset of ['sol', 'token'])
    for (let left = header[asset].batches; left > 0; left--, at += BATCH_SIZE) {
      const paid = planned[asset].slice(file.readUInt32LE(at + 2), file.readUInt32LE(at + 6));
      batches.push({
        asset,
        pot: header.pots[file.readUInt16LE(at)].address,
        records: paid.filter((record) => !refused.has(record)),
        signature: base58(file.subarray(at + 10, at + 74)),
        slot: file.readBigUInt64LE(at + 74),
      });
    }
  return { header, batches, paid: new Set(batches.flatMap((batch) => batch.records)) };
}

/**
 * State after the previous run: owed and paid amounts by asset and owner, and the holders' balances. Empty before
 * the first run.
 */
function readBefore({ header }, allotmentFile, settlementFile) {
  if (header.previousRoot === null)
    return {
      owed: { sol: 0n, token: 0n },
      dust: { sol: 0n, token: 0n },
      owners: new Map(),
      balances: undefined,
    };
  if (allotmentFile === undefined || settlementFile === undefined)
    throw new CouldNotLook('this is not the first run: add --before-allotment FILE --before-settlement FILE');
  const allotment = readAllotment(allotmentFile);
  const settlement = readSettlement(settlementFile, allotment);
  mustHold(
    settlement.header.root === header.previousRoot,
    'the given previous run is not the one that this run names',
  );
  const owners = new Map();
  for (const record of allotment.records) {
    const paid = settlement.paid.has(record) ? record.planned : 0n;
    const { owed, sum } = owners.get(`${record.asset} ${record.owner}`) ?? { owed: 0n, sum: 0n };
    owners.set(`${record.asset} ${record.owner}`, {
      owed: owed + record.owedBefore + record.share - paid,
      sum: sum + record.paidBefore + paid,
    });
  }
  const amounts = ({ sol, token }) => ({ sol: BigInt(sol), token: BigInt(token) });
  return {
    owed: amounts(settlement.header.owedAfter),
    dust: amounts(settlement.header.dustAfter),
    owners,
    balances: new Map(
      allotment.records.filter(({ kind }) => kind === 'holder').map(({ owner, balance }) => [owner, balance]),
    ),
  };
}

const NATIVE_MINT = 'So11111111111111111111111111111111111111112';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const MEMO_PROGRAMS = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVddwQDwFMNo',
];
/** First bytes of instruction data: a burn, and a transfer that names its tax. The amount follows. */
const BURNS = [8, 15];
const TRANSFER_WITH_FEE = Buffer.of(26, 1);
const PAGE = 1_000;
const AT_ONCE = 16;

async function ask(rpc, method, params) {
  let answer;
  try {
    const response = await fetch(rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    answer = await jsonOf(response);
  } catch (error) {
    throw new CouldNotLook(`the node does not respond: ${error.message}`);
  }
  if (answer.error) throw new CouldNotLook(`the node refuses ${method}: ${answer.error.message}`);
  return answer.result;
}

async function fetchTransaction(rpc, signature) {
  const how = { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 1 };
  const found = await ask(rpc, 'getTransaction', [signature, how]);
  if (!found) throw new CouldNotLook(`the node does not have ${signature} as finalized`);
  const { slot, meta, transaction } = found;
  mustHold(meta.err === null, `transaction ${signature} failed on the chain`);
  const loaded = meta.loadedAddresses ?? { writable: [], readonly: [] };
  const keys = [...transaction.message.accountKeys, ...loaded.writable, ...loaded.readonly];
  const held = (balances) =>
    new Map(
      (balances ?? []).map(({ accountIndex, mint, owner, uiTokenAmount: { amount } }) => [
        keys[accountIndex],
        { mint, owner, amount: BigInt(amount) },
      ]),
    );
  return {
    signature,
    slot: BigInt(slot),
    meta,
    keys,
    before: held(meta.preTokenBalances),
    after: held(meta.postTokenBalances),
    instructions: transaction.message.instructions.map(({ programIdIndex, data }) => ({
      program: keys[programIdIndex],
      data: fromBase58(data),
    })),
  };
}

/** Successful transactions that name an address, oldest first. */
async function historyOf(rpc, address) {
  const signatures = [];
  for (;;) {
    const before = signatures.at(-1)?.signature;
    const page = await ask(rpc, 'getSignaturesForAddress', [
      address,
      { limit: PAGE, commitment: 'finalized', ...(before && { before }) },
    ]);
    signatures.push(...page);
    if (page.length < PAGE) break;
  }
  return signatures.filter(({ err }) => err === null).reverse();
}

/** Fetches the transactions in order, several concurrently. */
async function* transactionsOf(rpc, signatures) {
  for (let from = 0; from < signatures.length; from += AT_ONCE)
    yield* await Promise.all(
      signatures.slice(from, from + AT_ONCE).map(({ signature }) => fetchTransaction(rpc, signature)),
    );
}

const held = (balances, account) => balances.get(account)?.amount ?? 0n;

async function checkHolders(rpc, { header, records }, before) {
  const { mint, slots } = header;
  const [first, last] = slots.map(BigInt);
  const signatures = (await historyOf(rpc, mint)).filter(({ slot }) => BigInt(slot) <= last);
  const accounts = new Map();
  const owners = new Map();
  /** Lowest and highest balance of each owner while the holders were read. */
  const ranges = new Map();
  const add = (owner, amount, slot) => {
    const former = owners.get(owner) ?? 0n;
    const sum = former + amount;
    owners.set(owner, sum);
    if (slot <= first || amount === 0n) return;
    const { least, most } = ranges.get(owner) ?? { least: former, most: former };
    ranges.set(owner, { least: sum < least ? sum : least, most: sum > most ? sum : most });
  };
  for await (const { slot, before: pre, after } of transactionsOf(rpc, signatures)) {
    for (const account of new Set([...pre.keys(), ...after.keys()])) {
      const now = after.get(account);
      if ((now ?? pre.get(account)).mint !== mint) continue;
      const known = accounts.get(account);
      if (known) add(known.owner, -known.amount, slot);
      if (now) add(now.owner, now.amount, slot);
      if (now) accounts.set(account, now);
      else accounts.delete(account);
    }
  }
  const holders = new Map(records.filter(({ kind }) => kind === 'holder').map((each) => [each.owner, each]));
  for (const [owner, sum] of owners)
    mustHold(
      sum === 0n || ranges.has(owner) || holders.has(owner),
      `${owner} holds ${sum}, but is not in the ledger`,
    );
  for (const { owner, balance, basis } of holders.values()) {
    const sum = owners.get(owner) ?? 0n;
    const { least, most } = ranges.get(owner) ?? { least: sum, most: sum };
    mustHold(balance >= least && balance <= most, `${owner} held ${sum} at slot ${last}, not ${balance}`);
    const former = before.balances?.get(owner) ?? 0n;
    const lesser = before.balances === undefined || former > balance ? balance : former;
    mustHold(
      basis === 0n || basis === balance || basis === lesser,
      `${owner} has the basis ${basis}, but held ${balance}`,
    );
  }
  say(
    `holders: the balances of ${holders.size} owners in the ledger match ${signatures.length} transactions of the mint`,
  );
}

/** Compares the scan with the supply: nobody can mint, and only the service withdraws tax from the mint. */
function checkScan({ header, records }) {
  const { scan } = header;
  mustHold(scan !== undefined, 'the ledger has no sums of the scan');
  const [held, withheld, slack] = [scan.balances, scan.withheld, scan.slack].map(BigInt);
  const [before, after] = scan.mint.map((mint) => BigInt(mint.supply) - BigInt(mint.withheld));
  const sum = records.reduce((total, { kind, balance }) => (kind === 'holder' ? total + balance : total), 0n);
  mustHold(sum === held, `the holders of the ledger have ${sum}, but the scan found ${held}`);
  const found = held + withheld;
  mustHold(found >= after, `the scan found ${found}, but there must be at least ${after}`);
  mustHold(found <= before, `the scan found ${found}, but there cannot be more than ${before}`);
  mustHold(slack === before - after, `the slack of the scan is ${before - after}, not ${slack}`);
  const { slot, supply, withheld: inMint } = scan.mint[1];
  say(
    `scan: ${held} held + ${withheld} withheld + ${inMint} in the mint, of a supply of ${supply} at slot ${slot}; slack ${slack}`,
  );
}

/** Checks that no payee is an account that nobody can spend from. */
async function checkPayees(rpc, { records }) {
  // The costs are paid to the distributor.
  const payees = records.filter(({ kind, planned }) => kind !== 'costs' && planned > 0n);
  for (let from = 0; from < payees.length; from += ACCOUNTS_PER_CALL) {
    const page = payees.slice(from, from + ACCOUNTS_PER_CALL);
    const how = { encoding: 'base64', commitment: 'finalized', dataSlice: { offset: 0, length: 0 } };
    const { value } = await ask(rpc, 'getMultipleAccounts', [page.map(({ owner }) => owner), how]);
    for (const [index, { owner }] of page.entries()) {
      const account = value[index];
      mustHold(
        !isUnspendable(account),
        `${owner} was to be paid, and nobody can spend it: ${account?.owner} owns the account`,
      );
    }
  }
  say(`payees: ${payees.length}, none of them a program or a sysvar`);
}

const isUnspendable = (account) => account?.executable || UNSPENDABLE.includes(account?.owner);
/** Addresses of the runtime. No key exists for them, whether or not a node returns an account there. */
const isOfRuntime = (address) => /1{10,}$/.test(address);

/**
 * Checks that each holder without a share has a reason, and that the programs and sysvars of the ledger are such on
 * the chain.
 */
async function checkExcluded(rpc, { header, records }, before) {
  const out = records.filter(({ kind, balance, basis }) => kind === 'holder' && balance > 0n && basis === 0n);
  for (const { owner, balance, share, reason } of out) {
    mustHold(share === 0n, `${owner} has no basis, but a share of ${share}`);
    const former = before.balances === undefined ? balance : (before.balances.get(owner) ?? 0n);
    const lesser = former < balance ? former : balance;
    mustHold(
      WITHOUT_SHARE.includes(reason) || lesser === 0n || lesser < BigInt(header.minimumHolding),
      `${owner} holds ${balance} and has no share, and the reason is ${reason}`,
    );
  }
  const named = out.filter(({ reason }) => reason === 'program' || reason === 'sysvar');
  for (let from = 0; from < named.length; from += ACCOUNTS_PER_CALL) {
    const page = named.slice(from, from + ACCOUNTS_PER_CALL);
    const how = { encoding: 'base64', commitment: 'finalized', dataSlice: { offset: 0, length: 0 } };
    const { value } = await ask(rpc, 'getMultipleAccounts', [page.map(({ owner }) => owner), how]);
    for (const [index, { owner, reason }] of page.entries())
      mustHold(
        isOfRuntime(owner) || isUnspendable(value[index]),
        `${owner} has no share as a ${reason}, and the chain shows ${value[index] ? `an account of ${value[index].owner}` : 'no account'}`,
      );
  }
  const counted = WITHOUT_SHARE.map((why) => [why, out.filter(({ reason }) => reason === why)]);
  const told = counted
    .filter(([, those]) => those.length > 0)
    .map(([why, those]) => `${those.length} ${why}`);
  say(`without a share: ${told.join(', ') || 'only holders with too small a balance'}`);
  for (const [why, those] of counted)
    if (why === 'excluded' || why === 'pool' || why === 'excluded-by-creator')
      for (const { owner, balance } of those) say(`  ${why}: ${owner} holds ${balance}`);
}

function checkOwedBefore({ records }, before) {
  const begun = new Map();
  for (const { asset, owner, owedBefore, paidBefore } of records) {
    const { owed, sum } = begun.get(`${asset} ${owner}`) ?? { owed: 0n, sum: 0n };
    begun.set(`${asset} ${owner}`, { owed: owed + owedBefore, sum: sum + paidBefore });
  }
  const nothing = { owed: 0n, sum: 0n };
  const atMost = (sum) => (sum > U64_MAX ? U64_MAX : sum);
  for (const key of new Set([...before.owners.keys(), ...begun.keys()])) {
    const [left, found] = [before.owners.get(key) ?? nothing, begun.get(key) ?? nothing];
    mustHold(
      found.owed === left.owed,
      `${key} was owed ${left.owed} after the previous run, not ${found.owed}`,
    );
    mustHold(atMost(found.sum) === atMost(left.sum), `${key} was paid ${left.sum} before, not ${found.sum}`);
  }
  say(
    `owed before: ${before.owed.sol} lamports and ${before.owed.token} base units, as after the previous run`,
  );
}

async function checkMoney(rpc, { header, records }, settlement, before, run) {
  const { withdraw, split, open } = settlement.header.transactions;
  if (withdraw.length === 0) throw new CouldNotLook('the settlement names no withdrawal of the tax');
  const withdrawal = await fetchTransaction(rpc, withdraw.at(-1));
  const [account, { owner: wallet }] = [...withdrawal.after].find(([, { mint }]) => mint === header.mint) ?? [
    undefined,
    {},
  ];
  mustHold(account !== undefined, `${withdrawal.signature} withdraws nothing of ${header.mint}`);
  const splitting = split.length === 0 ? undefined : await fetchTransaction(rpc, split.at(-1));
  const isNamed = splitting?.before.has(account) ?? false;
  const atSplit = isNamed ? held(splitting.before, account) : held(withdrawal.after, account);
  const left = isNamed ? held(splitting.after, account) : atSplit;
  const burned = (splitting?.instructions ?? [])
    .filter(({ program, data }) => program === TOKEN_2022 && BURNS.includes(data[0]))
    .reduce((sum, { data }) => sum + data.readBigUInt64LE(1), 0n);
  const sold = atSplit - left - burned;
  // The difference between the sent and the received tokens is the tax of the sale, which the chain withholds from the
  // buyer.
  const arrived = [...(splitting?.after ?? [])]
    .filter(([each, { mint }]) => each !== account && mint === header.mint)
    .reduce((sum, [each, { amount }]) => sum + amount - held(splitting.before, each), 0n);
  const taxOfSale = sold - arrived;
  // The next run collects tokens that strangers send between the withdrawal and the split.
  const tax = held(withdrawal.after, account) - before.owed.token - before.dust.token;
  mustHold(
    held(withdrawal.after, account) <= atSplit,
    'tokens left the wallet between the withdrawal and the split',
  );
  say(
    `tax: ${tax} base units in ${account}, collected or kept by earlier runs; ${burned} burned, ${sold} sold`,
  );

  const shareOf = (kind) =>
    records.reduce((sum, record) => (record.kind === kind ? sum + record.share : sum), 0n);
  const [costs, developer] = [shareOf('costs'), shareOf('developer')];
  const holders = BigInt(header.divided) - before.dust[header.asset];
  const given = costs + developer + holders;
  if (header.asset === 'sol') {
    const inSol = ({ after }) =>
      [...after.values()]
        .filter(({ mint, owner }) => mint === NATIVE_MINT && owner === wallet)
        .reduce((sum, { amount }) => sum + amount, 0n);
    const carried = before.owed.sol + before.dust.sol;
    const brought = inSol(splitting) - carried;
    // Lamports that strangers send to the till before it is read count as proceeds.
    const most = open.length === 0 ? given : inSol(await fetchTransaction(rpc, open[0])) - carried;
    mustHold(
      given >= brought && given <= most,
      `the sale brought ${brought} lamports, but ${given} are divided`,
    );
    say(`proceeds: ${given} lamports = ${costs} costs + ${developer} developer + ${holders} holders`);
  } else {
    mustHold(costs === 0n, 'a run that pays in the token itself must not deduct costs');
    mustHold(
      given <= tax - burned,
      `${given} base units are divided, but only ${tax - burned} were available`,
    );
    say(`divided: ${given} base units = ${developer} developer + ${holders} holders`);
  }
  if (run)
    checkPage(run, {
      tax,
      burned,
      sold: header.asset === 'sol' ? sold : given,
      taxOfSale,
      costs,
      developer,
      holders,
      records,
    });
}

/** Checks that the run's page has the same amounts, and that the run followed its settings. */
function checkPage({ amounts, settings, asset, runId }, found) {
  const parts = (name) => ({
    developer: BigInt(amounts[name].developer),
    holders: BigInt(amounts[name].holders),
  });
  const [kept, sold, keptAfter] = ['kept', 'soldParts', 'keptAfter'].map(parts);
  const collected = BigInt(amounts.collected);
  const same = (what, page, own) => mustHold(page === own, `${what} of run ${runId} is ${own}, not ${page}`);
  same('kept and collected', collected + kept.developer + kept.holders, found.tax);
  same('sold', sold.developer + sold.holders, found.sold);
  for (const name of ['burned', 'costs', 'developer', 'holders'])
    same(name, BigInt(amounts[name]), found[name]);

  const returned = checkOwnTax({ amounts, asset, collected, sold }, found, same);
  const fresh = collected - returned.developer - returned.holders;
  const percent = (amount, value) => (amount * BigInt(Math.round(value * 100))) / 10_000n;
  same('burned', percent(fresh, settings.burnPercent), found.burned);
  const own = percent(fresh, settings.developerFeePercent);
  const buckets = {
    developer: kept.developer + returned.developer + own,
    holders: kept.holders + returned.holders + fresh - found.burned - own,
  };
  for (const name of ['developer', 'holders']) {
    same(`kept for ${name}`, keptAfter[name], buckets[name] - sold[name]);
    const most = percent(buckets[name], settings.percentageToSellPerDistribution);
    mustHold(sold[name] <= most, `${sold[name]} of ${most} base units were sold for ${name}`);
  }
  const all = sold.developer + sold.holders;
  if (asset === 'sol' && all > 0n)
    same(
      'the part of the developer',
      ((BigInt(amounts.proceeds) - found.costs) * sold.developer) / all,
      found.developer,
    );
  checkDevelopers(settings, found.developer, found.records);
  say(`page: the amounts of run ${runId} match, and the run followed its settings`);
}

/**
 * Each listed wallet gets its basis points of the developer's part, rounded down, and `developerWallet` gets the
 * rest.
 */
function checkDevelopers({ developerWallet, developerWallets = [], partnerShare }, total, records) {
  const parts = new Map();
  const add = (wallet, part) => part > 0n && parts.set(wallet, (parts.get(wallet) ?? 0n) + part);
  let rest = total;
  for (const { wallet, basisPoints } of [...developerWallets, ...(partnerShare ? [partnerShare] : [])]) {
    const part = (total * BigInt(basisPoints)) / 10_000n;
    add(wallet, part);
    rest -= part;
  }
  add(developerWallet, rest);
  for (const { kind, owner, share } of records) {
    if (kind !== 'developer') continue;
    const part = parts.get(owner) ?? 0n;
    mustHold(share === part, `the part of ${owner} in the developer's part is ${part}, not ${share}`);
    parts.delete(owner);
  }
  mustHold(parts.size === 0, `${parts.size} wallets of the developer's part have no record`);
}

/** When the tax of the service's own sales is collected, it returns to its buckets and is not burned again. */
function checkOwnTax({ amounts, asset, collected, sold }, found, same) {
  const [before, returned, after] = ['before', 'returned', 'after'].map((name) => ({
    developer: BigInt(amounts.ownTax[name].developer),
    holders: BigInt(amounts.ownTax[name].holders),
  }));
  const outstanding = before.developer + before.holders;
  const back = outstanding < collected ? outstanding : collected;
  const backOf = outstanding === 0n ? 0n : (before.developer * back) / outstanding;
  same('the own tax of the developer that came back', returned.developer, backOf);
  same('the own tax of the holders that came back', returned.holders, back - backOf);
  const tax = asset === 'sol' ? found.taxOfSale : 0n;
  const all = sold.developer + sold.holders;
  const taxOf = all === 0n ? 0n : (tax * sold.developer) / all;
  same('the own tax left for the developer', after.developer, before.developer - backOf + taxOf);
  same('the own tax left for the holders', after.holders, before.holders - (back - backOf) + tax - taxOf);
  say(`own tax: ${back} base units of earlier sales returned; the tax of this sale is ${tax}`);
  return returned;
}

async function checkPayments(rpc, { header }, { header: settled, batches }) {
  const memo = `levy:${header.runId}:${settled.root}`;
  const opening =
    settled.transactions.open.length === 0
      ? undefined
      : await fetchTransaction(rpc, settled.transactions.open[0]);
  const isSaid = opening?.instructions.some(
    ({ program, data }) => MEMO_PROGRAMS.includes(program) && data.toString() === memo,
  );
  mustHold(batches.length === 0 || isSaid, `no transaction carries the memo ${memo}`);
  let count = 0;
  const paying = transactionsOf(rpc, batches);
  for (const batch of batches) {
    const transaction = (await paying.next()).value;
    const { signature, slot } = transaction;
    mustHold(slot === batch.slot, `${signature} landed in slot ${slot}, not ${batch.slot}`);
    mustHold(slot >= opening.slot, `${signature} is older than the ledger, of slot ${opening.slot}`);
    const sum = batch.records.reduce((total, { planned }) => total + planned, 0n);
    const taken = held(transaction.before, batch.pot) - held(transaction.after, batch.pot);
    mustHold(taken === sum, `${signature} took ${taken} from ${batch.pot}, not ${sum}`);
    const due = new Map();
    for (const { owner, planned } of batch.records) due.set(owner, [...(due.get(owner) ?? []), planned]);
    for (const [owner, amounts] of due) {
      const [gained, expected] =
        batch.asset === 'sol'
          ? [lamportsGained(transaction, owner), amounts.reduce((total, amount) => total + amount, 0n)]
          : [tokensGained(transaction, owner, header.mint, batch.pot), arriving(transaction, amounts)];
      mustHold(gained === expected, `${owner} gained ${gained} in ${signature}, not ${expected}`);
    }
    count += batch.records.length;
  }
  say(`payments: ${count} in ${batches.length} transactions, each as planned`);
}

/** Adds the fee back for the payer. */
function lamportsGained({ meta, keys }, wallet) {
  const index = keys.indexOf(wallet);
  if (index < 0) return 0n;
  const fee = index === 0 ? BigInt(meta.fee) : 0n;
  return BigInt(meta.postBalances[index]) - BigInt(meta.preBalances[index]) + fee;
}

function tokensGained({ before, after }, wallet, mint, pot) {
  const sum = (balances) =>
    [...balances]
      .filter(([account, each]) => account !== pot && each.owner === wallet && each.mint === mint)
      .reduce((total, [, { amount }]) => total + amount, 0n);
  return sum(after) - sum(before);
}

/** Received part of these amounts: the chain withholds the tax that the transfers name. */
function arriving({ instructions }, amounts) {
  return amounts.reduce((sum, amount) => {
    const transfer = instructions.find(
      ({ program, data }) =>
        program === TOKEN_2022 &&
        data.subarray(0, 2).equals(TRANSFER_WITH_FEE) &&
        data.readBigUInt64LE(2) === amount,
    );
    mustHold(transfer !== undefined, `the transaction has no transfer of ${amount}`);
    return sum + amount - transfer.data.readBigUInt64LE(11);
  }, 0n);
}

const OPTIONS = ['allotment', 'settlement', 'before-allotment', 'before-settlement', 'run', 'rpc'];

function optionsFrom(args) {
  const options = {};
  for (let at = 0; at < args.length; at += 2) {
    const name = args[at].replace(/^--/, '');
    if (!OPTIONS.includes(name) || args[at + 1] === undefined) throw new CouldNotLook(USAGE);
    options[name] = args[at + 1];
  }
  if (!options.allotment || !options.settlement || !options.rpc) throw new CouldNotLook(USAGE);
  return options;
}

function readFile(file) {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CouldNotLook(`${file} cannot be read: ${error.code}`);
  }
}

async function recompute(options) {
  const { rpc } = options;
  const allotment = readAllotment(readFile(options.allotment));
  const settlement = readSettlement(readFile(options.settlement), allotment);
  const before = readBefore(
    allotment,
    readFile(options['before-allotment']),
    readFile(options['before-settlement']),
  );
  const run = options.run && parseJson(readFile(options.run).toString()).run;
  say(`run ${allotment.header.runId} of ${allotment.header.mint}, paid in ${allotment.header.asset}`);
  checkScan(allotment);
  checkOwedBefore(allotment, before);
  await checkPayees(rpc, allotment);
  await checkExcluded(rpc, allotment, before);
  await checkHolders(rpc, allotment, before);
  await checkMoney(rpc, allotment, settlement, before, run);
  await checkPayments(rpc, allotment, settlement);
}

try {
  await recompute(optionsFrom(process.argv.slice(2)));
  say('holds');
} catch (error) {
  if (error instanceof DoesNotHold) {
    process.stderr.write(`DOES NOT HOLD: ${visible(error.message)}\n`);
    process.exitCode = 1;
  } else {
    const why =
      error instanceof CouldNotLook ? error.message : `a file has an unexpected form (${error.message})`;
    process.stderr.write(`could not check: ${error.message === USAGE ? USAGE : visible(why)}\n`);
    process.exitCode = 2;
  }
}
