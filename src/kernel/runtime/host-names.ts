/** Classifies the names of hosts by their reach from the internet. Names as `URL` writes them: in lower case. */

/** Names inside a network: a browser would resolve them in the network of the person who follows the link (RFC 6761, 6762, 8375). */
const INSIDE = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'private', 'home.arpa'];

/** Names that no resolver of the internet answers (RFC 6761, 7686). */
const NOWHERE = ['test', 'example', 'invalid', 'onion'];

/** True if the name has several labels and leads into no private network. It may lead nowhere, as names in examples do. */
export function isOutsideName(hostname: string): boolean {
  const labels = hostname.split('.');
  return labels.length > 1 && !labels.includes('') && !isBelow(hostname, INSIDE);
}

/** True if a host can be reached by the name from everywhere. */
export function isReachableName(hostname: string): boolean {
  return isOutsideName(hostname) && !isBelow(hostname, NOWHERE);
}

function isBelow(hostname: string, names: readonly string[]): boolean {
  return names.some((name) => hostname.endsWith(`.${name}`));
}
