/** Operator actions on distributions. Each requires a reason, which is recorded permanently with the operator's name. */
import type { LevyClient } from 'levy-client';
import { OperatorAct } from '../parts/operator-action.tsx';

type What = keyof typeof ACTS;

const ACTS = {
  halt: {
    name: 'Halt …',
    does: 'No run of the token starts. An open run stops before its next transaction. Transactions already sent can still land.',
    button: 'Halt',
    path: '/operator/distributions/{tokenId}/halt',
  },
  resume: {
    name: 'Resume …',
    does: 'An open run continues where it stopped. Later runs start when due.',
    button: 'Resume',
    path: '/operator/distributions/{tokenId}/resume',
  },
  run: {
    name: 'Run now …',
    does: 'The distributor opens a run as soon as possible, or reports why it cannot.',
    button: 'Request a run',
    path: '/operator/distributions/{tokenId}/run',
  },
  'halt-all': {
    name: 'Halt all …',
    does: 'No run of any token starts. Open runs stop before their next transaction.',
    button: 'Halt all',
    path: '/operator/distributions/halt',
  },
  'resume-all': {
    name: 'Resume all …',
    does: 'Resumes all runs. Tokens that were halted individually stay halted.',
    button: 'Resume all',
    path: '/operator/distributions/resume',
  },
} as const;

interface ActProps {
  readonly client: LevyClient;
  readonly what: What;
  /** Undefined for actions on all tokens. */
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
        throw new AlreadySo('All distributions are halted', halted?.reason);
    } else {
      const { halted, requestReason } = await client.post(path, { params: { path: { tokenId } }, body });
      if (what === 'run' && requestReason !== reason)
        throw new AlreadySo('A run is requested', requestReason);
      if (what === 'halt' && halted?.reason !== reason)
        throw new AlreadySo('The distribution is halted', halted?.reason);
    }
    onDone();
  };
  return <OperatorAct {...shown} isOffered={isOffered} act={act} />;
}

/** The state was already set by another request; the log has that request's reason. */
class AlreadySo extends Error {
  constructor(what: string, reason: string | null | undefined) {
    super(`${what} already; your reason was not recorded. Recorded reason: ${reason ?? 'none'}`);
  }
}
