/** Page whose code is loaded on the first visit. */
import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { apiAddress } from '../service.ts';
import { Failed } from './states.tsx';

const RELOADED = 'levy:reloaded';

/**
 * Reloads the tab once if the code is missing, as after an upgrade. While the service is unreachable there is no reload, since it
 * would lose the shown data.
 */
export function pageOf(load: () => Promise<ComponentType>) {
  return lazy(async () => {
    try {
      const page = await load();
      sessionStorage.removeItem(RELOADED);
      return page;
    } catch {
      if (sessionStorage.getItem(RELOADED) === location.href || !(await isServiceThere())) return NotLoaded;
      sessionStorage.setItem(RELOADED, location.href);
      location.reload();
      return NotLoaded;
    }
  });
}

async function isServiceThere(): Promise<boolean> {
  return fetch(apiAddress('health')).then(
    ({ ok }) => ok,
    () => false,
  );
}

function NotLoaded() {
  return (
    <Failed
      what="The page"
      sentence="The service is unreachable, or was upgraded while this tab was open."
      again={() => location.reload()}
    />
  );
}
