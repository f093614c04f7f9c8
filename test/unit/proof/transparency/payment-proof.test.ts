// A proof file holds as a whole or is refused with the first thing that does not hold.
import { verifyPaymentProof } from 'levy-client';
import {
  checkProofFile,
  createGrowingTree,
  ED25519,
  EVENT_PROOF,
  entryOf,
  inclusionPath,
  leafHash,
  NoteInvalid,
  noteKey,
  PAYMENT_PROOF,
  parsePolicy,
  policyOfLog,
  rootOf,
  signCheckpoint,
  stepsOf,
  tlogProofText,
  toBase64,
  verifierKey,
} from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../../../src/chain/keys.ts';
import type { LedgerRecord } from '../../../../src/distribution/ledger/ledger-record.ts';
import { runAllotted, runId } from '../../../support/distribution-examples.ts';
import { encodeRecord } from '../../../support/encode-record.ts';
import { makeAllotment, ownerOf } from '../../../support/ledger-files.ts';

const { logKey } = createKeyring(new Uint8Array(32).fill(7));
const { logKey: otherKey } = createKeyring(new Uint8Array(32).fill(8));
const ORIGIN = 'levy.example/log';
const KEY = noteKey(ORIGIN, ED25519, logKey.publicKey);

const record = (index: number, fields: Partial<LedgerRecord> = {}): LedgerRecord => ({
  kind: 'holder',
  owner: ownerOf(index),
  balance: 10n,
  basis: 10n,
  share: 5n,
  owedBefore: 2n,
  planned: 7n,
  paidBefore: 0n,
  reason: 'planned',
  ...fields,
});
const ALLOTMENT = makeAllotment([
  record(1),
  record(2, { planned: 0n, reason: 'no-account' }),
  record(3, { kind: 'debt', share: 0n, planned: 2n }),
]);
const header = ALLOTMENT.bytes.subarray(4, 4 + ALLOTMENT.bytes.readUInt32LE());
const LEAVES = [header, ...ALLOTMENT.records.map(encodeRecord)].map(leafHash);

const EVENT = {
  id: 'event',
  type: 'RunAllotted',
  stream: `run-${runId}`,
  revision: 4,
  data: { ...runAllotted.data, asset: 'sol', root: ALLOTMENT.root, records: ALLOTMENT.records.length },
  metadata: { actor: 'service:distributor' },
};

/** An event in a log of three entries. */
function logged(event: Parameters<typeof entryOf>[0] = EVENT, signer = logKey) {
  const entries = [new Uint8Array(32), entryOf(event), new Uint8Array(32).fill(1)];
  const tree = createGrowingTree();
  for (const entry of entries) tree.add(entry);
  const checkpoint = signCheckpoint({ origin: ORIGIN, size: 3, root: tree.root() }, signer);
  const path = inclusionPath(entries.map(leafHash), 1);
  return { event, log: { key: verifierKey(KEY), proof: tlogProofText({ index: 1, path, checkpoint }) } };
}

/** The payment of a record by its owner's number, as `levy prove` writes it. */
function leafFor(owner: number) {
  const place = ALLOTMENT.records.findIndex((each) => each.owner === ownerOf(owner));
  const found = ALLOTMENT.records[place];
  if (found === undefined) throw new Error(`there is no record of owner ${owner}`);
  const isPaid = found.planned > 0n;
  const index = place + 1;
  return {
    payment: {
      index: place,
      kind: found.kind as string,
      asset: found.kind === 'debt' ? 'token' : 'sol',
      wallet: found.owner,
      balance: `${found.balance}`,
      share: `${found.share}`,
      owedBefore: `${found.owedBefore}`,
      planned: `${found.planned}`,
      paid: `${found.planned}`,
      owedAfter: `${found.owedBefore + found.share - found.planned}`,
      reason: found.reason as string,
      signature: isPaid ? 'signature' : null,
      slot: isPaid ? '100' : null,
    },
    record: toBase64(encodeRecord(found)),
    proof: {
      index,
      treeSize: LEAVES.length,
      path: inclusionPath(LEAVES, index).map((hash) => Buffer.from(hash).toString('hex')),
    },
  };
}

