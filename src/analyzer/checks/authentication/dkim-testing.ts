import { readKeyRecord } from "../../dns/dkim-key.ts";
import { parseTagList } from "../../dns/tag-list.ts";
import type { DkimKey } from "../authentication-facts.ts";
import { defineCheck, passed } from "../check.ts";
import { unsigned, withoutPass } from "./signatures.ts";
import { keysInUse, withoutKeyInUse } from "./signing-keys.ts";

export const dkimTesting = defineCheck({
  id: "dkim-testing",
  helpPage: "fix-dkim-key",
  label: "DKIM test mode",
  owner: "dns",
  asks: "whether the key is still in test mode",
  why: "`t=y` tells receivers to treat the signature as if it were absent.",
  refs: ["RFC 6376 §3.6.1"],
  needs: ["dkimKeys"],
  wants: ["dkim", "parked"],
  passes: "The DKIM key at {names} is not in test mode.",
  findings: {
    flag: {
      severity: "minor",
      cost: 8,
      title: "DKIM key in test mode",
      says: "The DKIM key at {name} is in test mode (t=y).",
      fix: "Publish it without `t=y`[[: `{corrected}`]].",
    },
  },
  run({ dkimKeys, dkim, parked }) {
    if (dkim.known && dkim.value.signatures.length === 0) return unsigned;
    const keys = keysInUse(dkimKeys, dkim);
    const testing = keys.filter(({ testing: isTesting }) => isTesting);
    if (testing.length > 0)
      return testing.map((key) => ({
        finding: "flag",
        subject: key.name,
        data: { name: key.name, corrected: withoutTestFlag(key) },
        evidence: { records: key.records },
      }));
    if (keys.length > 0) return passed({ names: keys.map(({ name }) => name) });
    return dkim.known
      ? withoutPass(dkim.value)
      : withoutKeyInUse({ dkimKeys, dkim, parked }, "No active DKIM key is known.");
  },
});

/** Null if the record cannot be parsed. */
export function withoutTestFlag({ records }: DkimKey): string | null {
  const record = records.find((text) => readKeyRecord(text).testing);
  const list = parseTagList(record ?? "");
  if (!list.ok) return null;
  const tags = list.tags.flatMap(({ name, value }) => {
    if (name !== "t") return [`${name}=${value}`];
    const flags = value.split(":").filter((flag) => flag.trim().toLowerCase() !== "y");
    return flags.length > 0 ? [`t=${flags.join(":")}`] : [];
  });
  return tags.join("; ");
}
