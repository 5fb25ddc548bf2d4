import type { SharedTest } from "../../api/report-page.ts";
import type { TestReport } from "../../api/tests.ts";
import type { Transport } from "../../api/transport.ts";

/** What a share has of a report, and what only the whole of it has. */
export type ShownTest = Omit<SharedTest, "transport"> &
  Partial<Omit<TestReport, keyof SharedTest>> & {
    readonly transport: SharedTest["transport"] & Partial<Transport>;
  };
