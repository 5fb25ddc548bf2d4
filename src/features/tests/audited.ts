// What the audit log shows of a test.

import { auditedObject } from "../../platform/audit/rows/objects.ts";

export const auditedTest = auditedObject({
  kind: "test",
  table: "tests",
  columns: ["subject", "header_from", "label", "received_at"],
  toName: ({ subject }) => subject,
});
