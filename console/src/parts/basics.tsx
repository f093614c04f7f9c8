/** Basic components used by every page. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { configuration } from '../configuration.ts';
import { exactAmount, shortAmount } from '../format/amounts.ts';
import { explorerLink } from '../format/explorer.ts';
import { logAddress } from '../format/log-address.ts';
import { cutAddress, httpsLink, visibleText } from '../format/texts.ts';
import { exactTime, relativeTime } from '../format/times.ts';
import { apiAddress, now, pageAddress } from '../service.ts';

/** Untrusted text, isolated so that it cannot change the direction of its surroundings. */
export function Words({ text }: { readonly text: string }) {
  return <bdi>{visibleText(text)}</bdi>;
}

/** Untrusted link; renders its text only unless the URL is https. */
export function StrangersLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ComponentChildren;
}) {
  const target = httpsLink(href);
  if (target === undefined) return null;
  return (
    <a href={target} rel="noopener noreferrer nofollow" target="_blank" title={target}>
      {children}
    </a>
  );
}

export function PageLink({
  to,
  children,
  ...rest
}: {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly 'aria-current'?: 'page';
}) {
  return (
    <a href={pageAddress(to)} {...rest}>
      {children}
    </a>
  );
}

/** Links to log streams for operators, shown to all because the page has no operator login. `streams`: labels by stream. */
export function InTheLog({ streams }: { readonly streams: { readonly [stream: string]: string } }) {
  return (
    <p class="meta operators">
      For operators, in the log:{' '}
      {Object.entries(streams).map(([stream, what], index) => (
        <span key={stream}>
          {index > 0 && ', '}
          <PageLink to={logAddress({ stream })}>{what}</PageLink>
        </span>
      ))}
    </p>
  );
}

/** Shortened address that copies on click. `name` labels it; `on` adds a link to the block explorer. */
export function Address({
  of,
  name = 'address',
  on,
}: {
  readonly of: string;
  readonly name?: string;
  readonly on?: 'address' | 'tx';
}) {
  const [copied, say] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(of);
    say(true);
    setTimeout(() => say(false), 1_500);
  };
  const elsewhere = on && explorerLink(configuration.value?.chain, on, of);
  return (
    <>
      <button
        type="button"
        class="copy"
        title={of}
        aria-label={copied ? undefined : `Copy ${name} ${cutAddress(of)}`}
        onClick={() => void copy()}
      >
        {copied ? 'copied' : cutAddress(of)}
        <span role="status" class="heard">
          {copied ? 'Copied' : ''}
        </span>
      </button>
      {elsewhere !== undefined && (
        <>
          {' '}
          <a class="elsewhere" href={elsewhere} rel="noopener noreferrer" target="_blank">
            explorer<span class="heard">: {name}</span>
          </a>
        </>
      )}
    </>
  );
}

/** Relative time with the exact time as tooltip. */
export function Time({ at }: { readonly at: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact moment is shown on focus.
    <time dateTime={at} data-exact={exactTime(at)} class="tip" tabIndex={0}>
      {relativeTime(at, now.value)}
    </time>
  );
}

/** Short amount; the tooltip and screen readers get the exact one. */
export function Amount({
  units,
  decimals,
  unit,
}: {
  readonly units: string;
  readonly decimals: number;
  readonly unit?: string;
}) {
  const { figure, scale } = shortAmount(units, decimals);
  return (
    <span title={`${exactAmount(units, decimals)}${unit === undefined ? '' : ` ${unit}`}`}>
      {figure}
      {(scale !== '' || unit !== undefined) && (
        <i>
          {' '}
          {scale} {unit !== undefined && <Words text={unit} />}
        </i>
      )}
    </span>
  );
}

/** Exact amount. */
export function Exact({
  units,
  decimals,
  unit,
}: {
  readonly units: string;
  readonly decimals: number;
  readonly unit?: string;
}) {
  return (
    <span>
      {exactAmount(units, decimals)}
      {unit !== undefined && (
        <i>
          {' '}
          <Words text={unit} />
        </i>
      )}
    </span>
  );
}

/** State label with a colour, which is never the only distinction. */
export function State({
  kind,
  children,
}: {
  readonly kind: 'ok' | 'run' | 'off' | 'bad';
  readonly children: ComponentChildren;
}) {
  return <span class={`state ${kind}`}>{children}</span>;
}

/** Token picture, loaded from the service regardless of the host in the URI. */
export function TokenPicture({ uri, size }: { readonly uri: string; readonly size: number }) {
  const [isMissing, miss] = useState(false);
  const name = /\/images\/([\w.-]+)$/.exec(uri)?.[1];
  if (name === undefined || isMissing) return <span class={`pic pic-${size}`} aria-hidden="true" />;
  return (
    <img
      class={`pic pic-${size}`}
      src={apiAddress(`images/${name}${size > 64 ? '' : '?size=small'}`)}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      onError={() => miss(true)}
    />
  );
}

/** Name and value in a `dl`. */
export function Detail({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Page heading. Children are placed next to the title. */
export function PageHead({
  title,
  about,
  children,
}: {
  readonly title: ComponentChildren;
  readonly about?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <section class="head">
      <div class="grow">
        <h1>{title}</h1>
        {about !== undefined && <p class="meta">{about}</p>}
      </div>
      {children}
    </section>
  );
}
