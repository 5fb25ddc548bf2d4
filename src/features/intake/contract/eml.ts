// The message of a test for viewing: text, safe HTML, files, images and links. Snake case, like the whole test resource
// (src/decisions.md, "Resources").

import { z } from "zod";
import { darkModes } from "../../../analyzer/mail/html/dark-mode.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { idParams } from "../../../platform/contract/primitives.ts";

const body = z.strictObject({
  text: z.string().nullable(),
  text_cut: z.boolean(),
  html: z.string().nullable().describe("As sent, decoded from its charset. Never render it as a web page."),
  html_cut: z.boolean(),
  html_safe: z
    .string()
    .nullable()
    .describe("Sanitized: no scripts and no remote content. Embedded images are included as data URLs."),
  html_safe_cut: z.boolean(),
  html_bytes: z.int().nullable().describe("Size of the whole HTML part after decoding."),
});

const attachment = z
  .strictObject({
    part: z.string().describe("For /api/tests/:id/attachments/:part."),
    filename: z.string().nullable().describe("As written in the message. Can contain any characters."),
    content_type: z.string().describe("As declared in the message."),
    actual_type: z.string().nullable().describe("Detected from the content. `null` if unknown."),
    size_bytes: z.int().describe("Size after decoding."),
    sha256: z.string().describe("SHA-256 of the decoded bytes, in hexadecimal."),
    disposition: z.string().nullable(),
    cid: z.string().nullable().describe("Content-ID without brackets."),
    warnings: z.array(z.strictObject({ warning: z.string(), value: z.string().nullable() })),
  })
  .meta({ id: "EmlAttachment" });

const tracking = { service: z.string().nullable(), reasons: z.array(z.string()) };

const image = z
  .strictObject({
    src: z.string().describe("Truncated. For data URLs, only the start."),
    kind: z.enum(["remote", "cid", "data", "none"]).describe("`none`: the URL points nowhere, so nothing is loaded."),
    place: z.string().describe("`img`, or another source: `background`, `srcset`, `style`, …"),
    width: z.number().nullable().describe("Displayed width in pixels. `null` if not specified."),
    height: z.number().nullable(),
    alt: z.string().nullable().describe("`null` without an alt attribute."),
    bytes: z.int().nullable().describe("Size of an embedded image."),
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
      .describe("What the reader sees: the link text, the alt text of its image, or, in plain text, the URL."),
    host: z.string().nullable(),
    place: z.enum(["html", "text"]),
    redirector: z
      .strictObject({ name: z.string().nullable(), target: z.string().nullable() })
      .nullable()
      .describe(
        "The tracking service in between. `name` is `null` if only the URL shows that clicks are tracked. `target` is the final URL, if the link contains it.",
      ),
    unsubscribes: z.boolean().describe("A visible http or https link whose words or address are about unsubscribing."),
    warnings: z.array(z.string()),
    warning_checks: z
      .array(z.string())
      .describe("The check behind each warning, in the same order. For the severity, see the check's finding."),
  })
  .meta({ id: "EmlLink" });

const clientSupport = z
  .strictObject({
    as_of: z.string().describe("Date of the caniemail data."),
    programs: z
      .array(z.strictObject({ name: z.string(), share: z.number() }))
      .describe("Email clients, most used first. `share` is Assay's estimate of the percentage of recipients."),
    features: z
      .array(
        z.strictObject({
          name: z.string(),
          standings: z
            .array(z.enum(["shown", "partly", "missing", "unknown"]))
            .describe("One per client, in the same order."),
        }),
      )
      .describe("HTML and CSS features used in this message with known client support."),
  })
  .meta({ id: "EmlClientSupport" });

const notListed = z.int().describe("Number of items not listed.");

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
    preview: z.string().nullable().describe("What inboxes show after the subject, up to 140 characters."),
    client_support: clientSupport.nullable().describe("`null` if there is no HTML part."),
  })
  .meta({ id: "Eml" });

export const readEml = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/eml",
  token: "read",
  labelToken: "path",
  summary: "Returns a test's message, prepared for viewing. Available even before analysis.",
  answer: eml,
  errors: ["rate_limited", "overloaded"],
});

export const readAttachment = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/attachments/:part",
  token: "read",
  labelToken: "path",
  summary: "Downloads one decoded part of the message.",
  params: idParams.extend({ part: z.string().describe("The attachment's `part`.") }),
  answer: { mediaType: "*/*", download: true },
  errors: ["rate_limited", "overloaded"],
});

export const previewTest = defineEndpoint({
  method: "GET",
  path: "/preview/:id",
  token: "read",
  labelToken: "path",
  summary: "Returns the message as a sanitized page for a sandboxed frame, with its own content security policy.",
  query: z.strictObject({
    images: z
      .enum(["0", "1", "none"])
      .default("0")
      .describe("`1`: loads images over HTTPS, but no tracking pixels. `none`: hides embedded images too."),
    dark: z
      .enum(darkModes)
      .optional()
      .describe(
        "Simulates dark mode. `off`: applies the message's light styles on a dark screen, too. `own`: applies the message's dark styles, as Apple Mail does. `partial`: darkens light backgrounds and lightens dark text, as Outlook.com and Gmail on Android do. `full`: inverts all colors, as Gmail on iOS and Outlook for Windows do.",
      ),
    pins: z
      .enum(["0", "1"])
      .default("0")
      .describe(
        "`1`: names the findings that an element is about in its `data-pin`, separated by spaces. The frame then has the origin of the server, so that its page can read where they are. It still runs no scripts.",
      ),
  }),
  answer: { mediaType: "text/html" },
  errors: ["rate_limited", "overloaded"],
});