const FILE = {
  format: PAYMENT_PROOF,
  ...logged(),
  ...leafFor(1),
  root: ALLOTMENT.root,
  others: [leafFor(2), leafFor(3)],
};

function refusal(file: unknown, policy?: Parameters<typeof checkProofFile>[1]): string {
  try {
    checkProofFile(file, policy);
  } catch (error) {
    expect(error).toBeInstanceOf(NoteInvalid);
    return (error as NoteInvalid).message;
  }
  return 'accepted';
}

const paid = (change: Partial<(typeof FILE)['payment']>) => ({
  ...FILE,
  payment: { ...FILE.payment, ...change },
});

describe('a proof file', () => {
  test('shows the event, its place, and every payment of the wallet', () => {
    expect(checkProofFile(FILE, undefined)).toMatchObject({
      event: { id: 'event', type: 'RunAllotted', revision: 4 },
      index: 1,
      checkpoint: { origin: ORIGIN, size: 3 },
      believedKey: FILE.log.key,
      witnesses: [],
      payments: [
        { wallet: ownerOf(1), planned: '7', root: ALLOTMENT.root },
        { wallet: ownerOf(2), planned: '0', root: ALLOTMENT.root },
        { wallet: ownerOf(3), planned: '2', root: ALLOTMENT.root },
      ],
    });
  });

  test('is believed by the key in it alone, unless there is a policy', () => {
    expect(checkProofFile(FILE, policyOfLog(KEY)).believedKey).toBeUndefined();
    const policy = policyOfLog(noteKey(ORIGIN, ED25519, otherKey.publicKey));
    expect(refusal(FILE, policy)).toBe(`the checkpoint of ${ORIGIN} is not signed by a log of the policy`);
    expect(refusal(FILE, parsePolicy(`log ${verifierKey(KEY)}\nquorum none`))).toBe('accepted');
  });

  test('of an event shows no payment, and may be of one that cannot be read', () => {
    const { id, type, stream, revision } = EVENT;
    const raw = { data: '{', metadata: '{}' };
    const unreadable = logged({ ...EVENT, raw });
    const file = { format: EVENT_PROOF, ...unreadable, event: { id, type, stream, revision, raw } };
    expect(checkProofFile(file, undefined)).toMatchObject({ event: { id }, payments: [] });
    expect(refusal({ ...file, event: { ...file.event, raw: { ...raw, data: '[' } } })).toContain(
      'does not lead',
    );
  });

  const FORMAT = `its format must be ${EVENT_PROOF} or ${PAYMENT_PROOF}`;
  const FORM = 'is missing or invalid';
  const noProof = (why: string) => `the file is not a proof: ${why}`;
  const notIn = (owner: number) => `the record of ${ownerOf(owner)} is not in the ledger`;
  const UNSIGNED = `the checkpoint of ${ORIGIN} is not signed by the key in the file`;
  const NO_ROOT = 'the event does not contain the root of the ledger';
  const UNPAID = `the payment of ${ownerOf(1)} must have a transaction exactly if it was paid`;
  const unreadable = { ...EVENT, raw: { data: '{', metadata: '{}' } };
  const otherName = verifierKey(noteKey('other', ED25519, logKey.publicKey));

  test.each<[string, unknown, string]>([
    ['of another format', { ...FILE, format: 'levy-proof-9' }, noProof(FORMAT)],
    ['that is no object', null, noProof(FORMAT)],
    ['without a root', { ...FILE, root: undefined }, noProof(`root ${FORM}`)],
    ['with an amount that is none', paid({ share: '05' }), noProof(`payment.share ${FORM}`)],
    ['without its log', { format: EVENT_PROOF, event: EVENT }, noProof(`log ${FORM}`)],
    [
      'of a changed event',
      { ...FILE, event: { ...EVENT, revision: 5 } },
      'the path does not lead from entry 1 to the root of the checkpoint',
    ],
    ['that another key has signed', { ...FILE, ...logged(EVENT, otherKey) }, UNSIGNED],
    ['with the key of another log', { ...FILE, log: { ...FILE.log, key: otherName } }, UNSIGNED],
    ['of an event that allots nothing', { ...FILE, ...logged({ ...EVENT, type: 'RunClosed' }) }, NO_ROOT],
    ['of the ledger of another run', { ...FILE, root: '00'.repeat(32) }, NO_ROOT],
    ['of a run whose event cannot be read', { ...FILE, ...logged(unreadable) }, NO_ROOT],
    ['with the record of another', { ...FILE, record: leafFor(2).record }, notIn(1)],
    ['with a record that is no base64', { ...FILE, record: '*' }, notIn(1)],
    ['with another place', { ...FILE, proof: { ...FILE.proof, index: FILE.proof.index - 1 } }, notIn(1)],
    [
      'whose further payment does not hold',
      { ...FILE, others: [{ ...leafFor(2), record: FILE.record }] },
      notIn(2),
    ],
    ['with a payment without a transaction', paid({ signature: null }), UNPAID],
    ['with a payment without a slot', paid({ slot: null }), UNPAID],
    ['with a transaction that paid nothing', paid({ paid: '0', owedAfter: '7' }), UNPAID],
  ])('%s is refused', (_what, file, message) => {
    expect(refusal(file)).toBe(message);
  });

  test.each<[keyof (typeof FILE)['payment'], string | number, string | number]>([
    ['kind', 'costs', 'holder'],
    ['asset', 'token', 'sol'],
    ['index', 9, FILE.payment.index],
    ['balance', '11', '10'],
    ['share', '6', '5'],
    ['owedBefore', '3', '2'],
    ['planned', '8', '7'],
    ['paid', '8', '7'],
    ['owedAfter', '1', '0'],
    ['reason', 'no-account', 'planned'],
  ])('with another %s than the ledger has is refused', (field, shown, recorded) => {
    expect(refusal(paid({ [field]: shown }))).toBe(
      `${field} of ${ownerOf(1)} is ${shown} in the file, but ${recorded} in the ledger`,
    );
  });

  test('with another wallet is refused', () => {
    expect(refusal(paid({ wallet: ownerOf(2) }))).toBe(
      `wallet of ${ownerOf(2)} is ${ownerOf(2)} in the file, but ${ownerOf(1)} in the ledger`,
    );
  });

  test('may say that the chain refused a planned payment and why, and that of no other', () => {
    const unpaid = { paid: '0', owedAfter: '7', signature: null, slot: null };
    for (const reason of ['planned', 'frozen']) expect(refusal(paid({ ...unpaid, reason }))).toBe('accepted');
    expect(refusal(paid({ ...unpaid, reason: 'no-account' }))).toContain('reason of');
    // It was paid, so that nobody refused it.
    expect(refusal(paid({ reason: 'frozen' }))).toBe(
      `reason of ${ownerOf(1)} is frozen in the file, but planned in the ledger`,
    );
    // It was not planned, so that nobody was asked.
    const second = leafFor(2);
    const other = { ...second, payment: { ...second.payment, reason: 'frozen' } };
    expect(refusal({ ...FILE, others: [other] })).toBe(
      `reason of ${ownerOf(2)} is frozen in the file, but no-account in the ledger`,
    );
  });

  test('names the asset of a debt, which is the one that the run does not pay', () => {
    const third = leafFor(3);
    const inSol = { ...third, payment: { ...third.payment, asset: 'sol' } };
    const ofTokens = { ...FILE, ...logged({ ...EVENT, data: { ...EVENT.data, asset: 'token' } }) };
    expect(refusal({ ...ofTokens, ...inSol, others: [] })).toBe('accepted');
    expect(refusal({ ...FILE, ...inSol, others: [] })).toBe(
      `asset of ${ownerOf(3)} is sol in the file, but token in the ledger`,
    );
  });

  test('is refused where a leaf of the ledger is no record', () => {
    const leaf = Buffer.from('too short');
    const leaves = [header, leaf].map(leafHash);
    const root = Buffer.from(rootOf(leaves)).toString('hex');
    const file = {
      ...FILE,
      ...logged({ ...EVENT, data: { ...EVENT.data, root, records: 1 } }),
      root,
      record: toBase64(leaf),
      proof: {
        index: 1,
        treeSize: 2,
        path: inclusionPath(leaves, 1).map((hash) => Buffer.from(hash).toString('hex')),
      },
      others: [],
    };
    expect(refusal(file)).toBe(`the record of ${ownerOf(1)} is invalid: a record must have 82 bytes, not 9`);
  });

  test('is checked from the log down to the record, and that of an event no further than its signature', () => {
    const told: string[] = [];
    const { id, type, stream, revision, data, metadata } = EVENT;
    const ofEvent = {
      format: EVENT_PROOF,
      log: FILE.log,
      event: { id, type, stream, revision, data, metadata },
    };
    for (const file of [FILE, ofEvent]) {
      told.length = 0;
      checkProofFile(file, undefined, ({ name }) => told.push(name));
      expect(stepsOf(file.format)).toEqual(told);
    }
    expect(stepsOf(PAYMENT_PROOF)).toEqual(['log', 'signature', 'root', 'ledger', 'record']);
    expect(stepsOf(EVENT_PROOF)).toEqual(['log', 'signature']);
  });

  test('of a tree of another size is refused, though its path leads to the root', () => {
    const data = { ...EVENT.data, records: ALLOTMENT.records.length + 1 };
    const file = { ...FILE, ...logged({ ...EVENT, data }) };
    expect(refusal(file)).toBe(`proof.treeSize of ${ownerOf(1)} is 4 in the file, but 5 in the ledger`);
  });
});

