// The files that take longest begin first, so that no worker sits over one of them when all others are done. Vitest knows
// them only where it ran before, and not on a fresh clone.

import { BaseSequencer, type TestSpecification } from "vitest/node";

/** More than 20 s of the whole run, the longest first. */
const slowest = [
  "test/e2e/serve.test.ts",
  "test/web/hostile.test.ts",
  "test/laws/isolation.test.ts",
  "test/laws/monotone.test.ts",
  "test/tasks/mailboxes/thread.test.ts",
  "test/http/eml.test.ts",
  "test/web/what-if.test.ts",
  "test/tasks/mailboxes/hostile.test.ts",
  "test/store/tests/random-lists.test.ts",
  "test/store/tests/lists.test.ts",
  "test/e2e/two-processes.test.ts",
  "test/web/domains.test.ts",
  "test/web/dashboard.test.ts",
  "test/e2e/together.test.ts",
  "test/smtp/abuse.test.ts",
  "test/web/content.test.ts",
  "test/web/list.test.ts",
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
