// The pages that links in alert mail open. GET only shows a page, because mail scanners follow links. POST changes
// something, and needs no account: the token is the right to do it.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";

const page = {
  access: "public",
  params: z.strictObject({ token: z.string().max(200).describe("From the link.") }),
  headers: z.strictObject({ accept: z.string().optional().describe("With `text/html`, errors are web pages.") }),
  answer: { mediaType: "text/html" },
  errors: ["invalid_link"],
} as const;
const form = { method: "POST", status: 200, body: { mediaType: "application/x-www-form-urlencoded" } } as const;
const confirmPath = "/alert-email/confirm/:token";
const unsubscribePath = "/alert-email/unsubscribe/:token";

export const readConfirmAlertEmail = defineEndpoint({
  ...page,
  method: "GET",
  path: confirmPath,
  summary: "Returns the page that the link in a confirmation email opens. It changes nothing.",
});

export const confirmAlertEmail = defineEndpoint({
  ...page,
  ...form,
  path: confirmPath,
  summary: "Confirms that an address wants a workspace's alerts. The link works once.",
});

export const readUnsubscribeAlertEmail = defineEndpoint({
  ...page,
  method: "GET",
  path: unsubscribePath,
  summary: "Returns the page that the unsubscribe link of an alert email opens. It changes nothing.",
});

/** RFC 8058 §3.2: the body is a form, which is ignored. */
export const unsubscribeAlertEmail = defineEndpoint({
  ...page,
  ...form,
  path: unsubscribePath,
  summary: "Unsubscribes an address from a workspace's alerts, also with one click (RFC 8058).",
});
