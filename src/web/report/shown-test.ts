import type { SharedTest } from "../../api/report-page.ts";
import type { TestReport } from "../../api/tests.ts";
import type { Transport } from "../../api/transport.ts";

/** A shared report, with the fields that only the full report has as optional ones. */
export type ShownTest = Omit<SharedTest, "transport"> &
  Partial<Omit<TestReport, keyof SharedTest>> & {
    readonly transport: SharedTest["transport"] & Partial<Transport>;
  };
