// Which purposes the service starts with: those whose drafts end on a recent blockhash as well.
import { Type } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { defineDraft } from '../../../../src/drafts/define-draft.ts';
import { behaviourOf } from '../../../../src/drafts/purposes/index.ts';
import type { PurposeBehaviour } from '../../../../src/drafts/purposes/purpose-behaviour.ts';
import { requireOwnKey } from '../../../../src/drafts/purposes/require-own-key.ts';
import { purposes } from '../../../../src/streams/purposes/index.ts';
import type { TokenCreation } from '../../../../src/streams/purposes/token-creation.ts';

const defined = (signers: PurposeBehaviour['signers']) =>
  defineDraft({
    name: 'CreateForWallet',
    summary: 'As create-unsigned',
    description: '',
    route: { url: '/create', limit: 'create-unsigned' },
    input: { body: Type.Object({}) },
    output: Type.Object({}),
    rejections: [],
    sentBy: 'service',
    purpose: { kind: 'token-creation', signers } as PurposeBehaviour<TokenCreation>,
    plan: () => Promise.reject(new Error('it is only defined')),
    answer: () => ({}),
  });

describe('a command that issues drafts is refused when it is defined', () => {
  test('if no key of the service signs them on a recent blockhash: they would never end', () => {
    const onNonces: PurposeBehaviour['signers'] = (keyring, transactionId, lifetime) =>
      lifetime === 'durable-nonce' ? [keyring.draft(transactionId)] : [];
    expect(() => defined(onNonces)).toThrow(
      'drafts for "token-creation" would never end on a recent blockhash: no key of the service signs them.',
    );
  });

  test('if all have the same first key, whose history then tells nothing about one of them', () => {
    expect(() => defined((keyring) => [keyring.feePayer])).toThrow('signs others too');
    const second: PurposeBehaviour['signers'] = (keyring, id) => [keyring.feePayer, keyring.draft(id)];
    expect(() => defined(second)).toThrow('signs others too');
  });

  test('and not if the first key is derived from the transactionId', () => {
    expect(defined((keyring, id) => [keyring.draft(id), keyring.feePayer]).name).toBe('CreateForWallet');
    for (const { kind } of purposes) expect(() => requireOwnKey(behaviourOf(kind))).not.toThrow();
  });
});