describe('the client that others install', () => {
  const { others: _others, ...alone } = FILE;
  const policy = `log ${verifierKey(KEY)}\nquorum none\n`;
  const check = (file: object, wallet = ownerOf(1), text = policy) =>
    verifyPaymentProof(file as Parameters<typeof verifyPaymentProof>[0], { policy: text, wallet });

  test('reads from a proof file what the run decided to pay', () => {
    expect(check(alone)).toEqual([{ kind: 'holder', asset: 'sol', planned: '7' }]);
    expect(check({ ...alone, ...leafFor(3) }, ownerOf(3))).toEqual([
      { kind: 'debt', asset: 'token', planned: '2' },
    ]);
  });

  test('refuses what the log has not signed, what is not in the ledger, and what is of another wallet', () => {
    const stranger = `log ${verifierKey(noteKey(ORIGIN, ED25519, otherKey.publicKey))}\nquorum none\n`;
    expect(() => check(alone, ownerOf(1), stranger)).toThrow('is not signed by a log of the policy');
    expect(() => check({ ...alone, event: { ...EVENT, revision: 5 } })).toThrow('does not lead');
    expect(() => check({ ...alone, root: '00'.repeat(32) })).toThrow('does not contain the root');
    expect(() => check({ ...alone, record: leafFor(2).record })).toThrow('is not in the ledger');
    expect(() => check({ ...alone, proof: { ...FILE.proof, treeSize: 5 } })).toThrow('is not in the ledger');
    expect(() => check(alone, ownerOf(2))).toThrow(`the record belongs to ${ownerOf(1)}`);
    expect(() => check(FILE)).toThrow(`the record belongs to ${ownerOf(2)}`);
    expect(() => check(paid({ planned: '8' }))).toThrow('planned of');
    const raw = logged({ ...EVENT, raw: { data: '{', metadata: '{}' } });
    expect(() => check({ ...alone, ...raw })).toThrow('does not contain the root');
  });
});
