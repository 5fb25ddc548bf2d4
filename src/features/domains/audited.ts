// What the audit log shows of a monitored domain.

import { auditedObject } from "../../platform/audit/rows/objects.ts";

export const auditedDomain = auditedObject({
  kind: "domain",
  table: "domains",
  columns: ["domain", "dkim_selector"],
  toName: ({ domain }) => domain,
});
