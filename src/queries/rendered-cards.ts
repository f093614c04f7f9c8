/** The cards of a page as JSON text, kept while nothing in them changes. */
import type { StoredCard } from '../projections/tokens.ts';
import { cardsStayUntil, type Surroundings, tokenCard } from '../views/token-card.ts';

/** A page as it was rendered last. */
interface Rendered {
  readonly text: string;
  readonly allHalted: Surroundings['allHalted'];
  readonly featured: Surroundings['featured'];
  /** Milliseconds: the clock may have been set back. */
  readonly from: number;
  readonly until: number;
}

/** A read model that keeps a page returns the same items again: they are rendered again only when something changes. */
const latest = new WeakMap<readonly string[], Rendered>();

export function renderedCards(items: readonly string[], surroundings: Surroundings): string {
  const { allHalted, featured, now } = surroundings;
  const before = latest.get(items);
  const isStill =
    before?.allHalted === allHalted &&
    before?.featured === featured &&
    before !== undefined &&
    before.from <= now.getTime() &&
    now.getTime() < before.until;
  if (isStill) return before.text;
  const cards = items.map((item) => JSON.parse(item) as StoredCard);
  const text = cards.map((card) => JSON.stringify(tokenCard(card, surroundings))).join(',');
  latest.set(items, {
    text,
    allHalted,
    featured,
    from: now.getTime(),
    until: cardsStayUntil(cards, surroundings),
  });
  return text;
}
