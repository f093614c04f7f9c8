// What is refused in a link differs from what is refused as the service's own address by the names that lead nowhere.
import { expect, test } from 'vitest';
import { isOutsideName, isReachableName } from '../../../../src/kernel/runtime/host-names.ts';

test.each([
  'levy.com',
  'a.b.levy.com',
  'localhost.com',
  'xn--bcher-kva.example.com',
])('%s is reachable', (name) => {
  expect([isOutsideName(name), isReachableName(name)]).toEqual([true, true]);
});

test.each([
  'levy.test',
  'levy.example',
  'levy.invalid',
  'levy.onion',
])('%s leads nowhere, and may be linked', (name) => {
  expect([isOutsideName(name), isReachableName(name)]).toEqual([true, false]);
});

test.each([
  'com',
  'localhost',
  'levy.localhost',
  'printer.local',
  'a.internal',
  'a.intranet',
  'a.lan',
  'a.home',
  'a.corp',
  'a.private',
  'a.home.arpa',
  'a..com',
  'levy.com.',
  '',
])('"%s" is neither', (name) => {
  expect([isOutsideName(name), isReachableName(name)]).toEqual([false, false]);
});
