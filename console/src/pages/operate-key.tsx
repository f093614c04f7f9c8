/** Form for the operator key, stored in the tab until it is rejected or removed. A rejected key does not clear the page. */
import { createLevyClient, type LevyClient, LevyError } from 'levy-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PageHead } from '../parts/basics.tsx';
import { controlOf, Field } from '../parts/field.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { useAction } from '../parts/use-action.ts';
import { API_ADDRESS, keyRefused } from '../service.ts';

const STORAGE_KEY = 'levy:operator-key';

export function forgetKey(): void {
  sessionStorage.removeItem(STORAGE_KEY);
}

/** Replaces the page until a key is entered. */
export function KeyNeeded({
  title,
  onKey,
}: {
  readonly title: string;
  readonly onKey: (client: LevyClient) => void;
}) {
  usePageTitle(title === 'Overview' ? 'Operate' : title);
  return (
    <>
      <PageHead title="Operate" about="For operators of this service." />
      <KeyForm
        hint="The key stays in this tab only, until you close the tab or remove the key."
        button={title === 'Overview' ? 'Open the overview' : 'Open the page'}
        onKey={onKey}
      />
    </>
  );
}

/** Form above the page after the service rejects the key. */
export function AnotherKey({ onKey }: { readonly onKey: (client: LevyClient) => void }) {
  // The rejection concerns this page: clear it on navigation.
  useEffect(() => forgetRefusal, []);
  if (!keyRefused.value) return null;
  return (
    <KeyForm
      hint="Your input is kept."
      button="Continue"
      onKey={(client) => {
        forgetRefusal();
        onKey(client);
      }}
    >
      <p class="fault" role="alert">
        <strong>Your key is no longer accepted.</strong> The data below is cached. The key is no longer sent.
      </p>
    </KeyForm>
  );
}

function forgetRefusal(): void {
  keyRefused.value = false;
}

function KeyForm({
  hint,
  button,
  onKey,
  children,
}: {
  readonly hint: string;
  readonly button: string;
  readonly onKey: (client: LevyClient) => void;
  readonly children?: ComponentChildren;
}) {
  const [given] = useState(() => takeKeyFromAddress() || (sessionStorage.getItem(STORAGE_KEY) ?? ''));
  const [key, type] = useState(given);
  const { isBusy, fault, run } = useAction(async () => {
    const operatorKey = key.trim();
    const asked = createLevyClient({ baseUrl: API_ADDRESS, operatorKey });
    await asked
      .get('/operator/distributions', { params: { query: { limit: 1 } } })
      .catch((error: unknown) => {
        // Repeating a wrong key locks the sender out.
        if (error instanceof LevyError) forgetKey();
        throw error;
      });
    sessionStorage.setItem(STORAGE_KEY, operatorKey);
    onKey(createLevyClient({ baseUrl: API_ADDRESS, operatorKey, fetch: untilRefused() }));
  });
  useEffect(() => {
    if (given !== '') void run();
  }, []);
  return (
    <form
      class="card key"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {children}
      <Field name="operator-key" label="Your operator key" hint={hint} fault={fault}>
        <input
          {...controlOf('operator-key', fault)}
          type="password"
          autocomplete="off"
          value={key}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      </Field>
      <p class="actions">
        <button type="submit" disabled={isBusy || key.trim() === ''}>
          {isBusy ? 'Opening …' : button}
        </button>
      </p>
    </form>
  );
}

/** Reads the key from a link such as `operate#key=…` and removes it from the address bar and the history. */
function takeKeyFromAddress(): string {
  const [, key = ''] = /^#key=([\x21-\x7e]+)$/.exec(location.hash) ?? [];
  if (key !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return key;
}

/** Stops calling once the key is rejected: the service locks out senders that repeat a wrong key. */
function untilRefused(): (request: Request) => Promise<Response> {
  let isRefused = false;
  return async (request) => {
    if (!isRefused) {
      const response = await fetch(request);
      if (!(await isRefusalOfKey(response))) return response;
      isRefused = true;
      keyRefused.value = true;
      forgetKey();
    }
    const detail = 'Nothing was done: your key is no longer accepted. Enter another one above.';
    const headers = { 'content-type': 'application/problem+json' };
    return Response.json({ status: 401, code: 'UNAUTHENTICATED', detail }, { status: 401, headers });
  };
}

/** Rejected: 401, 403, or 404 for the route, because a service without configured keys has no operator routes. */
async function isRefusalOfKey(response: Response): Promise<boolean> {
  if (response.status === 401 || response.status === 403) return true;
  if (response.status !== 404) return false;
  const { code }: { readonly code?: string } = await response
    .clone()
    .json()
    .catch(() => ({}));
  return code === 'ROUTE_NOT_FOUND';
}
