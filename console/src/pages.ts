/** Paths of the pages, relative to `/console/`. The build passes them to the service, which returns 404 for all other paths. */
export const pages = [
  '',
  'tokens/:mint',
  'tokens/:mint/settings',
  'tokens/:mint/runs/:runId',
  'wallets',
  'wallets/:wallet',
  'events',
  'verify',
  'create',
  'mine',
  'operate',
  'operate/drafts',
  'operate/projections',
  'operate/log',
  'operate/quarantine',
  'operate/safety',
] as const;
