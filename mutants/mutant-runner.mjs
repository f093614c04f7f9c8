/**
 * Runs each test as it is, and then once for each change that it executes and that no test has noticed yet. A change is
 * switched on only while a test and its hooks run. With `always`, one change is in place while the files are loaded too,
 * and each test that passed before is run once.
 * Everything is told in a file, written at once: a change may never come to an end, and then this process is killed.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { VitestTestRunner } from 'vitest/runners';
import { getFn } from 'vitest/suite';

/** Tests that take longer wait until the quick ones of their file have noticed what they can: a file is run twice. */
const QUICK_MS = 30;

const plan = JSON.parse(readFileSync(process.env.LEVY_MUTANTS_PLAN, 'utf8'));
const done = new Set(plan.done);
let isNoticed = false;

// The same values in each run, and no search for the smallest value that fails.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1, endOnFailure: true });

/** What the instrumented sources read and count. */
const switches = {
  activeMutant: plan.always,
  currentTestId: undefined,
  mutantCoverage: { static: {}, perTest: {} },
};
globalThis.__stryker__ = switches;

class SwitchingRunner extends VitestTestRunner {
  alive = new Set(plan.alive);
  /** Of each test: whether it is run at all, and what its first run showed (`hits` by change, `ms`), and how often it passed as it is. */
  known = new Map();
  running = undefined;

  onCollected(files) {
    for (const file of files) {
      this.prepare(file);
      file.tasks = [...file.tasks, ...file.tasks];
    }
  }

  prepare(task) {
    task.concurrent = false;
    if (task.type === 'suite') for (const inner of task.tasks) this.prepare(inner);
    else {
      task.retry = 0;
      task.repeats = Number.POSITIVE_INFINITY;
      this.known.set(task.id, { runs: task.mode === 'run' || task.mode === 'queued', round: 0 });
    }
  }

  async onBeforeRunSuite(suite) {
    // Each suite is run twice. What could not be loaded has failed before, and stays so.
    if (suite.type === 'suite' && suite.file !== suite) suite.result = undefined;
    await super.onBeforeRunSuite(suite);
  }

  async onAfterRunSuite(suite) {
    if (suite.file === suite) tell({ loaded: Object.keys(switches.mutantCoverage.static) });
    await super.onAfterRunSuite(suite);
  }

  async onBeforeRunTask(test) {
    const known = this.known.get(test.id);
    const useful = this.alive.size > 0 && !Number.isNaN(known.passes) && !done.has(test.id);
    test.mode = known.runs && useful ? 'run' : 'skip';
    test.result = undefined;
    known.round += 1;
    this.running = undefined;
    if (test.mode === 'run' && known.hits !== undefined) {
      this.plan(known);
      if (!this.hasNext(test, known)) test.mode = 'skip';
    }
    await super.onBeforeRunTask(test);
  }

  onBeforeTryTask(test) {
    const known = this.known.get(test.id);
    test.result.state = 'run';
    test.result.errors = undefined;
    super.onBeforeTryTask(test);
    switches.currentTestId = test.id;
    known.startedAt = performance.now();
    if (this.running === undefined) return;
    tell({ try: this.running, test: test.id, usualMs: known.ms });
    switches.hitCount = 0;
    switches.hitLimit = known.hits[this.running] * 100 + 1000;
    switches.activeMutant = this.running;
  }

  async runTask(test) {
    if (switches.activeMutant === undefined) return getFn(test)();
    try {
      await getFn(test)();
    } catch (error) {
      // Without what was compared: to show the difference of two large values takes longer than the test.
      throw error?.code === 'VITEST_PENDING' ? error : new Error('noticed');
    }
  }

  onAfterRetryTask(test) {
    const known = this.known.get(test.id);
    const failed = (test.result.state === 'fail') !== (test.fails === true);
    switches.activeMutant = undefined;
    switches.currentTestId = undefined;
    if (this.running === undefined) this.learn(test, known, failed);
    else if (failed) {
      this.alive.delete(this.running);
      tell({ noticed: this.running });
    }
    if (!this.hasNext(test, known)) test.result.state = 'skip';
  }

  /** The runs without any change: a test that does not pass twice notices nothing. */
  learn(test, known, failed) {
    known.passes = failed ? Number.NaN : (known.passes ?? 0) + 1;
    known.ms = performance.now() - known.startedAt;
    known.hits ??= switches.mutantCoverage.perTest[test.id] ?? {};
    switches.mutantCoverage.perTest = {};
    if (failed) tell({ broken: fullName(test) });
    else if (known.passes === 1) tell({ covered: Object.keys(known.hits) });
    this.plan(known);
  }

  plan(known) {
    known.planned = known.round === 2 || known.ms <= QUICK_MS;
    const usable = known.planned && !Number.isNaN(known.passes);
    known.left = usable ? Object.keys(known.hits).filter((id) => this.alive.has(id)) : [];
  }

  /** Whether the test is to be run again. Vitest ends one that is skipped, however often it is to be repeated. */
  hasNext(test, known) {
    this.running = undefined;
    if (known.left.length > 0 && known.passes === 1) return true;
    this.running = known.left.shift();
    if (this.running !== undefined) return true;
    if (known.planned) {
      tell({ done: test.id });
      done.add(test.id);
    }
    return false;
  }
}

class LoadedRunner extends VitestTestRunner {
  onCollected(files) {
    if (files.some(({ result }) => result?.state === 'fail')) tell({ noticed: plan.always });
  }

  async onBeforeRunTask(test) {
    if (!done.has(test.id) || isNoticed) test.mode = 'skip';
    tell({ try: plan.always, usualMs: 250 });
    await super.onBeforeRunTask(test);
  }

  onAfterRetryTask(test) {
    if ((test.result.state === 'fail') === (test.fails === true)) return;
    isNoticed = true;
    tell({ noticed: plan.always });
  }

  async onAfterRunSuite(suite) {
    // The next file is loaded.
    tell({ try: plan.always, usualMs: 5000 });
    await super.onAfterRunSuite(suite);
  }
}

export default plan.always === undefined ? SwitchingRunner : LoadedRunner;

function tell(line) {
  appendFileSync(plan.log, `${JSON.stringify(line)}\n`);
}

function fullName(task) {
  const above = task.suite ?? (task.file === task ? undefined : task.file);
  return above === undefined ? task.name : `${fullName(above)} > ${task.name}`;
}
