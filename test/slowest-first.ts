// The files that take longest begin first, so that no worker sits over one of them when all others are done. Vitest knows
// them only where it ran before, and not on a fresh clone.

import { BaseSequencer, type TestSpecification } from "vitest/node";

/** More than 25 s of the whole run, the longest first, and what waits for another program at its end. */
const slowest = [
  "test/handbook/commands.test.ts",
  "test/laws/isolation.test.ts",
  "test/http/malformed-bodies.test.ts",
  "test/e2e/serve.test.ts",
  "test/e2e/pipeline.test.ts",
  "test/web/hostile.test.ts",
  "test/laws/monotone.test.ts",
  "test/http/malformed-requests.test.ts",
  "test/tasks/mailboxes/thread.test.ts",
  "test/e2e/mcp.test.ts",
  "test/e2e/two-processes.test.ts",
  "test/e2e/object-storage.test.ts",
  "test/web/list.test.ts",
  "test/store/tests/random-lists.test.ts",
  "test/e2e/spf.test.ts",
  "test/tasks/mailboxes/hostile.test.ts",
  "test/e2e/together.test.ts",
  "test/mail/hostile-messages.test.ts",
  "test/web/content.test.ts",
  "test/store/tests/lists.test.ts",
  "test/cli/server.test.ts",
  "test/e2e/seed-mailboxes.test.ts",
  "test/e2e/alert-mail.test.ts",
  "test/web/handbook.test.ts",
  "test/http/thrown-requests.test.ts",
  "test/tasks/tests/dashboard.test.ts",
  "test/tasks/domains/drift.test.ts",
  "test/e2e/laboratory.test.ts",
  "test/web/laboratory.test.ts",
  "test/web/settings.test.ts",
  "test/tasks/upkeep/prune.test.ts",
  "test/e2e/forwarding.test.ts",
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = slowest.findIndex((file) => moduleId.endsWith(file));
      return at === -1 ? slowest.length : at;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}
