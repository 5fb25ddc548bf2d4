// One line every 15 seconds, where no terminal shows how far the run is.

import type { Reporter, TestModule, TestSpecification } from "vitest/node";

const everyMs = 15_000;

export class Progress implements Reporter {
  readonly #done = { files: 0, tests: 0, failed: 0 };
  #files = 0;
  #beganAt = 0;
  #saidAt = 0;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length;
    this.#beganAt = this.#saidAt = Date.now();
  }

  onTestModuleEnd({ children }: TestModule): void {
    const tests = [...children.allTests()];
    this.#done.files += 1;
    this.#done.tests += tests.length;
    this.#done.failed += tests.filter((test) => test.result().state === "failed").length;
    const now = Date.now();
    if (now - this.#saidAt < everyMs) return;
    this.#saidAt = now;
    const { files, tests: count, failed } = this.#done;
    const seconds = Math.round((now - this.#beganAt) / 1_000);
    console.log(`${files} of ${this.#files} files, ${count} tests, ${failed} failed, ${seconds} s`);
  }
}
