/** Classifies errors of MongoDB's driver as temporary or to be corrected, with messages that contain no secret. */

import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoCompatibilityError,
  MongoDriverError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  MongoSystemError,
} from 'mongodb';
import { OperatorError, type StoreTrouble, StoreUnavailable } from '../../kernel/ports/errors.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';

/** The server did not respond at startup, rejected the user, or is too old. */
export class MongoUnusable extends OperatorError {
  override readonly name = 'MongoUnusable';
}

const AUTHENTICATION_FAILED = 18;
const UNAUTHORIZED = 13;
const OUT_OF_DISK_SPACE = 14_031;
/** Codes of internal server errors, which some servers also use for a full disk. */
const SERVER_FAILED = [1, 8];
/** Codes of temporary errors: unmet write concerns, time limits, elections, shutdowns, and members that are starting. */
const TRANSIENT = new Set([
  6, 7, 50, 64, 79, 89, 91, 100, 112, 133, 134, 189, 202, 262, 290, 317, 358, 384, 391, 402, 9_001, 10_058,
  10_107, 11_600, 11_601, 11_602, 13_435, 13_436, 46_841,
]);

/** Trouble of the store; undefined if the same call cannot succeed later without a change by the service. */
export function troubleOf(error: unknown): StoreTrouble | undefined {
  const cause = causeOf(error);
  const where = 'MongoDB';
  if (isDiskFull(cause)) {
    return {
      kind: 'disk full',
      where,
      reason: reasonOf(cause),
      whatToDo:
        "free space on the server's disk: the service continues automatically (docs/how-to/operate/run-mongodb.md)",
    };
  }
  const reason = reasonOf(cause);
  const advice = adviceOn(cause);
  if (advice !== undefined) return { kind: 'refused', where, reason, whatToDo: advice };
  if (SERVER_FAILED.some((code) => hasCode(cause, code)))
    return { kind: 'not answering', where, reason, whatToDo: CHECK_DISK };
  return isTransient(cause) ? { kind: 'not answering', where, reason, whatToDo: CHECK_SERVER } : undefined;
}

/** Trouble that delays startup. `whatToDo` mentions a restart if only that can correct it. */
export function troubleAtStart(error: unknown, shown: string): StoreTrouble {
  const known = error instanceof OperatorError ? undefined : troubleOf(error);
  if (known !== undefined && isAway(error)) return known;
  const refusal = startError(error, shown);
  const reason = errorMessage(refusal);
  return {
    kind: 'refused',
    where: 'MongoDB',
    reason,
    whatToDo: 'Correct the error on the server, or correct the configuration and restart this process.',
  };
}

const CHECK_DISK =
  "Check the server's log and disk. The service continues automatically once the server works.";
const CHECK_SERVER =
  'Check the servers and the network. The service continues automatically once a primary responds.';

/** Remedies on the server. */
function adviceOn(error: unknown): string | undefined {
  if (hasCode(error, AUTHENTICATION_FAILED))
    return 'Correct user, password and authSource. A new password takes effect at the next start.';
  if (hasCode(error, UNAUTHORIZED))
    return 'Grant the user the role readWrite on the database (docs/how-to/operate/run-mongodb.md). The service then continues automatically.';
  return undefined;
}

/**
 * Error with which a call of the port rejects: `StoreUnavailable` if the store is unavailable, full or rejects the user;
 * otherwise the original error.
 */
export function storeError(error: unknown, what: string): unknown {
  if (error instanceof StoreUnavailable) return error;
  const trouble = troubleOf(error);
  if (trouble === undefined) return error;
  const { reason, whatToDo } = trouble;
  return new StoreUnavailable(`${what}: ${reason}`, { cause: error, whatToDo });
}

