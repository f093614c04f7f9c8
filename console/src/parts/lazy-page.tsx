/** A page whose code is loaded when it is first visited. */
import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { apiAddress } from '../service.ts';
import { Failed } from './states.tsx';

const RELOADED = 'levy:reloaded';

/**
 * After an upgrade the files that an open tab knows are gone: it is loaded once more, at the address that was asked for. Not while
 * the service is away, since that would take what is shown.
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
