import type { Hop } from "../../mail/headers/delivery-path.ts";
import { defineCheck, passed, skipped } from "../check.ts";
import { toDuration } from "../duration.ts";
import { isPathUnseen } from "./client.ts";

const longMs = 3_600_000;
const noticeableMs = 300_000;
/** RFC 5321 §4.5.4.1: queues give up after four or five days. */
const noQueueMs = 7 * 86_400_000;
const fix = "Check that server's mail queue and logs for the reason.";

export const deliveryDelay = defineCheck({
  id: "delivery-delay",
  helpPage: "fix-delivery-path",
  label: "Delivery delay",
  owner: "mail-server",
  asks: "whether a server delayed the message",
  why: "Delays suggest greylisting, throttling, or a full queue.",
  refs: ["RFC 5321 §4.4", "RFC 5321 §4.5.4.1"],
  needs: ["received"],
  wants: ["session"],
  passes: "No server held the message for more than five minutes.",
  findings: {
    long: {
      severity: "minor",
      cost: 8,
      title: "Long delivery delay",
      says: "{by} held the message for {delay}[[, longer than a queue keeps mail. It was probably {what}]].",
      fix,
    },
    noticeable: {
      severity: "minor",
      cost: 3,
      title: "Noticeable delivery delay",
      says: "{by} held the message for {delay}.",
      fix,
    },
  },
  run({ received: { hops, lineCount }, session }) {
    if (lineCount === 0 && isPathUnseen(session)) return skipped("no-session");
    const found = hops.flatMap(({ delayMs, by: next, at }, index) => {
      if (delayMs === null || delayMs < noticeableMs) return [];
      const by = holderBefore(hops, index);
      const finding = delayMs > longMs ? ("long" as const) : ("noticeable" as const);
      const data = { by, delay: toDuration(delayMs), what: delayMs > noQueueMs ? "sent again" : null };
      return [{ finding, subject: by, data, evidence: { delayMs, next, at } }];
    });
    return found.length > 0 ? found : passed();
  },
});

/** The last server before this hop with a correct clock. The delay counts from there. */
function holderBefore(hops: readonly Hop[], index: number): string {
  const holder = hops.slice(0, index).findLast(({ at, skewMs }) => at !== null && skewMs === 0);
  return holder?.by ?? hops[index]?.from ?? "An unnamed server";
}
