import { defineCheck, passed } from "../check.ts";
import { megabyte, toSize } from "./amounts.ts";

export const messageSize = defineCheck({
  id: "message-size",
  helpPage: "fix-encoding",
  label: "Message size",
  owner: "content",
  asks: "whether the message is within common size limits",
  why: "Some providers reject messages over 20 MB.",
  refs: ["Help pages of iCloud, Outlook.com and Yahoo"],
  needs: ["raw"],
  passes: "The message is {size}.",
  findings: {
    "too-large": {
      severity: "major",
      title: "Message too large",
      says: "The message is {size}. iCloud accepts 20 MB, Outlook.com and Yahoo 25 MB.",
      fix: "Link to large files instead.",
      gates: [{ provider: "apple", sender: "any", reply: "552 (over 20 MB)" }],
    },
    large: {
      severity: "minor",
      cost: 8,
      title: "Large message",
      says: "The message is {size}. Many companies reject more than 10 MB.",
      fix: "Link to large files instead.",
    },
  },
  run({ raw: { sizeBytes } }) {
    const data = { size: toSize(sizeBytes) };
    if (sizeBytes > 20 * megabyte) return [{ finding: "too-large", data, evidence: { sizeBytes } }];
    if (sizeBytes > 10 * megabyte) return [{ finding: "large", data, evidence: { sizeBytes } }];
    return passed(data);
  },
});
