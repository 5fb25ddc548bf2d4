// Names at the end of a run each test that passed only at its second try: a retry must not hide a flaky test.

import type { Reporter, TestModule } from "vitest/node";

export class RetriesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => `  ${module.relativeModuleId}: ${test.fullName} (${test.result().state})`),
    );
    if (retried.length === 0) return;
    console.log(`\nTried again (${retried.length}), so flaky or broken:\n${retried.join("\n")}`);
  }
}
