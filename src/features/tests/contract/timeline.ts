// The path of a message over time, as the Test resource shows it, oldest first.

import { z } from "zod";
import type { Timeline as Traced } from "../../../analyzer/reports/timeline.ts";
import { timestamp, toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";

const text = z.string().nullable();

export const timeline = z
  .strictObject({
    hops: z.array(
      z.strictObject({
        from: text,
        ip: text,
        reach: z.enum(["public", "private", "local"]).nullable(),
        by: text,
        with: text,
        tls: z
          .strictObject({ used: z.boolean(), version: text, cipher: text })
          .nullable()
          .describe("`null` if the line does not include it."),
        at: timestamp.nullable(),
        delay_ms: z.number().nullable().describe("Since the previous hop. `null` if it cannot be determined."),
        trusted: z.boolean().describe("`false`: claimed by another party."),
        warnings: z.array(z.string()),
      }),
    ),
    smtp: z
      .array(
        z.strictObject({
          step: z.enum(["connect", "helo", "starttls", "mail", "rcpt", "data", "other", "end"]),
          at: timestamp,
          duration_ms: z.number().nullable(),
          count: z.int(),
          said: text,
          reply: text,
        }),
      )
      .describe("The steps of Assay's own session."),
    marks: z
      .array(z.strictObject({ what: z.enum(["date", "dkim", "arc"]), by: text, at: timestamp }))
      .describe("Times in the message itself."),
    total_ms: z.number().nullable(),
  })
  .meta({ id: "DeliveryTimeline" });
export type DeliveryTimeline = z.infer<typeof timeline>;

export function toDeliveryTimeline({ hops, smtp, marks, totalMs }: Traced): DeliveryTimeline {
  return {
    hops: hops.map(({ at, delayMs, tls, warnings, ...hop }) => ({
      ...hop,
      tls: tls && { ...tls },
      at: toTimestampOrNull(at),
      delay_ms: delayMs,
      warnings: [...warnings],
    })),
    smtp: smtp.map(({ at, durationMs, ...moment }) => ({ ...moment, at: toTimestamp(at), duration_ms: durationMs })),
    marks: marks.flatMap(({ at: epochMs, ...mark }) => {
      const at = toTimestampOrNull(epochMs);
      return at === null ? [] : [{ ...mark, at }];
    }),
    total_ms: totalMs,
  };
}
