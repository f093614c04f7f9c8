/** Three views by the page's address, each of one answer: the list, `?mint=` a token, `?wallet=` what a wallet was paid. */
const asked = Object.fromEntries(new URLSearchParams(location.search));
const find = (selector, place = document) => place.querySelector(selector);
const [title, about, shown, state, more] = ['h1', '#about', '#shown', '#state', '#more'].map((it) =>
  find(it),
);

/** Base units as a number with every digit of it: amounts are text, and never floats. */
function amount(units, decimals) {
  const digits = units.padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  const fraction = digits.slice(at).replace(/0+$/, '');
  return BigInt(digits.slice(0, at)).toLocaleString('en') + (fraction && `.${fraction}`);
}

/** What was paid in SOL, in the token, or in both after a change of the reward. */
function sums({ sol = '0', token = '0' }, { symbol, decimals, rewardToken }) {
  const isInToken = token !== '0' || (sol === '0' && rewardToken === 'SELF');
  const inSol = sol !== '0' || !isInToken ? [`${amount(sol, 9)} SOL`] : [];
  return [...inSol, ...(isInToken ? [`${amount(token, decimals)} ${symbol}`] : [])].join(' and ');
}

function element(tag, ...content) {
  const made = document.createElement(tag);
  made.append(...content);
  return made;
}

/** `in 12 minutes`, with the exact time where the pointer rests. */
function time(moment, otherwise = 'none') {
  if (!moment) return otherwise;
  const seconds = (Date.parse(moment) - Date.now()) / 1000;
  const units = { day: 86_400, hour: 3_600, minute: 60, second: 1 };
  const unit = Object.keys(units).find((each) => Math.abs(seconds) >= units[each]) ?? 'second';
  const text = new Intl.RelativeTimeFormat('en').format(Math.trunc(seconds / units[unit]), unit);
  return Object.assign(element('time', text), { title: new Date(moment).toLocaleString() });
}

/** A template with texts in its places, and facts in its lists. Nothing that a stranger wrote is read as HTML. */
function filled(name, token, { href, stops, ...texts }, ...lists) {
  const made = find(`#${name}`).content.firstElementChild.cloneNode(true);
  for (const place of made.querySelectorAll('[data-is]')) {
    place.textContent = { ...token, ...texts }[place.dataset.is] || '';
  }
  for (const [index, list] of made.querySelectorAll('dl').entries()) {
    const facts = Object.entries(lists[index]);
    list.append(...facts.map(([term, fact]) => element('div', element('dt', term), element('dd', fact))));
  }
  if (href) find('a', made).href = href;
  const bar = find('.split', made).style;
  if (stops) [bar.height, bar.background] = ['8px', `linear-gradient(to right, ${stops})`];
  find('img', made).onerror = ({ target }) => target.removeAttribute('src');
  find('img', made).src = token.imageUri;
  return made;
}

/** How the tax is used, in words and as a bar. Percents have two decimals: they are added up in whole hundredths. */
function splitOf({ transferFeePercent, burnPercent, developerFeePercent }) {
  const [burned, others] = [burnPercent, developerFeePercent].map((percent) => Math.round(percent * 100));
  const [end, left] = [(burned + others) / 100, (10_000 - burned - others) / 100];
  const parts = { burned: burnPercent, 'to the developer': developerFeePercent, 'to holders': left };
  const used = Object.entries(parts).filter(([, percent]) => percent > 0);
  return {
    split: `${transferFeePercent} % tax: ${used.map(([name, percent]) => `${percent} % ${name}`).join(', ')}`,
    stops: `var(--burned) ${burnPercent}%, var(--developer) ${burnPercent}% ${end}%, var(--accent) ${end}%`,
  };
}

function tagsOf({ distributionState, launchState, featured }) {
  const sale = { active: 'on sale', completed: 'sold' }[launchState];
  return [featured && 'promoted', sale, distributionState].filter((tag) => tag && tag !== 'idle').join(' · ');
}

const holdersOf = ({ holderCount }) => holderCount.toLocaleString('en');

