/** Parses rate limits: `general=300/15m,featured=10/h`. */
import {
  isPolicyName,
  type Quota,
  type Quotas,
  RATE_LIMIT_POLICIES,
} from '../../server/http/rate-limit/policies.ts';
import { duration, NotAllowed, type ValueKind, wholeNumber } from './value-kinds.ts';

const calls = wholeNumber(1, 1_000_000);
const window = duration('1s', '24h');

export const quotas: ValueKind<Quotas> = {
  allowed:
    'a comma-separated list, each item a policy name, `=`, the number of calls (1 to 1000000), `/` and the period (1s to 24h; `h` is `1h`)',
  parse(text) {
    const found: { [name: string]: Quota } = {};
    for (const part of text.split(',').map((each) => each.trim())) {
      const [, name = '', count = '', period = ''] = /^([a-z-]+)\s*=\s*(\d+)\s*\/\s*(\w+)$/.exec(part) ?? [];
      if (name === '') throw new NotAllowed(`${JSON.stringify(part.slice(0, 40))} is not a valid item`);
      if (!isPolicyName(name)) {
        throw new NotAllowed(
          `the policy "${name}" does not exist; the policies are ${Object.keys(RATE_LIMIT_POLICIES).join(', ')}`,
        );
      }
      if (Object.hasOwn(found, name)) throw new NotAllowed(`"${name}" occurs twice`);
      found[name] = { quota: numberIn(calls, count, name), windowSeconds: secondsIn(period, name) };
    }
    return found;
  },
};

/** Undefined if limits are off. */
export const rateLimits: ValueKind<Quotas | undefined> = {
  allowed: `\`on\`, \`off\`, or ${quotas.allowed}`,
  parse(text) {
    if (text === 'off') return undefined;
    return text === 'on' ? {} : quotas.parse(text);
  },
};

function secondsIn(period: string, name: string): number {
  const milliseconds = numberIn(window, /^\d/.test(period) ? period : `1${period}`, name);
  if (milliseconds % 1_000 !== 0)
    throw new NotAllowed(`the period of "${name}" must be a whole number of seconds`);
  return milliseconds / 1_000;
}

function numberIn(kind: ValueKind<number>, text: string, name: string): number {
  try {
    return kind.parse(text);
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    throw new NotAllowed(`${JSON.stringify(text)} of "${name}" must be ${kind.allowed}`);
  }
}
