// Checks saved responses and files of a distribution run against each other, and against the chain. Needs only Node.
// docs/reference/ledger-files.md describes the files, docs/how-to/integrate/verify-a-payment.md the use of this
// program.
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { readFileSync } from 'node:fs';

const USAGE = `node examples/verify-payment.mjs [--answer FILE] [--run FILE] [--allotment FILE] [--settlement FILE]
                                 [--wallet ADDRESS] [--root HEX] [--rpc URL]
  --answer      a saved response of GET /distribution/:tokenId/runs/:runId/payments/:wallet, also a 404
  --proof       a saved response of GET /distribution/:tokenId/runs/:runId/payments/:wallet/proof
  --key         with --proof: the verifier key of the transparency log, from another source
  --run         a saved response of GET /distribution/:tokenId/runs/:runId
  --allotment   the run's allotment, from GET /files/:sha256
  --settlement  its settlement, from the same route (with --allotment)
  --wallet      the wallet whose payments are checked
  --root        the expected Merkle root
  --rpc         any Solana node: its transactions are compared with the files
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

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An unknown member would be unchecked, so it is refused. */
function requireForm(value, where, { needed = [], allowed = [] }) {
  if (!isObject(value)) throw new CouldNotLook(`${where} is missing, or not an object`);
  for (const name of needed) if (value[name] === undefined) throw new CouldNotLook(`${where} has no ${name}`);
  for (const name of Object.keys(value))
    if (!needed.includes(name) && !allowed.includes(name))
      throw new CouldNotLook(`${where} has the member ${name}, which this program does not know`);
}

/** Compares values regardless of the order of their members. */
function isEqual(one, other) {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
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
  for (const letter of text) {
    const value = ALPHABET.indexOf(letter);
    if (value < 0) throw new CouldNotLook(`"${text}" is not base58`);
    number = number * 58n + BigInt(value);
  }
  const digits = number === 0n ? '' : number.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  const zeros = text.length - text.replace(/^1+/, '').length;
  return Buffer.concat([Buffer.alloc(zeros), bytes]);
}

function walletBytes(address) {
  const bytes = fromBase58(address);
  if (bytes.length !== 32) throw new CouldNotLook(`${address} is not an address`);
  return bytes;
}

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

const leafHash = (leaf) => sha256(Buffer.of(0), leaf);
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

/** Root over `count` hashes from `start` on. The left part has the largest power of two below the count. */
function rootOf(hashes, start = 0, count = hashes.length) {
  if (count === 1) return hashes[start];
  const left = 2 ** Math.floor(Math.log2(count - 1));
  return nodeHash(rootOf(hashes, start, left), rootOf(hashes, start + left, count - left));
}

/** Root that a path leads to (RFC 9162, section 2.1.3.2). */
function rootFromPath(leaf, { index, treeSize, path }) {
  mustHold(
    Number.isSafeInteger(index) && Number.isSafeInteger(treeSize) && index >= 0 && index < treeSize,
    `leaf ${index} does not exist in a tree of ${treeSize}`,
  );
  let [position, last, hash] = [index, treeSize - 1, leafHash(leaf)];
  for (const text of path) {
    const sibling = Buffer.from(text, 'hex');
    mustHold(last > 0 && sibling.length === 32, 'the path does not match the size of the tree');
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(sibling, hash);
      while (position % 2 === 0 && position > 0) {
        position /= 2;
        last = Math.floor(last / 2);
      }
    } else hash = nodeHash(hash, sibling);
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  mustHold(last === 0, 'the path does not match the size of the tree');
  return hash.toString('hex');
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
const REFUSALS = [
  'frozen',
  'needs-memo',
  'under-rent-floor',
  'read-only',
  'closed',
  'not-an-account-of-the-mint',
  'unknown',
];
const COLUMNS = ['balance', 'basis', 'share', 'owedBefore', 'planned', 'paidBefore'];
const RECORD_SIZE = 82;
const GROUP_SIZE = 72;
const RECORDS_PER_GROUP = 1024;
const BATCH_SIZE = 90;
const REFUSAL_SIZE = 5;

function readRecord(bytes) {
  mustHold(bytes.length === RECORD_SIZE, `a record has ${RECORD_SIZE} bytes, not ${bytes.length}`);
  const record = {
    owner: bytes.subarray(0, 32),
    kind: KINDS[bytes[32]],
    reason: REASONS[bytes[33]],
  };
  mustHold(record.kind !== undefined, 'a record has an unknown kind');
  // New reasons are only appended to the list.
  if (record.reason === undefined)
    throw new CouldNotLook(`a record has the reason ${bytes[33]}, which a later version of this file knows`);
  for (const [column, name] of COLUMNS.entries()) record[name] = bytes.readBigUInt64LE(34 + 8 * column);
  return record;
}

const otherAsset = (asset) => (asset === 'sol' ? 'token' : 'sol');
const assetOf = ({ kind }, asset) => (kind === 'debt' ? otherAsset(asset) : asset);

const PAYMENT = [
  'index',
  'kind',
  'asset',
  'wallet',
  'balance',
  'share',
  'owedBefore',
  'planned',
  'paid',
  'owedAfter',
  'reason',
  'signature',
  'slot',
];
const LEAF = { needed: ['record', 'proof'] };
/** Members of a refusal (RFC 9457), which describe the call instead of the ledger. */
const PROBLEM = ['type', 'title', 'status', 'detail', 'instance', 'code', 'error', 'requestId'];

function requireLeaf(leaf, where, form = LEAF) {
  requireForm(leaf, where, form);
  requireForm(leaf.proof, `the proof of ${where}`, { needed: ['index', 'treeSize', 'path'] });
  if (typeof leaf.record !== 'string' || !Array.isArray(leaf.proof.path))
    throw new CouldNotLook(`${where} has no record in base64, or no path`);
}

/** `more`: further members that the file may have. */
function checkAnswer(answer, wallet, more = []) {
  if (!isObject(answer)) throw new CouldNotLook('the response is not an object');
  if (answer.payment !== undefined) {
    const { root, others = [] } = answer;
    const paid = { needed: ['payment', ...LEAF.needed] };
    requireLeaf(answer, 'the response', {
      needed: [...paid.needed, 'root'],
      allowed: ['others', ...more],
    });
    if (!Array.isArray(others)) throw new CouldNotLook('`others` of the response is not a list');
    for (const other of others)
      requireLeaf(other, 'one of the `others` of the response', { ...paid, allowed: ['root'] });
    for (const each of [answer, ...others]) {
      requireForm(each.payment, 'the payment', { needed: PAYMENT });
      mustHold(
        each.root === undefined || each.root === root,
        'the `others` of the response belong to another ledger',
      );
      checkPayment({ ...each, root }, wallet);
    }
    return root;
  }
  if (answer.neighbours === undefined)
    throw new CouldNotLook('the response has neither a payment nor neighbours');
  if (wallet === undefined)
    throw new CouldNotLook('set the wallet whose absence is proved: --wallet ADDRESS');
  requireForm(answer, 'the response', { needed: ['neighbours', 'root'], allowed: [...PROBLEM, ...more] });
  requireForm(answer.neighbours, 'neighbours of the response', { needed: ['before', 'after'] });
  requireLeaf(answer.neighbours.before, 'the leaf before the wallet');
  if (answer.neighbours.after !== null) requireLeaf(answer.neighbours.after, 'the leaf after the wallet');
  return checkAbsence({ ...answer.neighbours, root: answer.root }, wallet);
}

function checkPayment({ payment, record: text, proof, root }, wallet) {
  const bytes = Buffer.from(text, 'base64');
  const record = readRecord(bytes);
  mustHold(rootFromPath(bytes, proof) === root, 'the record is not in the tree with this root');
  mustHold(wallet === undefined || payment.wallet === wallet, `the response is about ${payment.wallet}`);
  mustHold(payment.wallet === base58(record.owner), 'the record belongs to another wallet');
  mustHold(payment.index === proof.index - 1, 'the record has another index');
  for (const name of ['balance', 'share', 'owedBefore', 'planned'])
    mustHold(payment[name] === `${record[name]}`, `${name} is ${record[name]} in the record`);
  mustHold(payment.kind === record.kind, `kind is ${record.kind} in the record`);
  mustHold(['sol', 'token'].includes(payment.asset), `no run pays in ${payment.asset}`);
  mustHold(
    (payment.slot === null) === (payment.signature === null),
    'slot and signature must both be set or both be null',
  );
  const paid = BigInt(payment.paid);
  mustHold(paid === 0n || paid === record.planned, `paid is ${paid}, but must be 0 or ${record.planned}`);
  mustHold(
    paid > 0n === (payment.signature !== null),
    'a signature must be set exactly if something was paid',
  );
  mustHold(
    BigInt(payment.owedAfter) === record.owedBefore + record.share - paid,
    `owedAfter must be ${record.owedBefore + record.share - paid}`,
  );
  const isRefused = record.reason === 'planned' && paid === 0n && REFUSALS.includes(payment.reason);
  mustHold(payment.reason === record.reason || isRefused, `reason is ${record.reason} in the record`);
  say(`record ${payment.index} of ${payment.wallet} (${record.kind}) is in the ledger with root ${root}`);
}

/**
 * Checks that the two leaves are neighbours and that the wallet's address sorts between them. So the wallet is not in the
 * ledger.
 */
function checkAbsence({ before, after, root }, wallet) {
  const owner = walletBytes(wallet);
  const [left, right] = [before, after].map(
    (leaf) => leaf && { ...leaf, bytes: Buffer.from(leaf.record, 'base64') },
  );
  mustHold(
    rootFromPath(left.bytes, left.proof) === root,
    'the leaf before the wallet is not in the tree with this root',
  );
  // Leaf 0 is the header, which precedes all records.
  if (left.proof.index > 0)
    mustHold(
      Buffer.compare(readRecord(left.bytes).owner, owner) < 0,
      'the leaf before the wallet has a higher owner',
    );
  if (right === null) {
    mustHold(left.proof.index === left.proof.treeSize - 1, 'the leaf before the wallet is not the last leaf');
  } else {
    mustHold(
      rootFromPath(right.bytes, right.proof) === root,
      'the leaf after the wallet is not in the tree with this root',
    );
    mustHold(right.proof.treeSize === left.proof.treeSize, 'the two leaves belong to different trees');
    mustHold(right.proof.index === left.proof.index + 1, 'the two leaves are not neighbours');
    mustHold(
      Buffer.compare(readRecord(right.bytes).owner, owner) > 0,
      'the leaf after the wallet has a lower owner',
    );
  }
  say(`${wallet} is not in the ledger with root ${root}`);
  return root;
}

function readHeader(file, format) {
  const length = file.length < 4 ? 0 : file.readUInt32LE(0);
  mustHold(4 + length <= file.length, 'the file is truncated');
  const text = file.subarray(4, 4 + length);
  let header;
  try {
    header = parseJson(text.toString());
  } catch {
    throw new DoesNotHold('the header is not JSON');
  }
  mustHold(header.format === format, `the format of the file is not ${format}`);
  return { header, text, end: 4 + length };
}

function squareRoot(square) {
  if (square < 2n) return square;
  let root = BigInt(Math.floor(Math.sqrt(Number(square))));
  while (root * root > square) root -= 1n;
  while ((root + 1n) * (root + 1n) <= square) root += 1n;
  return root;
}

/** Checks all records: their order, the root, the sums, every share, and its payment. */
function checkAllotment(file) {
  const { header, text, end } = readHeader(file, 'levy-allotment-1');
  const { records: count, asset } = header;
  const groupsAt = end + count * RECORD_SIZE;
  const groupCount = Math.ceil((count + 1) / RECORDS_PER_GROUP);
  mustHold(file.length === groupsAt + groupCount * GROUP_SIZE, 'the file has a wrong length');
  const recordAt = (index) => file.subarray(end + index * RECORD_SIZE, end + (index + 1) * RECORD_SIZE);

  const minimumHolding = BigInt(header.minimumHolding);
  const weightOf = ({ kind, basis }) => {
    if (kind !== 'holder' || basis < minimumHolding) return 0n;
    return header.model === 'square-root' ? squareRoot(basis) : basis;
  };
  let sumOfWeights = 0n;
  for (let index = 0; index < count; index++) sumOfWeights += weightOf(readRecord(recordAt(index)));
  mustHold(sumOfWeights === BigInt(header.sumOfWeights), `the sum of weights is ${sumOfWeights}`);

  const divided = BigInt(header.divided);
  const sums = Object.fromEntries(KINDS.map((kind) => [kind, COLUMNS.map(() => 0n)]));
  const payments = { sol: { count: 0, sum: 0n }, token: { count: 0, sum: 0n } };
  const groups = [];
  let leaves = [leafHash(text)];
  let previous;
  const endGroup = () => {
    rootOf(leaves).copy(groups.at(-1));
    leaves = [];
  };
  const beginGroup = (owner) => {
    const group = Buffer.alloc(GROUP_SIZE);
    owner?.copy(group, 32);
    group.writeUInt32LE(payments.sol.count, 64);
    group.writeUInt32LE(payments.token.count, 68);
    groups.push(group);
  };
  for (let index = 0; index < count; index++) {
    const bytes = recordAt(index);
    const key = bytes.subarray(0, 33);
    mustHold(previous === undefined || Buffer.compare(previous, key) < 0, `record ${index} is not in order`);
    previous = key;
    const record = readRecord(bytes);
    if (leaves.length === RECORDS_PER_GROUP) endGroup();
    if (index === 0 || leaves.length === 0) beginGroup(record.owner);
    leaves.push(leafHash(bytes));
    checkRecord(record, index, { header, weightOf, sumOfWeights, divided });
    for (const [column, name] of COLUMNS.entries()) sums[record.kind][column] += record[name];
    if (record.planned > 0n) {
      payments[assetOf(record, asset)].count += 1;
      payments[assetOf(record, asset)].sum += record.planned;
    }
  }
  if (count === 0) beginGroup(undefined);
  endGroup();

  const root = rootOf(groups.map((group) => group.subarray(0, 32))).toString('hex');
  mustHold(
    Buffer.concat(groups).equals(file.subarray(groupsAt)),
    'the end of the file does not match its records',
  );
  for (const kind of KINDS)
    for (const [column, name] of COLUMNS.entries())
      mustHold(
        header.sums[kind][name] === `${sums[kind][column]}`,
        `the sum of ${name} of ${kind} is ${sums[kind][column]}`,
      );
  for (const each of ['sol', 'token']) {
    mustHold(
      header.payments[each].count === payments[each].count,
      `${payments[each].count} payments are in ${each}`,
    );
    mustHold(
      header.payments[each].sum === `${payments[each].sum}`,
      `${payments[each].sum} is to be paid in ${each}`,
    );
  }
  const shares = sums.holder[COLUMNS.indexOf('share')];
  mustHold(shares <= divided, `${shares} was given out of ${divided}`);
  const hash = sha256(file).toString('hex');
  say(`allotment ${hash}: ${count} records, root ${root}`);
  say(
    `  ${divided} divided by ${sumOfWeights} (${header.model}): ${shares} in shares, ${divided - shares} left over`,
  );
  return { header, root, sha256: hash, recordAt };
}

function checkRecord(record, index, { header, weightOf, sumOfWeights, divided }) {
  const { kind, reason, share, owedBefore, planned } = record;
  if (kind === 'holder') {
    const full = sumOfWeights === 0n ? 0n : (divided * weightOf(record)) / sumOfWeights;
    const expected = full >= BigInt(header.leastShare) ? full : 0n;
    mustHold(share === expected, `the share of record ${index} must be ${expected}, not ${share}`);
  }
  if (kind === 'debt') mustHold(share === 0n, `record ${index} is a debt, but has a share`);
  mustHold(
    planned === 0n || planned === owedBefore + share,
    `the planned amount of record ${index} must be 0 or everything owed`,
  );
  mustHold(
    planned > 0n === (reason === 'planned'),
    `the reason of record ${index} does not match its planned amount`,
  );
}

/** Checks all transactions and refusals: each transaction must have paid what the allotment planned. */
function checkSettlement(file, allotment) {
  const { header, end } = readHeader(file, 'levy-settlement-1');
  mustHold(
    header.allotment === allotment.sha256 && header.root === allotment.root,
    'the settlement belongs to another allotment',
  );
  mustHold(header.runId === allotment.header.runId, 'the settlement belongs to another run');
  const batches = header.sol.batches + header.token.batches;
  const refusals = header.sol.refused + header.token.refused;
  const refusalsAt = end + batches * BATCH_SIZE;
  mustHold(file.length === refusalsAt + refusals * REFUSAL_SIZE, 'the file has a wrong length');

  const planned = { sol: [], token: [] };
  for (let index = 0; index < allotment.header.records; index++) {
    const record = readRecord(allotment.recordAt(index));
    if (record.planned > 0n) planned[assetOf(record, allotment.header.asset)].push({ index, record });
  }
  const outcomes = new Map();
  let at = refusalsAt;
  for (const asset of ['sol', 'token']) {
    let last = -1;
    for (let left = header[asset].refused; left > 0; left--, at += REFUSAL_SIZE) {
      const number = file.readUInt32LE(at);
      mustHold(
        number > last && number < planned[asset].length,
        `refusal ${number} in ${asset} is out of order`,
      );
      mustHold(REFUSALS[file[at + 4]] !== undefined, `refusal ${number} in ${asset} has an unknown reason`);
      outcomes.set(planned[asset][number].index, { refusal: REFUSALS[file[at + 4]] });
      last = number;
    }
  }
  at = end;
  for (const asset of ['sol', 'token']) {
    mustHold(
      header[asset].payments === planned[asset].length,
      `the allotment has ${planned[asset].length} payments in ${asset}`,
    );
    let [next, total, paid] = [0, 0n, 0];
    for (let left = header[asset].batches; left > 0; left--, at += BATCH_SIZE) {
      const [pot, from, to] = [file.readUInt16LE(at), file.readUInt32LE(at + 2), file.readUInt32LE(at + 6)];
      const signature = base58(file.subarray(at + 10, at + 74));
      mustHold(
        from >= next && to > from && to <= planned[asset].length,
        `the transaction for ${from} to ${to} is out of order`,
      );
      mustHold(
        header.pots[pot]?.asset === asset,
        `transaction ${signature} names a pot that does not pay ${asset}`,
      );
      next = to;
      let sum = 0n;
      for (const { index, record } of planned[asset].slice(from, to)) {
        if (outcomes.has(index)) continue;
        outcomes.set(index, { signature, slot: file.readBigUInt64LE(at + 74) });
        sum += record.planned;
        paid += 1;
      }
      mustHold(sum === file.readBigUInt64LE(at + 82), `transaction ${signature} must have paid ${sum}`);
      total += sum;
    }
    mustHold(
      header[asset].sum === `${total}` && header[asset].paid === paid,
      `${paid} payments of ${total} were made in ${asset}`,
    );
  }
  checkOwed(header, allotment, outcomes);
  say(
    `settlement ${sha256(file).toString('hex')}: ${header.sol.paid} payments in SOL, ${header.token.paid} in the token`,
  );
  return { header, outcomes };
}

function checkOwed(header, { header: { asset, records }, recordAt }, outcomes) {
  const owed = { sol: 0n, token: 0n };
  for (let index = 0; index < records; index++) {
    const record = readRecord(recordAt(index));
    const paid = outcomes.get(index)?.signature === undefined ? 0n : record.planned;
    owed[assetOf(record, asset)] += record.owedBefore + record.share - paid;
  }
  for (const each of ['sol', 'token'])
    mustHold(header.owedAfter[each] === `${owed[each]}`, `${owed[each]} is owed in ${each} after the run`);
}

/** A wallet's payments according to the files, one for each kind of record. */
function paymentsOf(wallet, { header, recordAt }, settlement) {
  const owner = walletBytes(wallet);
  const found = [];
  for (let index = 0; index < header.records; index++) {
    const bytes = recordAt(index);
    if (Buffer.compare(bytes.subarray(0, 32), owner) !== 0) continue;
    const record = readRecord(bytes);
    const { signature, slot, refusal } = settlement?.outcomes.get(index) ?? {};
    found.push({ index, wallet, ...record, signature, slot, asset: assetOf(record, header.asset) });
    const outcome =
      signature === undefined
        ? `not paid (${refusal ?? record.reason})`
        : `paid in ${signature}, slot ${slot}`;
    say(
      `  record ${index}, ${record.kind}: share ${record.share}, owed before ${record.owedBefore}, planned ${record.planned}: ${outcome}`,
    );
  }
  if (found.length === 0) say(`  ${wallet} is not in the ledger`);
  return found;
}

const MEMO_PROGRAMS = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVddwQDwFMNo',
];
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
/** First bytes of TransferCheckedWithFee. Amount, decimals and fee follow. */
const TRANSFER_WITH_FEE = Buffer.of(26, 1);

async function fetchTransaction(rpc, signature) {
  let answer;
  try {
    const response = await fetch(rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'getTransaction',
        params: [signature, { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 1 }],
      }),
    });
    answer = await jsonOf(response);
  } catch (error) {
    throw new CouldNotLook(`the node does not respond: ${error.message}`);
  }
  if (answer.error) throw new CouldNotLook(`the node refuses to show ${signature}: ${answer.error.message}`);
  if (!answer.result)
    throw new CouldNotLook(`the node does not have ${signature} as finalized; try a node with full history`);
  const { slot, meta, transaction } = answer.result;
  mustHold(
    transaction.signatures.includes(signature),
    `the node returned another transaction than ${signature}`,
  );
  mustHold(meta.err === null, `transaction ${signature} failed on the chain`);
  const loaded = meta.loadedAddresses ?? { writable: [], readonly: [] };
  const keys = [...transaction.message.accountKeys, ...loaded.writable, ...loaded.readonly];
  const instructions = transaction.message.instructions.map(({ programIdIndex, data }) => ({
    program: keys[programIdIndex],
    data: fromBase58(data),
  }));
  return { signature, slot: BigInt(slot), meta, keys, instructions };
}

/** Lamports that the wallet gained. Adds the fee back for the payer. */
function lamportsGained({ meta, keys }, wallet) {
  const index = keys.indexOf(wallet);
  if (index < 0) return 0n;
  return (
    BigInt(meta.postBalances[index]) - BigInt(meta.preBalances[index]) + (index === 0 ? BigInt(meta.fee) : 0n)
  );
}

function tokensGained({ meta }, wallet, mint) {
  const held = (balances) =>
    (balances ?? [])
      .filter((each) => each.owner === wallet && each.mint === mint)
      .reduce((sum, each) => sum + BigInt(each.uiTokenAmount.amount), 0n);
  return held(meta.postTokenBalances) - held(meta.preTokenBalances);
}

/** Received part of an amount: the chain withholds the token's own tax at the rate that the transaction names. */
function afterTax({ instructions }, amount) {
  const transfer = instructions.find(
    ({ program, data }) =>
      program === TOKEN_2022 &&
      data.subarray(0, 2).equals(TRANSFER_WITH_FEE) &&
      data.readBigUInt64LE(2) === amount,
  );
  mustHold(transfer !== undefined, `the transaction has no transfer of ${amount}`);
  return amount - transfer.data.readBigUInt64LE(11);
}

/** Checks that the chain shows the same as the files for the wallet's transactions. */
async function checkOnChain(rpc, wallet, payments, mint) {
  const bySignature = Map.groupBy
    ? Map.groupBy(payments, ({ signature }) => signature)
    : payments.reduce(
        (map, each) => map.set(each.signature, [...(map.get(each.signature) ?? []), each]),
        new Map(),
      );
  for (const [signature, own] of bySignature) {
    const transaction = await fetchTransaction(rpc, signature);
    for (const { slot } of own)
      mustHold(slot === transaction.slot, `${signature} landed in slot ${transaction.slot}, not ${slot}`);
    for (const asset of ['sol', 'token']) {
      const amounts = own.filter((each) => each.asset === asset).map(({ planned }) => planned);
      if (amounts.length === 0) continue;
      const expected = amounts.reduce(
        (sum, amount) => sum + (asset === 'sol' ? amount : afterTax(transaction, amount)),
        0n,
      );
      const gained =
        asset === 'sol' ? lamportsGained(transaction, wallet) : tokensGained(transaction, wallet, mint);
      mustHold(gained === expected, `${wallet} gained ${gained} in ${signature}, not ${expected}`);
      say(
        `${wallet} got ${gained} ${asset === 'sol' ? 'lamports' : 'base units'} in ${signature}, slot ${transaction.slot}`,
      );
    }
  }
}

/** Checks that the first transaction that opened the pots names the root, and that it precedes all payments. */
async function checkMemo(rpc, signatures, { runId, root }, payments) {
  if (signatures.length === 0) throw new CouldNotLook('the run names no transaction that opened its pots');
  const memo = `levy:${runId}:${root}`;
  const opening = await fetchTransaction(rpc, signatures[0]);
  const found = opening.instructions.some(
    ({ program, data }) => MEMO_PROGRAMS.includes(program) && data.toString() === memo,
  );
  mustHold(
    found,
    `the transaction that opened the pots, ${opening.signature}, does not carry the memo ${memo}`,
  );
  for (const { slot } of payments)
    mustHold(
      slot >= opening.slot,
      `a payment in slot ${slot} is older than the ledger, of slot ${opening.slot}`,
    );
  say(`the chain has carried ${memo} since slot ${opening.slot}`);
}

const OPTIONS = ['proof', 'key', 'answer', 'run', 'allotment', 'settlement', 'wallet', 'root', 'rpc'];

function optionsFrom(args) {
  const options = {};
  for (let at = 0; at < args.length; at += 2) {
    const name = args[at].replace(/^--/, '');
    if (!OPTIONS.includes(name) || args[at + 1] === undefined) throw new CouldNotLook(USAGE);
    options[name] = args[at + 1];
  }
  if (options.proof && !options.key) throw new CouldNotLook(USAGE);
  if (!options.answer && !options.allotment && !options.proof) throw new CouldNotLook(USAGE);
  return options;
}

function readFile(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CouldNotLook(`${file} cannot be read: ${error.code}`);
  }
}

function readJson(file) {
  try {
    return parseJson(readFile(file).toString());
  } catch (error) {
    if (error instanceof CouldNotLook) throw error;
    throw new CouldNotLook(`${file} is not JSON`);
  }
}

async function verify({
  answer: answerFile,
  run: runFile,
  allotment: allotmentFile,
  settlement: settlementFile,
  wallet: named,
  root: given,
  rpc,
}) {
  const roots = new Map(given === undefined ? [] : [['--root', given]]);
  const run = runFile && readRun(runFile);
  if (run) roots.set('the run', run.ledger.root);
  const answer = answerFile && readJson(answerFile);
  if (answer) roots.set('the response', checkAnswer(answer, named));
  const allotment = allotmentFile && checkAllotment(readFile(allotmentFile));
  if (allotment) roots.set('the allotment', allotment.root);
  for (const [where, root] of roots)
    for (const [other, another] of roots)
      mustHold(root === another, `${where} and ${other} have different roots`);
  if (settlementFile && !allotment)
    throw new CouldNotLook('a settlement needs its allotment: --allotment FILE');
  const settlement = settlementFile && checkSettlement(readFile(settlementFile), allotment);
  if (run)
    checkRun(
      run,
      allotment,
      settlement && { ...settlement, sha256: sha256(readFile(settlementFile)).toString('hex') },
    );
  checkAsset(answer, { run, allotment });

  const wallet = named ?? answer?.payment?.wallet;
  const rows = allotment && wallet ? paymentsOf(wallet, allotment, settlement) : undefined;
  for (const { payment } of settlement ? paymentsIn(answer) : []) {
    const own = rows.find(({ index }) => index === payment.index);
    mustHold((own?.signature ?? null) === payment.signature, 'the settlement names another transaction');
    mustHold(`${own?.slot ?? null}` === `${payment.slot}`, 'the settlement names another slot');
  }
  if (answer?.payment && !settlement)
    say('not checked in the answer: signature and slot (they need --allotment and --settlement)');
  if (rpc)
    await checkChain(rpc, { run, answer, allotment, settlement, wallet, rows, root: [...roots.values()][0] });
}

function readRun(file) {
  const page = readJson(file);
  requireForm(page, 'the file of the run', { needed: ['run'] });
  const { run } = page;
  if (!isObject(run)) throw new CouldNotLook('the run is not an object');
  if (run.ledger === null) throw new CouldNotLook('the run was saved before it had a ledger');
  if (!isObject(run.ledger) || run.ledger.root === undefined)
    throw new CouldNotLook('the run has no ledger, or its ledger has no root');
  return run;
}

const both = ({ developer, holders }) => BigInt(developer) + BigInt(holders);

/** Compares the run with the files, and lists all its members that the files do not cover. */
function checkRun(run, allotment, settlement) {
  const looked = new Set();
  const look = (where, said, found) => {
    looked.add(where);
    if (said === undefined) return;
    mustHold(
      isEqual(said, found),
      `${where} is ${JSON.stringify(said)} in the run, but ${JSON.stringify(found)} in the files`,
    );
  };
  const { amounts = {}, ledger } = run;
  looked.add('ledger.root');
  if (allotment) {
    const { header } = allotment;
    const own = (kind, column) => BigInt(header.sums[kind][column]);
    look('runId', run.runId, header.runId);
    look('asset', run.asset, header.asset);
    look('ledger.sha256', ledger.sha256, allotment.sha256);
    look('ledger.records', ledger.records, header.records);
    look('amounts.costs', amounts.costs, `${own('costs', 'share')}`);
    look('amounts.developer', amounts.developer, `${own('developer', 'share')}`);
    look('amounts.allotted', amounts.allotted, `${own('holder', 'share')}`);
    look(
      'amounts.owed',
      amounts.owed,
      `${own('costs', 'owedBefore') + own('developer', 'owedBefore') + own('holder', 'owedBefore')}`,
    );
    look('amounts.planned', amounts.planned, header.payments[header.asset].sum);
    if (amounts.holders !== undefined && amounts.dust !== undefined) {
      const divided = amounts.holders === null ? null : `${BigInt(amounts.holders) + BigInt(amounts.dust)}`;
      look('amounts.holders', divided, header.divided);
      looked.add('amounts.dust');
    }
  }
  if (settlement) {
    const { header } = settlement;
    const { asset } = allotment.header;
    look('ledger.settlementSha256', ledger.settlementSha256, settlement.sha256);
    look('paid', run.paid, header[asset].sum);
    look('amounts.paid', amounts.paid, header[asset].sum);
    look('paidDebts', run.paidDebts, header[otherAsset(asset)].sum);
    const paidTo = paidToOf(allotment, settlement);
    look('paidTo', run.paidTo, paidTo);
    look('walletsPaid', run.walletsPaid, paidTo.holdersPaid);
    look('paymentCount', run.paymentCount, header.sol.paid + header.token.paid);
    look('amounts.owedAfter', amounts.owedAfter, header.owedAfter[asset]);
    look('amounts.dustAfter', amounts.dustAfter, header.dustAfter[asset]);
    look('pots', run.pots, header.pots);
    for (const name of ['withdraw', 'split', 'open', 'close'])
      look(`transactions.${name}`, run.transactions?.[name], header.transactions[name]);
    checkEquations(run, asset, looked);
  }
  sayNotLookedAt(run, looked);
}

/** Amounts that the transactions paid in the run's own asset, by purpose. */
function paidToOf({ header: { records }, recordAt }, { outcomes }) {
  const sums = { costs: 0n, developer: 0n, holder: 0n };
  let holdersPaid = 0;
  for (let index = 0; index < records; index++) {
    if (outcomes.get(index)?.signature === undefined) continue;
    const { kind, planned } = readRecord(recordAt(index));
    if (kind === 'debt') continue;
    sums[kind] += planned;
    if (kind === 'holder') holdersPaid += 1;
  }
  const { costs, developer, holder } = sums;
  return { costs: `${costs}`, developer: `${developer}`, holders: `${holder}`, holdersPaid };
}

/** Checks the sums of a closed run against each other; docs/reference/ledger-files.md describes their parts. */
function checkEquations(run, asset, looked) {
  const { amounts } = run;
  const equation = (names, sentence, left, right) => {
    if (names.some((name) => amounts?.[name] === undefined || amounts[name] === null)) return;
    mustHold(left() === right(), `${sentence}: ${left()} is not ${right()}`);
    for (const name of names) looked.add(`amounts.${name}`);
  };
  const sum = (...names) => names.reduce((total, name) => total + BigInt(amounts[name]), 0n);
  equation(
    ['kept', 'collected', 'burned', 'soldParts', 'keptAfter'],
    'kept + collected = burned + sold + kept after',
    () => both(amounts.kept) + sum('collected'),
    () => sum('burned') + both(amounts.soldParts) + both(amounts.keptAfter),
  );
  equation(
    ['proceeds', 'soldParts', 'costs', 'developer', 'holders'],
    'proceeds = costs + developer + holders',
    () => (asset === 'token' ? both(amounts.soldParts) : sum('proceeds')),
    () => sum('costs', 'developer', 'holders'),
  );
  equation(
    ['ownTax', 'collected'],
    'returned own tax = outstanding own tax, at most the collected amount',
    () => both(amounts.ownTax.returned),
    () => {
      const [outstanding, collected] = [both(amounts.ownTax.before), sum('collected')];
      return outstanding < collected ? outstanding : collected;
    },
  );
  for (const name of ['collected', 'burned', 'proceeds']) {
    if (run[name] === undefined || amounts?.[name] === undefined) continue;
    mustHold(
      run[name] === amounts[name],
      `${name} is ${run[name]} in the run, but ${amounts[name]} in its amounts`,
    );
    looked.add(name);
  }
  if (run.sold !== undefined && amounts?.soldParts) {
    mustHold(
      run.sold === `${both(amounts.soldParts)}`,
      `sold is ${run.sold} in the run, but ${both(amounts.soldParts)} in its amounts`,
    );
    looked.add('sold');
  }
}

function sayNotLookedAt(run, looked) {
  const parts = (name) =>
    ['amounts', 'transactions', 'ledger'].includes(name) && isObject(run[name])
      ? Object.keys(run[name]).map((part) => `${name}.${part}`)
      : [name];
  // Also lists members that later versions of the service add.
  const left = Object.keys(run)
    .flatMap(parts)
    .filter((name) => !looked.has(name));
  if (left.length > 0) say(`not checked in the run: ${left.join(', ')}`);
  const inside = [...looked].filter((name) => AMONG_THEMSELVES.includes(name));
  if (inside.length > 0)
    say(`checked only against each other, since the files do not contain them: ${inside.join(', ')}`);
}

const AMONG_THEMSELVES = [
  'collected',
  'burned',
  'sold',
  'proceeds',
  'amounts.kept',
  'amounts.collected',
  'amounts.burned',
  'amounts.soldParts',
  'amounts.keptAfter',
  'amounts.ownTax',
  'amounts.proceeds',
];

/** The asset of a payment follows from the run's asset, which is not in the record. */
function checkAsset(answer, { run, allotment }) {
  const asset = allotment?.header.asset ?? run?.asset;
  for (const { payment } of paymentsIn(answer)) {
    if (asset === undefined) return say('not checked in the answer: asset (it needs --allotment or --run)');
    const expected = assetOf(payment, asset);
    mustHold(payment.asset === expected, `asset is ${expected} in a run that pays ${asset}`);
  }
}

async function checkChain(rpc, { run, answer, allotment, settlement, wallet, rows, root }) {
  const payments = (rows ?? rowsOf(answer)).filter(({ signature }) => signature);
  const opening = settlement?.header.transactions.open ?? run?.transactions.open;
  const runId = allotment?.header.runId ?? run?.runId;
  if (opening && runId) await checkMemo(rpc, opening, { runId, root }, payments);
  else say('the memo on the chain was not checked (it needs --run, or both files)');
  if (payments.length > 0) await checkOnChain(rpc, wallet, payments, allotment?.header.mint);
  else say('no payment to check on the chain');
}

/** All payments in a response, one for each kind of record. */
function paymentsIn(answer) {
  return answer?.payment ? [answer, ...(answer.others ?? [])] : [];
}

/** JSON in the form of RFC 8785. */
function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}

/**
 * Checks the chain of proofs: from the record to the ledger's root, to the event that recorded it, to the signed
 * root of the transparency log.
 */
function checkProof(file, { key, wallet }) {
  if (!isObject(file)) throw new CouldNotLook('the proof is not an object');
  const { event, log, root } = file;
  requireForm(event, 'event of the proof', {
    needed: ['id', 'type', 'stream', 'revision', 'data', 'metadata'],
  });
  requireForm(log, 'log of the proof', { needed: ['key', 'proof'] });
  if (!isObject(event.data) || typeof log.proof !== 'string' || typeof log.key !== 'string')
    throw new CouldNotLook('the event or the log of the proof has an unexpected form');
  checkAnswer(file, wallet, ['format', 'event', 'log']);
  mustHold(
    event.type === 'RunAllotted' && event.data.root === root,
    'the event does not record the root of the ledger',
  );
  for (const { payment, proof } of paymentsIn(file)) {
    // Some trees of different sizes have the same paths, so the size is compared too.
    mustHold(proof.treeSize === event.data.records + 1, `the ledger has ${event.data.records} records`);
    const asset = assetOf(payment, event.data.asset);
    mustHold(payment.asset === asset, `asset is ${asset} in the event`);
    mustHold(
      (payment.slot === null) === (payment.signature === null),
      'slot and signature must both be set or both be null',
    );
  }
  mustHold(log.key === key, 'the key in the file differs from --key');
  const { id, type, stream, revision, data, metadata } = event;
  const entry = sha256(canonicalJson({ id, type, stream, revision, data, metadata }));
  const [head, ...rest] = log.proof.split('\n\n');
  const [format, place, ...lines] = head.split('\n');
  const [, index] = /^index (\d+)$/.exec(place ?? '') ?? [];
  mustHold(
    file.format === 'levy-payment-proof-1' && format === 'c2sp.org/tlog-proof@v1' && index !== undefined,
    'the file is not a proof of a transparency log',
  );
  const [text = '', signatures = ''] = rest;
  const [origin, size, logRoot = ''] = text.split('\n');
  const path = lines.map((line) => Buffer.from(line, 'base64').toString('hex'));
  const found = rootFromPath(entry, { index: Number(index), treeSize: Number(size), path });
  mustHold(
    found === Buffer.from(logRoot, 'base64').toString('hex'),
    'the event is not in the transparency log',
  );
  mustHold(isSigned(`${text}\n`, signatures, origin, key), `the log ${origin} has not signed with this key`);
  say(`event ${id} is entry ${index} of ${origin}, which has ${size} entries`);
}

/** The key has the form name+id+base64. Its first byte is 1 for Ed25519. */
function isSigned(text, signatures, origin, key) {
  const [name, id, encoded = ''] = key.split('+', 2).concat(key.split('+').slice(2).join('+'));
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== 33 || bytes[0] !== 1) throw new CouldNotLook('--key is not a verifier key');
  const x = bytes.subarray(1).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const line = signatures.split('\n').find((each) => each.startsWith(`— ${name} `));
  const signature = Buffer.from(line?.split(' ')[2] ?? '', 'base64');
  return (
    name === origin &&
    signature.subarray(0, 4).toString('hex') === id &&
    verifySignature(null, Buffer.from(text), publicKey, signature.subarray(4))
  );
}

/** Payments according to the response, for use without the files. */
function rowsOf(answer) {
  return paymentsIn(answer).map(({ payment: { signature, slot, planned, asset } }) => {
    if (asset === 'token' && signature)
      throw new CouldNotLook('a payment in the token needs --allotment FILE');
    return { signature, slot: slot === null ? null : BigInt(slot), planned: BigInt(planned), asset };
  });
}

try {
  const options = optionsFrom(process.argv.slice(2));
  if (options.proof) checkProof(readJson(options.proof), options);
  if (options.answer || options.allotment) await verify(options);
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
