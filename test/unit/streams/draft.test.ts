// The life of a draft: which event leads from which stage to which, and what is known in each.
import { describe, expect, test } from 'vitest';
import { draft } from '../../../src/streams/draft.ts';
import { type DraftEvent, DraftIssued, draftEvents } from '../../../src/streams/draft-events.ts';
import {
  acceptedOf,
  conclusionOf,
  type DraftStatus,
  isCancelled,
  isLiving,
  isOnRecord,
  isPending,
  isUnderWay,
  knownSignature,
} from '../../../src/streams/draft-state.ts';
import {
  acceptedSubmission,
  draftIssued,
  issuedDraft,
  landedSubmission,
  signatures,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
  submissionOverdue,
} from '../../support/domain-examples.ts';
import { turnsOf } from '../../support/draft-examples.ts';
import { draftAfter, pendingAfter } from '../../support/draft-stages.ts';

const { abandoned, superseded, expired, cancelled, dropped, flooded, unknown, concluded } = turnsOf();
const accepted = [draftIssued, submissionAccepted] as const;

/** A draft in each stage, and in each way to be there; and what it is then. */
const STAGES: Readonly<Record<string, readonly [events: readonly DraftEvent[], is: string]>> = {
  absent: [[], ''],
  unreadable: [[submissionAccepted], ''],
  open: [[draftIssued], 'living'],
  cancelled: [[draftIssued, cancelled], 'cancelled, living'],
  submitted: [accepted, 'under way, accepted, living'],
  overdue: [[...accepted, submissionOverdue], 'under way, accepted, living'],
  confirmed: [[...accepted, submissionConfirmed], 'under way, accepted, living'],
  'confirmed, sent by its creator': [[draftIssued, submissionConfirmed], 'under way, living'],
  'confirmed, sent by its creator and cancelled': [
    [draftIssued, cancelled, submissionConfirmed],
    'under way, cancelled, living',
  ],
  superseded: [[draftIssued, superseded], ''],
  expired: [[draftIssued, expired], ''],
  'expired after it was cancelled': [[draftIssued, cancelled, expired], 'cancelled'],
  finalized: [[...accepted, submissionFinalized], 'under way, accepted'],
  'finalized, sent by its creator': [[draftIssued, submissionFinalized], 'under way'],
  failed: [[...accepted, submissionFailed], 'under way, accepted'],
  'failed, sent by its creator': [[draftIssued, submissionConfirmed, submissionFailed], ''],
};
const eventsTo = (stage: string) => STAGES[stage]?.[0] ?? [];
const stateIn = (stage: string) => draftAfter(...eventsTo(stage));
const onRecord = Object.keys(STAGES).filter((stage) => isOnRecord(stateIn(stage)));

/** The status to which an event leads from every stage on record; `stays` where it leads nowhere else. */
const LEADS_TO: readonly (readonly [DraftEvent, DraftStatus | 'stays' | 'by who sent it'])[] = [
  [abandoned, 'stays'],
  [draftIssued, 'stays'],
  [superseded, 'superseded'],
  [expired, 'expired'],
  [cancelled, 'cancelled'],
  [submissionAccepted, 'submitted'],
  [submissionOverdue, 'stays'],
  [submissionConfirmed, 'confirmed'],
  [dropped, 'by who sent it'],
  [flooded, 'stays'],
  [unknown, 'stays'],
  [concluded, 'stays'],
  [submissionFinalized, 'finalized'],
  [submissionFailed, 'failed'],
];

describe('an event', () => {
  test('of every type has an example here', () => {
    expect(LEADS_TO.map(([{ type }]) => type).toSorted()).toEqual(Object.keys(draftEvents).toSorted());
  });

  test.each(
    LEADS_TO.filter(([event]) => event !== dropped),
  )('leads to the status that it names from every stage, so that a log from which an event is missing folds: %j', (event, status) => {
    for (const stage of onRecord) {
      const before = stateIn(stage);
      expect(draft.evolve(before, event).status, stage).toBe(status === 'stays' ? before.status : status);
    }
  });

  test('before the issue says that the issue cannot be read, unless it is the issue or a lapsed claim', () => {
    for (const [event] of LEADS_TO) {
      const expected = { DraftAbandoned: 'absent', DraftIssued: 'open' } as Record<string, DraftStatus>;
      expect(draftAfter(event).status, event.type).toBe(expected[event.type] ?? 'unreadable');
      expect(draftAfter(submissionAccepted, event)).toEqual({ status: 'unreadable' });
    }
  });
});

