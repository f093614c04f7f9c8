// What the page of live events says of each event that the service publishes.
import { describe, expect, test } from 'vitest';
import { eventText, FAMILIES, KNOWN_EVENTS } from '../../../console/src/format/event-texts.ts';
import { outcomes } from '../../../src/outcomes/index.ts';

const MINT = 'AEgDhrDbhP9WFRT9vKcmcuVTpMmDoHVcj6iH6bGNE1j3';
const textOf = (name: string, data: object) => {
  const { title, detail } = eventText({ type: `levy.${name}`, data: { mintAddress: MINT, ...data } });
  return [title, detail?.replaceAll('\u202f', ' ')];
};

describe('an event', () => {
  test('of each type that is published has a sentence, and a family that can be asked for', () => {
    const names = outcomes.map(({ name }) => name);
    expect(KNOWN_EVENTS.toSorted()).toEqual(names.toSorted());
    expect(Object.keys(FAMILIES).toSorted()).toEqual(
      [...new Set(names.map((name) => name.split('.')[0]))].toSorted(),
    );
  });

  test.each([
    ['tokens.created', { name: 'Dawn', symbol: 'DAWN' }, 'Token created', 'DAWN'],
    ['tokens.created', { name: 'Dawn', symbol: '' }, 'Token created', undefined],
    [
      'tokens.transfer-fee-changed',
      { transferFeePercent: 3, pending: null },
      'Tax changed',
      '3 % of each transfer',
    ],
    [
      'tokens.transfer-fee-changed',
      { transferFeePercent: 3, pending: { percent: 4 } },
      'Tax changed',
      '3 % of each transfer, changing soon',
    ],
    ['distributions.started', { number: 3 }, 'Run started', '#3'],
    ['distributions.allotted', { records: 1 }, 'Shares recorded', '1 wallet'],
    [
      'distributions.completed',
      { number: 3, asset: 'sol', paidTo: { holders: '13204118902', holdersPaid: 1_200 } },
      'Run completed',
      '#3 · 13.204 118 902 SOL to 1,200 holders',
    ],
    // The decimals of the token are not in the event.
    [
      'distributions.completed',
      { number: 3, asset: 'token', paidTo: { holders: '13204118902', holdersPaid: 2 } },
      'Run completed',
      '#3 · 2 holders',
    ],
    // A member that is missing is left out.
    ['distributions.completed', { number: 3, asset: 'sol' }, 'Run completed', '#3'],
    ['promotions.started', { price: '500000000' }, 'Promoted', 'paid: 0.5 SOL'],
    ['distributions.resumed', {}, 'Distribution resumed', undefined],
    ['tokens.painted', { colour: 'red' }, 'tokens.painted', undefined],
    ['toString', {}, 'toString', undefined],
  ])('%s with %o is said as "%s" and "%s"', (name, data, title, detail) => {
    expect(textOf(name, data)).toEqual([title, detail]);
  });
});
