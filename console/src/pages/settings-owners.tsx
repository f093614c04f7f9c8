/** Exclusions and allow-list of a token's distribution. */
import type { DistributionOwners, LevyClient } from 'levy-client';
import { LevyError } from 'levy-client';
import { useState } from 'preact/hooks';
import { ownersFrom } from '../format/owners.ts';
import { Address, Detail, Time } from '../parts/basics.tsx';
import { controlOf, Field } from '../parts/field.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { useAction } from '../parts/use-action.ts';
import { now, sentenceOf, useAnswer } from '../service.ts';
import { connected, signedIn } from '../wallet.ts';

interface Held {
  readonly owners: DistributionOwners;
  readonly etag: string | undefined;
}

export function Owners({ client, tokenId }: { readonly client: LevyClient; readonly tokenId: string }) {
  const { data, failed, isLoading, again } = useAnswer(`owners ${tokenId}`, () => ask(client, tokenId), {
    caller: client,
  });
  if (data === undefined)
    return isLoading ? (
      <Loading what="the owners" />
    ) : (
      <Failed what="The owners" sentence={failed ?? ''} again={again} />
    );
  return <Lists client={client} tokenId={tokenId} first={data} />;
}

async function ask(client: LevyClient, tokenId: string): Promise<Held> {
  const params = { path: { tokenId } };
  const { data: owners, etag } = await signedIn(
    client.withETag('/distribution/{tokenId}/owners', { params }),
  );
  if (owners === undefined) throw new Error('The response contains no lists.');
  return { owners, etag };
}

function Lists({
  client,
  tokenId,
  first,
}: {
  readonly client: LevyClient;
  readonly tokenId: string;
  readonly first: Held;
}) {
  const [held, hold] = useState(first);
  const [excludedOwners, typeExcluded] = useState(first.owners.excludedOwners.join('\n'));
  const [allowedOwners, typeAllowed] = useState(first.owners.allowedOwners.join('\n'));
  const [faults, point] = useState<{ readonly [list: string]: string }>({});
  const [saved, say] = useState(false);
  const { owners } = held;
  const wanted = { excludedOwners: ownersFrom(excludedOwners), allowedOwners: ownersFrom(allowedOwners) };
  const isChanged =
    !isSame(wanted.excludedOwners, owners.excludedOwners) ||
    !isSame(wanted.allowedOwners, owners.allowedOwners);

  const { isBusy, fault, run } = useAction(
    async () => {
      point({});
      say(false);
      try {
        const { data, response } = await signedIn(
          client.api.PUT('/distribution/{tokenId}/owners', {
            params: { path: { tokenId } },
            body: wanted,
            headers: held.etag === undefined ? {} : { 'if-match': held.etag },
          }),
        );
        hold({ owners: data ?? owners, etag: response.headers.get('etag') ?? undefined });
        say(true);
      } catch (error) {
        if (error instanceof LevyError && error.code === 'PRECONDITION_FAILED')
          hold(await ask(client, tokenId));
        throw error;
      }
    },
    (error) => {
      if (error instanceof LevyError && error.code === 'PRECONDITION_FAILED')
        return 'Not saved, because the lists were changed elsewhere. The current lists are shown above. To replace them with your input, save again.';
      point(listsNamedBy(error));
      return `Nothing was changed: ${sentenceOf(error)}`;
    },
  );
  const list = (
    name: 'excludedOwners' | 'allowedOwners',
    label: string,
    value: string,
    type: (typed: string) => void,
  ) => (
    <Field name={name} label={label} hint="One address per line." fault={faults[name]}>
      <textarea
        {...controlOf(name, faults[name])}
        class="mono"
        rows={4}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => {
          say(false);
          type(currentTarget.value);
        }}
      />
    </Field>
  );
  return (
    <section class="card" aria-labelledby="owners">
      <h2 id="owners">Exclusions and allow-list</h2>
      <p class="meta">
        An excluded wallet earns nothing more, but amounts already owed are still paid. A program’s account,
        such as a vault, is paid only if it is on the allow-list. Changes take effect one interval after they
        are saved. Both lists are public.
      </p>
      <Counting owners={owners} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <div class="fields">
          {list('excludedOwners', 'Excluded wallets', excludedOwners, typeExcluded)}
          {list('allowedOwners', 'Allowed program accounts', allowedOwners, typeAllowed)}
        </div>
        <p class="actions">
          <button type="submit" disabled={isBusy || !isChanged || connected.value === undefined}>
            {isBusy ? 'Saving …' : 'Save lists'}
          </button>
        </p>
      </form>
      <p role="status">
        {saved && owners.validFrom !== null && (
          <>
            Saved. Takes effect <Time at={owners.validFrom} />.
          </>
        )}
      </p>
      <p class="fault" role="alert">
        {fault}
      </p>
    </section>
  );
}

/** Lists in effect, and saved ones that take effect later. */
function Counting({ owners }: { readonly owners: DistributionOwners }) {
  const isToCome = owners.validFrom !== null && Date.parse(owners.validFrom) > now.value;
  return (
    <dl class="sums">
      <Listed name="Now" lists={isToCome ? owners.before : owners} />
      {isToCome && owners.validFrom !== null && (
        <>
          <Listed name="Then" lists={owners} />
          <Detail name="From">
            <Time at={owners.validFrom} />
          </Detail>
        </>
      )}
    </dl>
  );
}

function Listed({
  name,
  lists: { excludedOwners, allowedOwners },
}: {
  readonly name: string;
  readonly lists: Pick<DistributionOwners, 'excludedOwners' | 'allowedOwners'>;
}) {
  const all = (addresses: readonly string[]) =>
    addresses.map((each) => (
      <span key={each}>
        {' '}
        <Address of={each} />
      </span>
    ));
  return (
    <Detail name={name}>
      {excludedOwners.length === 0 ? 'no exclusions' : <>excluded:{all(excludedOwners)}</>}
      {allowedOwners.length > 0 && <small>allowed:{all(allowedOwners)}</small>}
    </Detail>
  );
}

/** Errors by list. The API reports the list and the index of the address. */
function listsNamedBy(error: unknown): { readonly [list: string]: string } {
  const details = error instanceof LevyError ? (error.problem?.details ?? []) : [];
  return Object.fromEntries(
    details.map(({ path: [list, index], message }) => [
      String(list ?? ''),
      typeof index === 'number' ? `Address ${index + 1} ${message}.` : `${message}.`,
    ]),
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join();
}
