import type { SharedTest } from "../../features/tests/contract/report-page.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import type { Transport } from "../../features/tests/contract/transport.ts";

/** A shared report, with the fields that only the full report has as optional ones. */
export type ShownTest = Omit<SharedTest, "transport"> &
  Partial<Omit<TestReport, keyof SharedTest>> & { readonly transport: SharedTest["transport"] & Partial<Transport> };
