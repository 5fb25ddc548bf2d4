import { findListRow } from "../../dns/dnsbl.ts";
import { defineCheck, passed, skipped } from "../check.ts";
import { toClient } from "./client.ts";
import { knownValues, whyNone } from "./rows.ts";

export const allowlist = defineCheck({
  id: "allowlist",
  helpPage: "fix-blocklists",
  label: "Allowlist",
  owner: "mail-server",
  asks: "whether the sending IP is on an allowlist",
  why: "Being on an allowlist can improve placement.",
  refs: ["DNSWL pages"],
  needs: ["session"],
  wants: ["dnswl"],
  passes: "{ip} is not on any allowlist, which is normal.",
  findings: {
    listed: {
      severity: "good",
      title: "Sending IP on an allowlist",
      says: "{ip} is on {list} ({level} trust).",
      fix: null,
    },
  },
  run({ session, dnswl }) {
    const client = toClient(session);
    if ("skipped" in client) return client;
    if (!dnswl.known) return skipped(dnswl.why);
    const rows = knownValues(dnswl.value);
    if (rows.length === 0) return skipped(whyNone(dnswl.value));
    const vouching = rows.flatMap(({ zone, listed, level, category }) => {
      if (!listed || level === null || level === "none") return [];
      const list = findListRow(zone)?.name ?? zone;
      const data = { ip: client.ip, list, level };
      return [{ finding: "listed" as const, subject: list, data, evidence: { zone, category } }];
    });
    return vouching.length > 0 ? vouching : passed({ ip: client.ip });
  },
});
