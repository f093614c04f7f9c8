/** Paths of links: each builds on the till that the one before it makes. */

/** The links that build on a till, and on what they make; no other can land after it. */
export function linksFrom<Link extends { readonly till: string; readonly previous: string | null }>(
  till: string,
  links: readonly Link[],
): Link[] {
  const reachable = new Set([till]);
  // They were recorded in the order in which they build on each other.
  return links.filter(({ previous, till: made }) => {
    if (previous === null || !reachable.has(previous)) return false;
    reachable.add(made);
    return true;
  });
}
