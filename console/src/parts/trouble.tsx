/** Item that needs an operator: title, time of its start, and details. */
import type { ComponentChildren } from 'preact';
import { apiAddress } from '../service.ts';
import { Detail, Time } from './basics.tsx';

export function Trouble({
  title,
  since,
  guide,
  children,
}: {
  readonly title: ComponentChildren;
  readonly since?: string;
  /** Path of the guide, relative to the API. */
  readonly guide?: string;
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
        {guide !== undefined && (
          <a class="sub" href={apiAddress(guide)}>
            What to do
          </a>
        )}
      </h2>
      <div>{children}</div>
    </div>
  );
}

/** Details of a check of `/ready`. */
export function Particulars({ of }: { readonly of: { readonly [name: string]: unknown } }) {
  return (
    <dl class="sums">
      {Object.entries(of)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <Detail key={name} name={name}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Detail>
        ))}
    </dl>
  );
}
