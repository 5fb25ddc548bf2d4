// What a visitor without an account calls. The link's secret is the only right that there is, so nothing here has a cookie.
// With the setting off, none of it answers.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";

const secret = z.strictObject({ secret: z.string().max(100).describe("From the link.") });
const look = z.strictObject({ embed: z.enum(["1"]).optional().describe("The page is in a frame of another site.") });
/** Base64 of JSON. */
const proof = z.string().max(4_000).optional().describe("A solved ALTCHA challenge, if the page is busy.");
const page = {
  access: "public",
  query: look,
  headers: z.strictObject({
    accept: z.string().optional().describe("With `text/html`, errors are web pages."),
    "accept-encoding": z.string().optional().describe("With `gzip`, the report is compressed."),
  }),
  answer: { mediaType: "text/html" },
} as const;
const form = { mediaType: "application/x-www-form-urlencoded" } as const;

export const readPublicStart = defineEndpoint({
  ...page,
  method: "GET",
  path: "/test",
  summary:
    "Returns the public page, if the operator has turned it on. It says how to test a message without an account.",
  errors: ["not_found"],
});

export const openPublicTest = defineEndpoint({
  ...page,
  method: "POST",
  path: "/test",
  summary:
    "Makes an address that takes one message within an hour, and redirects to its page. The page's address is the only way to it.",
  body: form,
  status: 200,
  emptyStatus: 302,
  errors: ["not_found", "rate_limited", "overloaded"],
});

export const pastePublicTest = defineEndpoint({
  ...page,
  method: "POST",
  path: "/test/message",
  summary: "Tests a message that was pasted or chosen as a file, and redirects to its page.",
  query: look.extend({ proof }),
  body: { mediaType: "message/rfc822", form: true },
  status: 200,
  emptyStatus: 302,
  errors: ["not_found", "rate_limited", "overloaded", "payload_too_large"],
});

export const readPublicTest = defineEndpoint({
  ...page,
  method: "GET",
  path: "/test/:secret",
  summary:
    "Returns the page that waits for the message, and then its report. With `.json` at its end, the report as JSON.",
  params: secret,
  answer: { mediaType: "text/html", otherTypes: ["application/json"] },
  errors: ["not_found"],
});

export const readPublicState = defineEndpoint({
  method: "GET",
  path: "/test/:secret/state",
  access: "public",
  summary: "Says how far the test is, for the page that waits.",
  params: secret,
  answer: z.strictObject({ state: z.enum(["waiting", "analyzing", "ready", "over"]) }).meta({ id: "PublicTestState" }),
  errors: ["not_found"],
});

export const readPublicMessage = defineEndpoint({
  method: "GET",
  path: "/test/:secret/message",
  access: "public",
  summary: "Returns the message for the frame on its page: sanitized, without remote images, with issues numbered.",
  params: secret,
  query: look,
  answer: { mediaType: "text/html" },
  errors: ["not_found", "rate_limited", "overloaded"],
});

export const deletePublicTest = defineEndpoint({
  ...page,
  method: "POST",
  path: "/test/:secret/delete",
  summary: "Deletes the message and its report at once.",
  params: secret,
  body: form,
  status: 200,
  errors: ["not_found"],
});

export const readPublicChallenge = defineEndpoint({
  method: "GET",
  path: "/test/challenge",
  access: "public",
  summary: "Returns an ALTCHA challenge for the browser to solve, or `null` if the page isn't busy.",
  answer: z
    .strictObject({ challenge: z.unknown().describe("As ALTCHA's libraries take it.") })
    .meta({ id: "PublicChallenge" }),
  errors: ["not_found"],
});

export const readPublicFile = defineEndpoint({
  method: "GET",
  path: "/test/files/:name",
  access: "public",
  summary: "Returns the script of the page, or what other sites embed: `widget.js` and `button.svg`.",
  params: z.strictObject({ name: z.enum(["page.js", "widget.js", "button.svg"]).describe("The file.") }),
  answer: { mediaType: "text/javascript", otherTypes: ["image/svg+xml"] },
  errors: ["not_found"],
});
