/**
 * Runs each test without a mutant, and then once for each mutant that it executes and that no test has killed yet. A mutant is
 * active only while a test and its hooks run. With `always`, one mutant is active while the files are loaded too, and each test
 * that passed before runs once.
 * Results are written to a file immediately, because a mutant may never end, and then this process is killed.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { VitestTestRunner } from 'vitest/runners';
import { getFn } from 'vitest/suite';

/** Slower tests run in a second pass over their file, after its quick tests have killed their mutants. */
const QUICK_MS = 30;

const plan = JSON.parse(readFileSync(process.env.LEVY_MUTANTS_PLAN, 'utf8'));
const done = new Set(plan.done);
let isNoticed = false;

// The same values in each run, without shrinking.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1, endOnFailure: true });

/** Global object that the instrumented sources read, and in which they count. */
const switches = {
  activeMutant: plan.always,
  currentTestId: undefined,
  mutantCoverage: { static: {}, perTest: {} },
};
globalThis.__stryker__ = switches;

class SwitchingRunner extends VitestTestRunner {
  alive = new Set(plan.alive);
  /** Per test: if it runs at all, the results of its first run (`hits` by mutant, `ms`), and how often it passed without a mutant. */
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
    // Each suite runs twice. A file that could not be loaded has failed before.
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
      // Without the compared values: rendering the difference of two large values takes longer than the test.
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

  /** Runs without a mutant. A test that does not pass twice kills no mutant. */
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

  /** True if the test runs again. Vitest ends a skipped test regardless of its repeats. */
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
    // The next file is loaded now.
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
