// What the requests of a webhook prove, in words. The server sends them, so that the web app doesn't carry them.

import type { HookProof, HookPurpose } from "./rules/hook.ts";

/** Anyone who knows the URL could report complaints, so those that aren't signed raise no problem of a domain. */
const unsignedFeedback = "What it reports is listed, but never raises an alert about a complaint rate.";

export function toProofWords(proof: HookProof, purpose: HookPurpose): string {
  const isUnsigned = proof === "password" && purpose === "feedback";
  return isUnsigned ? `${proofWords[proof]} ${unsignedFeedback}` : proofWords[proof];
}

const proofWords: Readonly<Record<HookProof, string>> = {
  signature: "Each request has a signature, which Assay verifies. It covers the whole request.",
  token:
    "Each request has a signature, which Assay verifies. It doesn’t cover the content, so HTTPS alone protects that.",
  password:
    "The provider signs nothing. The URL and its password are all that shows who sent a request, so keep them secret.",
};
