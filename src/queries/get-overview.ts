/** Returns the operator's overview: roles by process, balances of the paying accounts, and pending work. */
import { type Static, Type } from '@sinclair/typebox';
import pTimeout from 'p-timeout';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { storeUnavailableRejection } from '../kernel/runtime/execute.ts';
import { Address, Amount, described, enumOf, orNull, Timestamp } from '../streams/value-types.ts';

/** Timeout for the balances, in milliseconds. */
const TIMEOUT = 3_000;

const RoleStatus = Type.Object(
  {
    role: Type.String({ examples: ['settler'] }),
    state: enumOf('RoleState', ['held', 'lapsed', 'free'], {
      description:
        '`lapsed`: the lease was not renewed; another running process takes the role over. `free`: no process holds the role.',
    }),
    holder: orNull(Type.String(), {
      description: 'Host name and process id. Null if the role is free.',
      examples: ['levy-1 4711'],
    }),
    until: orNull(Timestamp, {
      description:
        "End of the lease unless renewed, by its holder's clock. Null without a lease: a process with a local " +
        'log holds the role while it runs.',
    }),
  },
  { title: 'RoleStatus' },
);

export type RoleStatus = Static<typeof RoleStatus>;

const Payer = Type.Object(
  {
    name: enumOf('PayerName', ['fee payer', 'distributor']),
    address: Address,
    lamports: orNull(Amount, {
      description: 'At most a few seconds old. Null while the chain does not respond.',
    }),
    floor: described(
      Amount,
      'Minimum in lamports. Below it, the service issues no drafts (fee payer) or opens no runs (distributor).',
    ),
    isEnough: orNull(Type.Boolean(), { examples: [true] }),
  },
  { title: 'Payer' },
);

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] });

const Waiting = Type.Object(
  {
    awaitingSignature: count('Drafts that wait for a signature.'),
    submitted: count('Submissions that were sent and have not landed.'),
    confirmed: count('Submissions that have landed and are not final.'),
    unknown: count('Drafts whose outcome the chain does not show; an operator must conclude them.'),
    oldestAcceptedAt: orNull(Timestamp, {
      description:
        'Acceptance time of the oldest submission that is not final. Null without such a submission.',
    }),
  },
  { title: 'Waiting' },
);

interface OverviewServices {
  /** Rejects if the store fails. */
  readonly roleStatuses: () => Promise<readonly RoleStatus[]>;
  readonly payers: readonly {
    readonly name: Static<typeof Payer>['name'];
    readonly address: string;
    /** Lamports. */
    readonly floor: bigint;
    readonly balance: () => Promise<bigint>;
  }[];
  readonly workload: {
    drafts(): Promise<{ readonly open: number; readonly submitted: number; readonly confirmed: number }>;
    submissions(): Promise<{ readonly unknown: number; readonly oldestAcceptedAt: string | undefined }>;
  };
}

export const getOverview = queriesFor<OverviewServices>()({
  name: 'GetOverview',
  summary: 'Get the roles, the balances of the paying accounts and the pending work',
  description:
    'The process that holds each exclusive role, and until when; the balances of the accounts that pay for the ' +
    'service; and the number of pending drafts and submissions. `GET /ready` shows failures.',
  route: { method: 'GET', url: '/operator/overview', auth: 'operator', limit: 'operator' },
  input: {},
  output: Type.Object({
    roles: Type.Array(RoleStatus, {
      description: 'Roles that every service needs, and roles that a process has held.',
    }),
    payers: Type.Array(Payer),
    waiting: Waiting,
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(_input, { services: { roleStatuses, payers, workload } }) {
    const [roles, balances, { open, submitted, confirmed }, { unknown, oldestAcceptedAt = null }] =
      await Promise.all([
        roleStatuses().catch((cause: unknown) => {
          throw storeUnavailableRejection(cause);
        }),
        Promise.all(payers.map(({ balance }) => balanceOf(balance))),
        workload.drafts(),
        workload.submissions(),
      ]);
    return {
      roles: [...roles],
      payers: payers.map(({ name, address, floor }, index) => {
        const lamports = balances[index];
        return {
          name,
          address,
          lamports: lamports?.toString() ?? null,
          floor: floor.toString(),
          isEnough: lamports === undefined ? null : lamports >= floor,
        };
      }),
      waiting: { awaitingSignature: open, submitted, confirmed, unknown, oldestAcceptedAt },
    };
  },
});

/** Undefined while the chain does not respond; `/ready` reports the reason. */
async function balanceOf(balance: () => Promise<bigint>): Promise<bigint | undefined> {
  return pTimeout(balance(), { milliseconds: TIMEOUT }).catch(() => undefined);
}
