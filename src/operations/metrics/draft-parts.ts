/** The gauges of what users sign, and of the chain that it is sent to. */
import { agesOf } from '../node-watch.ts';
import { ageOf, nothing, type StateParts } from './state-instruments.ts';

export const draftParts: StateParts = {
  async drafts({ workload }, { gauges }) {
    if (workload === undefined) return nothing;
    const counts = await workload.drafts();
    return () => {
      for (const [state, count] of Object.entries(counts)) gauges.drafts.set({ state }, count);
    };
  },

  async 'nonce accounts'({ workload }, { gauges }) {
    if (workload === undefined) return nothing;
    const counts = await workload.nonceAccounts();
    return () => {
      for (const [state, count] of Object.entries(counts)) gauges.nonceAccounts.set({ state }, count);
    };
  },

  async submissions({ workload, clock }, { gauges }) {
    if (workload === undefined) return nothing;
    const { toSettle, oldestAcceptedAt, overdue, flooded, unknown } = await workload.submissions();
    return () => {
      gauges.settlerQueue.set(toSettle);
      gauges.settlerOverdue.set(overdue?.count ?? 0);
      gauges.settlerFlooded.set(flooded);
      gauges.settlerUnknown.set(unknown);
      gauges.settlerOldest.set(oldestAcceptedAt === undefined ? 0 : ageOf(oldestAcceptedAt, clock));
    };
  },

  async 'chain node'({ node, clock }, { gauges }) {
    if (node === undefined) return nothing;
    const observation = await node.look();
    return () => {
      const { stood, blockAge, finalBlockAge } = agesOf(observation, clock.now().getTime());
      const { confirmed, finalized } = observation;
      gauges.chainSlot.set({ commitment: 'confirmed' }, Number(confirmed.slot));
      gauges.chainSlot.set({ commitment: 'finalized' }, Number(finalized.slot));
      gauges.chainBlockAge.set({ commitment: 'confirmed' }, blockAge / 1_000);
      gauges.chainBlockAge.set({ commitment: 'finalized' }, finalBlockAge / 1_000);
      gauges.chainSlotUnchanged.set(stood / 1_000);
    };
  },

  async 'fee payer'({ feePayer }, { gauges }) {
    if (feePayer === undefined) return nothing;
    const lamports = await feePayer.balance();
    return () => {
      gauges.feePayerBalance.set(Number(lamports));
    };
  },
};