/** Error with which startup fails. `shown` is the address without user and options. */
export function startError(error: unknown, shown: string): unknown {
  if (error instanceof OperatorError) return error;
  const cause = causeOf(error);
  const reason = reasonOf(cause);
  const refused = (sentence: string) =>
    new MongoUnusable(`MongoDB at ${shown} ${sentence}`, { cause: error });
  if (hasCode(cause, AUTHENTICATION_FAILED))
    return refused(
      'rejected the credentials. Check the user, the password and authSource (the database that defines the user, often admin)',
    );
  if (hasCode(cause, UNAUTHORIZED))
    return refused(`denies the user access: ${reason}. Grant the role readWrite on the database`);
  if (isDiskFull(cause)) return refused(`has a full disk: ${reason}. Free disk space`);
  const failure = deepest(cause);
  if (cause instanceof MongoCompatibilityError || failure instanceof MongoCompatibilityError)
    return refused(`is incompatible with this client, which requires MongoDB 5.0 or later: ${reason}`);
  if (isCertificateRefused(failure))
    return refused(
      `presents an untrusted certificate: ${reasonOf(failure)}. Set CA_FILE to its authority's certificate, and use a host name of the certificate in the address`,
    );
  if (isMissingFile(cause))
    return new MongoUnusable(`the certificates for MongoDB cannot be read: ${reason}`, { cause: error });
  if (isTransient(cause))
    return refused(`does not respond: ${reason}. Check the address, the servers and the network`);
  if (error instanceof MongoError) return refused(`cannot be used: ${reason}`);
  return error;
}

/** True if startup may wait: the server is unavailable or its disk is full, and no configuration error is known. */
export function isAway(error: unknown): boolean {
  if (error instanceof OperatorError) return false;
  const cause = causeOf(error);
  const failure = deepest(cause);
  if (hasCode(cause, AUTHENTICATION_FAILED) || hasCode(cause, UNAUTHORIZED)) return false;
  if (cause instanceof MongoCompatibilityError || failure instanceof MongoCompatibilityError) return false;
  if (isCertificateRefused(failure)) return false;
  return isDiskFull(cause) || isTransient(cause);
}

/** True if a temporary fault may have interrupted the call, so that its outcome is unknown. */
function isTransient(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof MongoNetworkError || cause instanceof MongoServerSelectionError) return true;
  if (cause instanceof MongoSystemError) return true;
  if (cause instanceof MongoServerError) {
    if (cause.hasErrorLabel('RetryableWriteError') || cause.hasErrorLabel('TransientTransactionError'))
      return true;
    return typeof cause.code === 'number' && TRANSIENT.has(cause.code);
  }
  if (cause instanceof MongoDriverError) return !(cause instanceof MongoInvalidArgumentError);
  return isSystemError(cause) && !isMissingFile(cause);
}

/** Unwraps the cause of store errors and of bulk writes. */
function causeOf(error: unknown): unknown {
  if (error instanceof StoreUnavailable && error.cause !== undefined) return causeOf(error.cause);
  // The driver reports the interruption of a bulk write as its "response", not as its cause.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error)
    return causeOf(error.errorResponse);
  return error;
}

function hasCode(error: unknown, code: number): boolean {
  return [error, deepest(error)].some((each) => each instanceof MongoServerError && each.code === code);
}

/** Detects a full disk by its own code, by the error of a single write, or by the storage engine's message. */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof MongoServerError)) return false;
  return (
    error.code === OUT_OF_DISK_SPACE || /no space left|out of disk space|disk is full/i.test(error.message)
  );
}

function isCertificateRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code) ||
    /certificate|altnames|wrong version number/i.test(error.message)
  );
}

/** True for Node's errors of sockets, host names and files. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** The driver reads the file of `tlsCAFile` when it connects. */
function isMissingFile(error: unknown): boolean {
  return isSystemError(error) && 'path' in error;
}

/** Errors of the topology and the pool contain the connection's error. */
function deepest(error: unknown): unknown {
  let found = error;
  for (let depth = 0; depth < 5; depth++) {
    const inner = innerOf(found);
    if (inner === undefined) return found;
    found = inner;
  }
  return found;
}

function innerOf(error: unknown): unknown {
  if (error instanceof MongoServerSelectionError)
    return (
      [...(error.reason?.servers.values() ?? [])].find((server) => server.error !== null)?.error ??
      error.cause
    );
  return error instanceof Error ? error.cause : undefined;
}

/** First line of the message, without addresses that contain a password. May contain hosts, ports and database names. */
function reasonOf(error: unknown): string {
  if (error instanceof MongoAPIError && error.name === 'MongoClientClosedError')
    return 'the connection is closed';
  if (error instanceof MongoDriverError && error.name === 'MongoTopologyClosedError') return 'not connected';
  const text = errorMessage(error);
  const [line = ''] = text.split('\n');
  return line.replace(/mongodb(\+srv)?:\/\/[^\s/]*@/gi, '').slice(0, 300);
}