function card(token) {
  const [paid, next] = [sums(token.paidToHolders.lifetime, token), time(token.nextDistributionAt)];
  const supply = amount(token.currentSupply.amount, token.decimals);
  const facts = { 'Paid to holders': paid, 'Next run': next, Holders: holdersOf(token), Supply: supply };
  const href = `/?mint=${token.mintAddress}`;
  return filled('card', token, { ...splitOf(token), tags: tagsOf(token), href }, facts);
}

function share(it) {
  const [last, next] = [time(it.lastRun.closedAt), time(it.nextDistributionAt)];
  const facts = {
    Paid: sums(it.paidByAsset, it),
    Owed: sums(it.owedByAsset, it),
    'Last run': last,
    'Next run': next,
  };
  const split = it.reason && it.reason !== 'planned' && `Last run: ${it.reason.replaceAll('-', ' ')}`;
  return filled('card', it, { split, href: `/?mint=${it.mintAddress}` }, facts);
}

function tokenPage({ token, tax: { averagePaidPerRun }, runs: { runs }, launch, featured, settings }) {
  const { symbol, decimals, currentSupply, website } = token;
  const texts = { ...splitOf(token), tags: tagsOf({ ...token, featured }) };
  const { paidToHolders: paid } = token;
  const payments = {
    'In all': sums(paid.lifetime, token),
    'Last 24 hours': sums(paid.last24Hours, token),
    'Last 7 days': sums(paid.last7Days, token),
    'A run, on average': sums(averagePaidPerRun, token),
    'Next run': time(token.nextDistributionAt),
  };
  const promised = {
    'Runs every': settings.distributionInterval,
    'Least to hold': `${amount(settings.minimumHoldingRequirement, decimals)} ${symbol}`,
    'Tax can change': token.transferFeeAdjustable ? 'yes' : 'never',
    Holders: holdersOf(token),
    Supply: amount(currentSupply.amount, decimals),
    Burned: amount(currentSupply.burned, decimals),
    ...(launch && { Launch: `${launch.status}, ${launch.progress} %` }),
  };
  const href = website.startsWith('https://') && website;
  const made = filled('token', token, { ...texts, href }, payments, promised);
  for (const { number, closedAt, status, asset, paidTo } of runs) {
    const toHolders = paidTo === null ? '' : sums({ [asset]: paidTo.holders }, token);
    const cells = [`#${number}`, time(closedAt, status), toHolders, paidTo?.holdersPaid ?? ''];
    find('tbody', made).append(element('tr', ...cells.map((cell) => element('td', cell))));
  }
  return made;
}

/** What each view makes of its answer. */
const VIEWS = {
  tokens: ({ tokens, next, pagination: { total } }) => ({
    heading: asked.search ? `Found for “${asked.search}”` : 'Newest tokens',
    text: asked.search ? `${tokens.length} of ${total}` : `${total} in all`,
    items: tokens.map(card),
    next,
  }),
  token: (answer) => ({ heading: answer.token.name, text: answer.token.symbol, items: [tokenPage(answer)] }),
  shares: ({ wallet, shares, next }) => ({
    heading: 'Shares of a wallet',
    text: shares.length > 0 || next ? wallet : `${wallet} has earned nothing yet.`,
    items: shares.map(share),
    next,
  }),
};

/** Asks once for the page, or for the items behind `after`; says why there is no answer. */
async function show(after) {
  [state.textContent, more.hidden] = ['Loading …', true];
  const name = asked.mint ? 'token' : asked.wallet ? 'shares' : 'tokens';
  try {
    const query = new URLSearchParams(after ? { ...asked, after } : asked);
    const response = await fetch(`/api/${name}?${query}`);
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.message);
    const { heading, text, items, next } = VIEWS[name](answer);
    [title.textContent, about.textContent, state.textContent] = [heading, text, ''];
    document.title = `${heading} - Launchpad`;
    shown.append(...items);
    [more.hidden, more.textContent, more.onclick] = [!next, 'Show more', () => show(next)];
  } catch (error) {
    state.textContent = error instanceof TypeError ? 'The launchpad does not answer.' : error.message;
    [more.hidden, more.textContent, more.onclick] = [false, 'Try again', () => show(after)];
  }
}

for (const field of document.querySelectorAll('input')) field.value = asked[field.name] ?? '';
show();
