/** Something that needs an operator: what, since when, and what is known of it. */
import type { ComponentChildren } from 'preact';
import { Time } from './basics.tsx';

export function Trouble({
  title,
  since,
  children,
}: {
  readonly title: ComponentChildren;
  readonly since?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="trouble">
      <h2>
        {title}{' '}
        {since !== undefined && (
          <span class="sub">
            <Time at={since} />
          </span>
        )}
      </h2>
      <div>{children}</div>
    </div>
  );
}

/** What a check of `/ready` says beside its name. */
export function Particulars({ of }: { readonly of: { readonly [name: string]: unknown } }) {
  return (
    <dl class="sums">
      {Object.entries(of)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
    </dl>
  );
}
