/** What an operator does to distributions. Each takes a reason, which is recorded for ever with the operator's name. */
import type { LevyClient } from 'levy-client';
import { OperatorAct } from '../parts/operator-act.tsx';

type What = keyof typeof ACTS;

const ACTS = {
  halt: {
    name: 'Halt …',
    does: 'No run of the token is opened, and an open one stops before its next transaction. What was sent may still land.',
    button: 'Halt it',
    path: '/operator/distributions/{tokenId}/halt',
  },
  resume: {
    name: 'Resume …',
    does: 'An open run goes on where it stopped, and the next ones are opened as they are due.',
    button: 'Resume it',
    path: '/operator/distributions/{tokenId}/resume',
  },
  run: {
    name: 'Run now …',
    does: 'The distributor opens a run as soon as it can; it says why if it cannot.',
    button: 'Ask for a run',
    path: '/operator/distributions/{tokenId}/run',
  },
  'halt-all': {
    name: 'Halt all …',
    does: 'No run of any token is opened, and open ones stop before their next transaction.',
    button: 'Halt all of them',
    path: '/operator/distributions/halt',
  },
  'resume-all': {
    name: 'Resume all …',
    does: 'Runs are opened and go on again. Tokens that are halted by themselves stay halted.',
    button: 'Resume all of them',
    path: '/operator/distributions/resume',
  },
} as const;

interface ActProps {
  readonly client: LevyClient;
  readonly what: What;
  /** Not of those that are for all. */
  readonly tokenId?: string;
  readonly isOffered?: boolean;
  readonly onDone: () => void;
}

export function Act({ client, what, tokenId = '', isOffered = true, onDone }: ActProps) {
  const { path, ...shown } = ACTS[what];
  const act = async (reason: string) => {
    const body = { reason };
    if (path === '/operator/distributions/halt' || path === '/operator/distributions/resume') {
      const { halted } = await client.post(path, { body });
      if (what === 'halt-all' && halted?.reason !== reason)
        throw new AlreadySo('They are halted', halted?.reason);
    } else {
      const { halted, requestReason } = await client.post(path, { params: { path: { tokenId } }, body });
      if (what === 'run' && requestReason !== reason)
        throw new AlreadySo('A run is asked for', requestReason);
      if (what === 'halt' && halted?.reason !== reason) throw new AlreadySo('It is halted', halted?.reason);
    }
    onDone();
  };
  return <OperatorAct {...shown} isOffered={isOffered} act={act} />;
}

/** Somebody did the same meanwhile: the log has their reason. */
class AlreadySo extends Error {
  constructor(what: string, reason: string | null | undefined) {
    super(`${what} already, and your reason was not recorded. The log has this one: ${reason ?? 'none'}`);
  }
}
