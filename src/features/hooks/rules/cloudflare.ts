// Mail that a Cloudflare Email Worker passes on. The Worker is the script in the handbook, and it signs as our own alerts are
// signed (Standard Webhooks): HMAC-SHA256 over ID, time and body. The body is a line of JSON with the envelope, and then the
// message, so the signature covers both.

import { createHmac } from "node:crypto";
import {
  type HookCall,
  type HookProviderFacts,
  type HookReading,
  isRecent,
  isSame,
  mediaTypeOf,
  readJson,
  refuse,
  toFields,
  toMail,
  toText,
} from "./hook.ts";

/** The Worker signs each attempt. */
const windowMs = 5 * 60_000;
const secretPrefix = "whsec_";
const longestEnvelope = 4_096;

export const cloudflare = {
  label: "Cloudflare Email Routing",
  feedback: null,
  mail: {
    name: "Cloudflare",
    growth: 1,
    hasPassword: false,
    steps: [
      "In Cloudflare, create an Email Worker with the script in the handbook.",
      "Add two secrets to the Worker: WEBHOOK_URL with your webhook’s URL, and WEBHOOK_SECRET with its secret.",
      "In Email Routing, route an address, or all of them, to the Worker.",
    ],
  },
  key: { from: "assay" },
  proof: "signature",
  proves: "signature of the whole request, by your Worker",
  read: readCloudflare,
} satisfies HookProviderFacts;

export function readCloudflare(call: HookCall): HookReading {
  const { body, contentType, header, nowMs, signingKey } = call;
  if (signingKey === null) return refuse("no_key");
  const [id, seconds] = [header("webhook-id"), header("webhook-timestamp")];
  const signatures = header("webhook-signature")?.split(" ").slice(0, 10) ?? [];
  if (id === null || id === "" || seconds === null || signatures.length === 0) return refuse("no_signature");
  const key = Buffer.from(signingKey.slice(secretPrefix.length), "base64");
  const signed = createHmac("sha256", key).update(`${id}.${seconds}.`).update(body).digest("base64");
  const matching = signatures.filter((one) => isSame(one, `v1,${signed}`));
  if (matching.length === 0) return refuse("bad_signature");
  if (!isRecent(seconds, nowMs, windowMs)) return refuse("too_old");
  if (mediaTypeOf(contentType) !== "application/octet-stream") return refuse("wrong_type");
  const end = body.subarray(0, longestEnvelope).indexOf("\n");
  if (end < 0) return refuse("unreadable");
  const envelope = toFields(readJson(body.subarray(0, end)));
  const recipient = toText(envelope.rcptTo);
  const content = toMail({
    raw: body.subarray(end + 1),
    mailFrom: typeof envelope.mailFrom === "string" ? envelope.mailFrom.slice(0, 1_000) : null,
    rcptTo: recipient === null ? [] : [recipient],
    trusted: ["mx.cloudflare.net"],
  });
  return { ok: true, isSigned: true, requestId: id, content };
}
