/** Decides which networks may take the next unit of a scarce supply, such as event streams or open drafts. Pure. */

/** Whether so few units are free that one network could take the rest from all others. */
export function isScarce({ used, maximum }: { readonly used: number; readonly maximum: number }): boolean {
  return used * 2 >= maximum;
}

/**
 * While a supply is scarce, the network that holds most is refused its next unit; of several that hold as many, each is. A
 * network that holds nothing is never refused, so that whoever is new gets one while there is one.
 *
 * @param held how many units each network holds
 */
export function holdsMost(network: string, held: ReadonlyMap<string, number>): boolean {
  const own = held.get(network) ?? 0;
  return own > 0 && own >= Math.max(...held.values());
}

/** Counts units by network. */
export function countByNetwork(networks: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const network of networks) counts.set(network, (counts.get(network) ?? 0) + 1);
  return counts;
}
