import { defineCheck, passed, skipped } from "../check.ts";
import { toDuration } from "../duration.ts";
import { isPathUnseen } from "./client.ts";

const toleranceMs = 300_000;

export const hopClocks = defineCheck({
  id: "hop-clocks",
  helpPage: "fix-delivery-path",
  label: "Server clocks",
  owner: "mail-server",
  asks: "whether the clocks of the servers on the path are accurate",
  why: "Wrong clocks lead to wrong dates, expired signatures, and wrong delay figures.",
  refs: ["RFC 5322 §3.6.7"],
  needs: ["received"],
  wants: ["session"],
  passes: "The clocks of the servers on the path agree.",
  findings: {
    skewed: {
      severity: "minor",
      cost: 3,
      title: "Inaccurate mail server clock",
      says: "The clock on {host} is about {skew} {direction}.",
      fix: "Sync the clock with NTP.",
    },
  },
  run({ received: { hops, lineCount }, session }) {
    if (lineCount === 0 && isPathUnseen(session)) return skipped("no-session");
    const found = hops.flatMap(({ skewMs, by, from, at, trusted }) => {
      if (trusted || Math.abs(skewMs) <= toleranceMs) return [];
      const host = by ?? from ?? "an unnamed server";
      const direction = skewMs > 0 ? "ahead" : "behind";
      const data = { host, direction, skew: toDuration(Math.abs(skewMs)) };
      return [{ finding: "skewed" as const, subject: host, data, evidence: { skewMs, at } }];
    });
    return found.length > 0 ? found : passed();
  },
});
