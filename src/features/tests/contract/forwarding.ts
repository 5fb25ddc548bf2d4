// What of a test's authentication would survive forwarding. Snake case, like the whole test resource (src/decisions.md,
// "Resources").

import { z } from "zod";
import { transits } from "../../../analyzer/mail/forwarding/transits.ts";
import type { Forwarding } from "../../../analyzer/reports/forwarding.ts";
import {
  toForwardingAdvice,
  toForwardingSummary,
  toForwardingTransits,
} from "../../../analyzer/reports/forwarding-sentences.ts";
import type { Judgment } from "../../../analyzer/reports/judgment.ts";
import { withholdsFixes } from "../../../analyzer/reports/suspicion.ts";
import { timestamp } from "../../../platform/contract/primitives.ts";

const transitIds = transits.map(({ id }) => id);

const change = z
  .strictObject({
    part: z.enum(["header", "body"]),
    name: z.string().nullable().describe("The header, as in `h=`. `null` for the body."),
    how: z
      .enum(["changed", "added", "removed", "spacing", "appended"])
      .describe("`spacing`: relaxed canonicalization would have ignored it."),
  })
  .meta({ id: "ForwardingChange" });

const transit = z
  .strictObject({
    id: z.enum(transitIds),
    title: z.string(),
    result: z
      .enum(["survives", "breaks", "already-fails", "unknown"])
      .describe(
        "Whether a receiver after the forwarder still finds an aligned result. `already-fails`: there is none before either.",
      ),
    dmarc: z.enum(["pass", "fail", "none"]).nullable(),
    arc: z.enum(["pass", "fail", "unknown"]).nullable().describe("`null` if the forwarder adds no seal."),
    says: z.array(z.string()),
    signatures: z.array(
      z.strictObject({
        domain: z.string().nullable(),
        selector: z.string().nullable(),
        fate: z.enum(["survives", "breaks", "unknown"]),
        changes: z.array(change).describe("What breaks it."),
      }),
    ),
  })
  .meta({ id: "ForwardingTransit" });

const prediction = z
  .strictObject({
    summary: z.string().describe("One or two sentences."),
    gap: z.enum(["unsent", "no-answer", "malformed", "too-large"]).nullable().describe("Why nothing can be predicted."),
    from_domain: z.string().nullable(),
    signatures: z
      .array(
        z.strictObject({
          domain: z.string().nullable(),
          selector: z.string().nullable(),
          canonicalization: z.string(),
          aligned: z.boolean(),
          body_length: z.number().nullable().describe("`l=`."),
        }),
      )
      .describe("Signatures that pass as received."),
    transits: z.array(transit),
    advice: z.array(z.string()).describe("What the sender can change, and what to leave as it is."),
  })
  .meta({ id: "ForwardingPrediction" });
export type ForwardingPrediction = z.infer<typeof prediction>;

/** An imitation gets no advice, as in the rest of its report. */
export function toForwardingPrediction(
  forwarding: Forwarding,
  judgment: Pick<Judgment, "suspicion"> = {},
): ForwardingPrediction {
  const { gap, fromDomain, signatures } = forwarding;
  const shown = toForwardingTransits(forwarding);
  return {
    summary: toForwardingSummary(forwarding),
    gap,
    from_domain: fromDomain,
    signatures: signatures.map(({ domain, selector, canon, isAligned, bodyLength }) => ({
      domain,
      selector,
      canonicalization: canon,
      aligned: isAligned,
      body_length: bodyLength,
    })),
    transits: forwarding.transits.map((outcome, at) => {
      const { title = "", result = "unknown", says = [] } = shown[at] ?? {};
      return {
        id: outcome.id,
        title,
        result,
        dmarc: outcome.dmarc,
        arc: outcome.arc,
        says: [...says],
        signatures: outcome.signatures.map(({ index, fate, changes }) => {
          const { domain = null, selector = null } = signatures.find((one) => one.index === index) ?? {};
          return { domain, selector, fate, changes: changes.map(toChange) };
        }),
      };
    }),
    advice: withholdsFixes(judgment) ? [] : toForwardingAdvice(forwarding),
  };
}

type Outcome = Forwarding["transits"][number];

function toChange(one: Outcome["signatures"][number]["changes"][number]): z.infer<typeof change> {
  return { part: one.part, name: one.part === "header" ? one.name : null, how: one.how };
}

export const forwardingResult = z
  .strictObject({
    state: z.enum(["waiting", "done", "failed"]),
    examined_at: timestamp.nullable(),
    failure: z.string().nullable(),
    result: prediction.nullable(),
  })
  .meta({ id: "Forwarding" });
