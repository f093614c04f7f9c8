/** The gauges of the process itself, and of what it was configured with. */
import { nothing, type StateParts } from './state-instruments.ts';

export const processParts: StateParts = {
  async 'free space'({ freeSpace }, { gauges }) {
    const found = await freeSpace?.();
    return () => {
      for (const { folder, bytes } of found ?? []) gauges.freeBytes.set({ folder }, bytes);
    };
  },

  async leases({ leases }, { gauges }) {
    if (leases === undefined) return nothing;
    return () => {
      for (const { name: role, state, error } of leases()) {
        gauges.leaseHeld.set({ role }, state === 'held' ? 1 : 0);
        gauges.leaseFailing.set({ role }, error === undefined ? 0 : 1);
      }
    };
  },

  async loops({ repetitions }, { gauges }) {
    return () => {
      for (const [loop, repetition] of Object.entries(repetitions())) {
        const { error, lastSuccess } = repetition.status();
        gauges.loopFailing.set({ loop }, error === undefined ? 0 : 1);
        if (lastSuccess !== undefined) gauges.loopLastSuccess.set({ loop }, Date.parse(lastSuccess) / 1000);
      }
    };
  },

  async service({ chainRestarts, feePayerFloor, nonceAccountsMaximum }, { gauges, counters }) {
    return () => {
      if (feePayerFloor !== undefined) gauges.feePayerFloor.set(Number(feePayerFloor));
      if (nonceAccountsMaximum !== undefined) gauges.nonceAccountsMaximum.set(nonceAccountsMaximum);
      const count = chainRestarts?.();
      if (count !== undefined) counters.restarts.inc(count);
    };
  },
};
