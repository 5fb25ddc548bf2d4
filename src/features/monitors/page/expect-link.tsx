// In the report of a test: a link to a monitor that expects more such mail.

import type { TestReport } from "../../tests/contract/tests.ts";
import { toExpectPath } from "./words.ts";

export function ExpectLink({ test }: { readonly test: TestReport }) {
  if (test.to.length === 0 || test.sample) return null;
  return (
    <a class="as-entry" href={toExpectPath(test)}>
      Expect this mail
    </a>
  );
}
