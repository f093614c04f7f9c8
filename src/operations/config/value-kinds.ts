/** Parses the texts of variables: every kind of value except addresses. */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { parseAddress, U64_MAX } from 'levy-solana-wire';

export interface ValueKind<Value> {
  /** Allowed texts, for the reference and for error messages; follows the word "allowed". */
  readonly allowed: string;
  /** Absent if the value has no unit, or its text contains it. */
  readonly unit?: string;
  /** Set if the text may contain a password or a key, and is never shown. */
  readonly confidential?: true;
  /** Parses trimmed text that is not empty. Throws `NotAllowed`. */
  readonly parse: (text: string) => Value;
}

/** The message is the error; it is empty if `allowed` explains it. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

const DURATION = /^(0|[1-9]\d{0,9})(ms|s|m|h)$/;
const MILLISECONDS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

export function wholeNumber(from: number, to: number, unit?: string): ValueKind<number> {
  return {
    allowed: `a whole number from ${from} to ${to}`,
    ...(unit !== undefined && { unit }),
    parse(text) {
      if (!/^(0|[1-9]\d{0,9})$/.test(text)) throw new NotAllowed();
      return within(Number(text), from, to);
    },
  };
}

export const address: ValueKind<string> = {
  allowed: 'an address of 32 bytes in base58',
  parse(text) {
    if (parseAddress(text) === undefined) throw new NotAllowed();
    return text;
  },
};

/** `from` and `to` have the format of the variable. The parsed value is in milliseconds. */
export function duration(from: string, to: string): ValueKind<number> {
  const [least, most] = [milliseconds(from), milliseconds(to)];
  return {
    allowed: `a duration from ${from} to ${to}`,
    unit: 'ms, s, m or h',
    parse: (text) => within(milliseconds(text), least, most),
  };
}

export function amount(unit: string): ValueKind<bigint> {
  return {
    allowed: `digits, at most ${U64_MAX}`,
    unit,
    parse(text) {
      if (!/^(0|[1-9]\d{0,19})$/.test(text) || BigInt(text) > U64_MAX) throw new NotAllowed();
      return BigInt(text);
    },
  };
}

/** The parsed value is in basis points. */
export const percentage: ValueKind<number> = {
  allowed: 'a number from 0 to 100 with at most two decimals',
  unit: 'percent',
  parse(text) {
    const [, whole, decimals = ''] = /^(0|[1-9]\d{0,2})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
    if (whole === undefined) throw new NotAllowed();
    return within(Number(whole + decimals.padEnd(2, '0')), 0, 10_000);
  },
};

export const onOff: ValueKind<boolean> = {
  allowed: '`on` or `off`',
  parse: (text) => oneOf('on', 'off').parse(text) === 'on',
};

export function oneOf<Choice extends string>(...choices: readonly Choice[]): ValueKind<Choice> {
  return {
    allowed: `one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`,
    parse(text) {
      const found = choices.find((choice) => choice === text);
      if (found === undefined) throw new NotAllowed();
      return found;
    },
  };
}

/** The parsed value is absolute. */
export const path: ValueKind<string> = {
  allowed: 'a path, relative to the working directory or absolute',
  parse: (text) => resolve(text),
};

/** Path of a secret. Rejects a text that seems to be the secret itself, because paths appear in messages. */
export const secretFile: ValueKind<string> = {
  ...path,
  confidential: true,
  parse(text) {
    const looksLikeKey =
      /^[0-9a-f]{64,}$/i.test(text) || /^[1-9A-HJ-NP-Za-km-z]{43,}$/.test(text) || /^[[{]/.test(text);
    if (looksLikeKey)
      throw new NotAllowed(
        'it looks like the secret itself; write the secret to a file and set the path of the file',
      );
    return resolve(text);
  },
};

/** Comma-separated list; blanks around items are ignored. Each `key` of `unique` must differ between items. */
export function listOf<Item>(
  item: ValueKind<Item>,
  unique: readonly { key(item: Item): unknown; readonly problem: string }[] = [],
): ValueKind<readonly Item[]> {
  return {
    ...item,
    allowed: `a comma-separated list, each item ${item.allowed}`,
    parse(text) {
      const parts = text.split(',').map((part) => part.trim());
      const items = parts.map((part, index) => {
        try {
          if (part === '') throw new NotAllowed('it is empty');
          return item.parse(part);
        } catch (error) {
          if (!(error instanceof NotAllowed)) throw error;
          throw new NotAllowed(
            `item ${index + 1} is not allowed${error.message === '' ? '' : `: ${error.message}`}`,
          );
        }
      });
      for (const { key, problem } of unique)
        if (new Set(items.map(key)).size < items.length) throw new NotAllowed(problem);
      return items;
    },
  };
}

/** Address to listen on. */
export const host: ValueKind<string> = {
  allowed: 'an IP address without brackets, or a host name',
  parse(text) {
    if (isIP(text) !== 0) return text;
    const labels = text.split('.');
    const areNames = labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
    if (!areNames || text.length > 253 || /^\d+$/.test(labels.at(-1) ?? '')) throw new NotAllowed();
    return text;
  },
};

/** True if only callers on the same machine reach the host. */
export function isLoopback(host: string): boolean {
  return ['127.0.0.1', '::1', 'localhost'].includes(host);
}

const port = wholeNumber(0, 65_535);

/** Port, on loopback unless an address precedes it. */
export const listener: ValueKind<{ readonly host: string; readonly port: number }> = {
  allowed: `${port.allowed}, alone or after an address to listen on and a colon (\`0.0.0.0:9464\`, \`[::]:9464\`)`,
  parse(text) {
    const [, bracketed, plain = '127.0.0.1', digits = ''] =
      /^(?:(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):)?(\d+)$/i.exec(text) ?? [];
    return { host: host.parse(bracketed ?? plain), port: port.parse(digits) };
  },
};

export const addressRange: ValueKind<string> = {
  allowed: 'an IP address or a range such as `10.0.0.0/8`',
  parse(text) {
    const [address = ''] = text.split('/', 1);
    // The library alone would accept shortened IPv4 addresses such as `10.1`.
    const isAddress = isIP(address) !== 0 && !address.includes('%');
    if (!isAddress || (text !== address && !ipaddr.isValidCIDR(text))) throw new NotAllowed();
    return text;
  },
};

function milliseconds(text: string): number {
  const [, digits, unit = ''] = DURATION.exec(text) ?? [];
  const each = MILLISECONDS.get(unit);
  if (digits === undefined || each === undefined)
    throw new NotAllowed('write it like `250ms`, `30s`, `5m` or `24h`');
  return Number(digits) * each;
}

function within(value: number, from: number, to: number): number {
  if (value < from || value > to) throw new NotAllowed();
  return value;
}