describe('a draft', () => {
  test.each(Object.entries(STAGES))('that is %s says so', (stage, [, expected]) => {
    const state = stateIn(stage);
    const is = {
      'under way': isUnderWay(state),
      accepted: acceptedOf(state) !== undefined,
      cancelled: isCancelled(state),
      living: isLiving(state),
    };
    const said = Object.entries(is).flatMap(([what, isSo]) => (isSo ? [what] : []));
    expect(said.join(', ')).toBe(expected);
    expect(isPending(state)).toBe(is.living && is.accepted);
  });

  test('is absent before anything happened, and counts how often it was given up before it was issued', () => {
    expect(draftAfter()).toEqual({ status: 'absent', abandonments: 0 });
    expect(draftAfter(abandoned, abandoned)).toEqual({ status: 'absent', abandonments: 2 });
  });

  test('is open once it is issued, whatever was given up before, and is issued once', () => {
    const open = {
      status: 'open',
      issued: issuedDraft,
      flooded: undefined,
      unknown: undefined,
      concluded: undefined,
    };
    expect(draftAfter(abandoned, draftIssued)).toEqual(open);
    expect(draftAfter(draftIssued, DraftIssued({ ...issuedDraft, cost: '1' }))).toEqual(open);
  });

  test('that its creator cancelled stays so, unless its creator has sent it all the same', () => {
    const before = [draftIssued, cancelled] as const;
    expect(draftAfter(...before, submissionConfirmed)).toMatchObject({
      status: 'confirmed',
      landed: landedSubmission,
      accepted: undefined,
    });
    expect(draftAfter(...before, submissionConfirmed, dropped)).toEqual(draftAfter(...before));
    expect(draftAfter(draftIssued, submissionConfirmed, dropped)).toEqual(draftAfter(draftIssued));
    expect(isCancelled(draftAfter(...before, submissionFinalized))).toBe(true);
    expect(isCancelled(draftAfter(...before, submissionFailed))).toBe(true);
  });

  test('is submitted from its acceptance on, also while the advance overtakes it', () => {
    expect(draftAfter(...accepted)).toMatchObject({ accepted: acceptedSubmission, overdue: undefined });
    for (const later of [[], [submissionConfirmed], [submissionFinalized], [submissionFailed]])
      expect(draftAfter(...accepted, submissionOverdue, ...later)).toMatchObject({
        accepted: acceptedSubmission,
        overdue: submissionOverdue.data,
      });
    for (const notAccepted of [[draftIssued], [draftIssued, submissionConfirmed]] as const)
      expect(draftAfter(...notAccepted, submissionOverdue)).toEqual(draftAfter(...notAccepted));
  });

  test('is confirmed and then finalized where it landed, and known by the signature that it landed with', () => {
    const landed = landedSubmission;
    expect(draftAfter(...accepted, submissionConfirmed)).toMatchObject({ status: 'confirmed', landed });
    expect(draftAfter(...accepted, submissionConfirmed, submissionFinalized)).toMatchObject({ landed });
    expect(draftAfter(...accepted, submissionFinalized)).toMatchObject({ landed });
    expect(knownSignature(pendingAfter(...accepted))).toBe(signatures.first);
    expect(knownSignature(pendingAfter(...accepted, submissionConfirmed))).toBe(signatures.second);
  });

  test('that a fork dropped is submitted again with its advance, and has landed nowhere', () => {
    for (const before of [accepted, eventsTo('overdue')]) {
      expect(draftAfter(...before, submissionConfirmed, dropped)).toEqual(draftAfter(...before));
      expect(draftAfter(...before, dropped)).toEqual(draftAfter(...before));
    }
  });

  test('that failed has landed nowhere, also when it had been confirmed before', () => {
    for (const before of [accepted, eventsTo('confirmed')]) {
      expect(draftAfter(...before, submissionFailed)).toMatchObject({ failed: submissionFailed.data });
      expect(draftAfter(...before, submissionFailed)).not.toHaveProperty('landed');
    }
  });

  test('is searched in a flooded history, or is unknown, until it has an outcome', () => {
    const living = onRecord.filter((stage) => isLiving(stateIn(stage)));
    const searched = { flooded: flooded.data, unknown: unknown.data };
    for (const stage of living) {
      const state = draftAfter(...eventsTo(stage), flooded, unknown);
      expect(state, stage).toMatchObject(searched);
      for (const on of [cancelled, submissionAccepted, submissionConfirmed, dropped])
        expect(draft.evolve(state, on), stage).toMatchObject(searched);
      for (const end of [expired, submissionFinalized, submissionFailed]) {
        expect(draft.evolve(state, end)).not.toHaveProperty('flooded');
        expect(draft.evolve(state, end)).not.toHaveProperty('unknown');
      }
    }
    for (const stage of onRecord.filter((each) => !living.includes(each)))
      expect(draftAfter(...eventsTo(stage), flooded, unknown), stage).toEqual(stateIn(stage));
  });

  test('that an operator concluded keeps the word with its outcome', () => {
    for (const end of [[], [expired], [submissionFinalized], [submissionFailed]])
      expect(conclusionOf(draftAfter(...accepted, concluded, ...end))).toEqual(concluded.data);
    expect(conclusionOf(draftAfter(...accepted))).toBeUndefined();
    expect(conclusionOf(draftAfter(draftIssued, superseded, concluded))).toBeUndefined();
  });
});
