/** Classifies host names by their reachability from the internet. Names must be lower case, as in `URL`. */

/**
 * Names of private networks: a browser would resolve them in the network of the person who follows the link (RFC 6761, 6762,
 * 8375).
 */
const INSIDE = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'private', 'home.arpa'];

/** Names that no resolver of the internet resolves (RFC 6761, 7686). */
const NOWHERE = ['test', 'example', 'invalid', 'onion'];

/** True if the name has several labels and belongs to no private network. It may be unresolvable, like names in examples. */
export function isOutsideName(hostname: string): boolean {
  const labels = hostname.split('.');
  return labels.length > 1 && !labels.includes('') && !isBelow(hostname, INSIDE);
}

/** True if the name can lead to a host that is reachable from everywhere. */
export function isReachableName(hostname: string): boolean {
  return isOutsideName(hostname) && !isBelow(hostname, NOWHERE);
}

function isBelow(hostname: string, names: readonly string[]): boolean {
  return names.some((name) => hostname.endsWith(`.${name}`));
}
