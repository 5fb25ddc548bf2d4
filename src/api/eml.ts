// A test's message as people view it: text, safe HTML, files, what it loads and where it links to. Snake case, like the
// whole test resource (src/decisions.md, "Resources").

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { idParams } from "./primitives.ts";

const body = z.strictObject({
  text: z.string().nullable(),
  text_cut: z.boolean(),
  html: z.string().nullable().describe("As sent, its charset decoded: never to be shown as a page."),
  html_cut: z.boolean(),
  html_safe: z
    .string()
    .nullable()
    .describe("Sanitised: no script, no remote load; the message's own pictures stand in it as data."),
  html_safe_cut: z.boolean(),
});

const attachment = z
  .strictObject({
    part: z.string().describe("For /api/tests/:id/attachments/:part."),
    filename: z.string().nullable().describe("As the message says it, whatever stands in it."),
    content_type: z.string().describe("As the message says it."),
    actual_type: z.string().nullable().describe("By the bytes; null where they do not tell."),
    size_bytes: z.int().describe("Decoded."),
    sha256: z.string().describe("Of the decoded bytes, in hexadecimal."),
    disposition: z.string().nullable(),
    cid: z.string().nullable().describe("Content-ID without its brackets."),
    warnings: z.array(z.strictObject({ warning: z.string(), value: z.string().nullable() })),
  })
  .meta({ id: "EmlAttachment" });

const tracking = { service: z.string().nullable(), reasons: z.array(z.string()) };

const image = z
  .strictObject({
    src: z.string().describe("Cut; of data only its beginning."),
    kind: z
      .enum(["remote", "cid", "data", "none"])
      .describe("none: the address leads nowhere, so that nothing is loaded."),
    place: z.string().describe("img, or what else loads it: background, srcset, style …"),
    width: z.number().nullable().describe("In pixels, as shown; null when not said."),
    height: z.number().nullable(),
    alt: z.string().nullable().describe("Null when there is no such attribute."),
    bytes: z.int().nullable().describe("Of what the message brings along."),
    format: z.string().nullable(),
    tracking: z.strictObject(tracking).nullable(),
  })
  .meta({ id: "EmlImage" });

const trackingPixel = z
  .strictObject({ src: z.string(), host: z.string().nullable(), ...tracking })
  .meta({ id: "EmlTrackingPixel" });

const link = z
  .strictObject({
    href: z.string(),
    text: z
      .string()
      .describe(
        "What the reader sees of it: its words, the text of its picture, or in plain text the address.",
      ),
    host: z.string().nullable(),
    place: z.enum(["html", "text"]),
    redirector: z
      .strictObject({ name: z.string().nullable(), target: z.string().nullable() })
      .nullable()
      .describe(
        "Who is in between; name: null where only the address shows that clicks are counted; target: where it leads in the end, if the address says so.",
      ),
    warnings: z.array(z.string()),
    warning_checks: z
      .array(z.string())
      .describe("The check that judges each warning, in the same order; its finding says how bad it is."),
  })
  .meta({ id: "EmlLink" });

const clientSupport = z
  .strictObject({
    as_of: z.string().describe("The day of the caniemail data."),
    programs: z
      .array(z.strictObject({ name: z.string(), share: z.number() }))
      .describe("Mail programs, the most used first; share: in percent of readers, as we assume."),
    features: z
      .array(
        z.strictObject({
          name: z.string(),
          standings: z
            .array(z.enum(["shown", "partly", "missing", "unknown"]))
            .describe("One for each program, in their order."),
        }),
      )
      .describe("Of the HTML and CSS used here, that of which it is known who shows it."),
  })
  .meta({ id: "EmlClientSupport" });

const notListed = z.int().describe("How many more there are than are listed.");

const eml = z
  .strictObject({
    headers: z.array(z.strictObject({ name: z.string(), value: z.string() })).describe("Decoded."),
    body,
    attachments: z.array(attachment),
    images: z.array(image),
    images_cut: notListed,
    tracking_pixels: z.array(trackingPixel),
    links: z.array(link),
    links_cut: notListed,
    client_support: clientSupport.nullable().describe("Null without HTML."),
  })
  .meta({ id: "Eml" });

export const readEml = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/eml",
  access: "member",
  summary: "The message of a test, read for people, before its analysis too.",
  params: idParams,
  answer: eml,
  errors: ["rate_limited", "overloaded"],
});

export const readAttachment = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/attachments/:part",
  access: "member",
  summary: "One part of the message, decoded, as a download.",
  params: idParams.extend({ part: z.string().describe("As `part` in the list of attachments.") }),
  answer: { mediaType: "*/*", download: true },
  errors: ["rate_limited", "overloaded"],
});

export const previewTest = defineEndpoint({
  method: "GET",
  path: "/preview/:id",
  access: "member",
  summary: "The message as a page for a sandboxed frame: sanitised, under a policy of its own.",
  params: idParams,
  query: z.strictObject({
    images: z
      .enum(["0", "1", "none"])
      .default("0")
      .describe(
        "1: pictures are loaded from the network, over https only, but none that counts the reader. none: not even those that the message brings along are shown.",
      ),
  }),
  answer: { mediaType: "text/html" },
  errors: ["rate_limited", "overloaded"],
});
