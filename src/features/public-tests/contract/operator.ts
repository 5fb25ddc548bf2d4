// What owners of the first workspace see and set of the public page.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { timestamp } from "../../../platform/contract/primitives.ts";
import { counted } from "../rules/counts.ts";
import { publicPage } from "../rules/page.ts";

const whose = "For owners of the server's first workspace.";

const page = publicPage.meta({ id: "PublicPage" });

const newest = z.strictObject({
  receivedAt: timestamp,
  composite: z.number().nullable(),
  spf: z.string().nullable(),
  dkim: z.string().nullable(),
  dmarc: z.string().nullable(),
  from: z.string().nullable().describe("`null` unless `showsContent` is set."),
  subject: z.string().nullable().describe("`null` unless `showsContent` is set."),
});

const answer = z
  .strictObject({
    isOn: z.boolean().describe("`ASSAY_PUBLIC_TESTS`, which `PATCH /api/server-settings/ASSAY_PUBLIC_TESTS` changes."),
    url: z.string(),
    page,
    taken: z
      .strictObject({ tests: z.int(), megabytes: z.number() })
      .describe("What all messages and reports take now."),
    isBusy: z.boolean().describe("Whether browsers compute a proof of work for an address now."),
    days: z
      .array(z.strictObject({ day: timestamp, numbers: z.partialRecord(z.enum(counted), z.int()) }))
      .describe("The last 30 days with numbers, oldest first."),
    newest: z.array(newest).describe("At most 20, newest first."),
  })
  .meta({ id: "PublicTests" });
export type PublicTests = z.infer<typeof answer>;

export const readPublicTests = defineEndpoint({
  method: "GET",
  path: "/api/public-tests",
  access: "owner",
  token: "read",
  summary: `Returns the settings and the numbers of the public page. ${whose}`,
  answer,
});

export const changePublicTests = defineEndpoint({
  method: "PATCH",
  path: "/api/public-tests",
  access: "owner",
  token: "admin",
  summary: `Changes what the public page says and how much it takes. ${whose}`,
  body: publicPage.partial().meta({ examples: [{ name: "Example Hosting", color: "#0a5f56", keepDays: 3 }] }),
  answer,
});

export const previewPublicPage = defineEndpoint({
  method: "GET",
  path: "/preview/public-page",
  access: "owner",
  token: "read",
  summary: `Returns the public page for the frame in the settings, also while it is off. ${whose}`,
  answer: { mediaType: "text/html" },
});
