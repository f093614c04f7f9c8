/** The paths of the pages, below `/console/`. The build hands them to the service, which answers 404 for any other. */
export const pages = [
  '',
  'tokens/:mint',
  'tokens/:mint/settings',
  'tokens/:mint/runs/:runId',
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
