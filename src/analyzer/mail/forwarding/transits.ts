// The ways of a message through a server that passes it on, each done to its bytes. test/e2e/forwarding.test.ts compares
// them with real servers.

import { recodeTexts, renewBoundaries, unfoldFields } from "./gateways.ts";
import { addFooter, addSubjectTag, cookHeaders } from "./mailing-list.ts";
import { type MessageText, toField, without, withTrace } from "./message-text.ts";
import { downgrade, relay } from "./relays.ts";
import { reserialize } from "./reserialize.ts";

type Transit = {
  readonly id: string;
  /** A list sends from its own address. A forwarder keeps the sender's, unless it rewrites it (SRS). */
  readonly group: "forward" | "list" | "gateway";
  /** It adds an ARC seal. */
  readonly seals: boolean;
  /** Null if its effect can't be predicted. */
  readonly apply: (message: MessageText) => MessageText | null;
};

type Step = Transit["apply"];

/** Each step is done to what the one before it left. */
function inOrder(...steps: readonly Step[]): Step {
  return (message) => steps.reduce<MessageText | null>((left, step) => left && step(left), message);
}

function list(...changes: readonly Step[]): Step {
  return inOrder(relay, cookHeaders, ...changes, reserialize, relay);
}

/** Dovecot's Pigeonhole. */
function redirect(message: MessageText): MessageText {
  const sieve = toField("X-Sieve", "Pigeonhole Sieve 0.5.19 (4eae2f79)");
  const from = toField("X-Sieve-Redirected-From", "user@forwarder.example");
  return withTrace(without(message, "return-path"), sieve, from);
}

function seal(message: MessageText): MessageText {
  const names = ["ARC-Seal", "ARC-Message-Signature", "ARC-Authentication-Results"];
  return withTrace(message, ...names.map((name) => toField(name, "i=1; forwarder.example")));
}

export const transits = [
  { id: "alias", group: "forward", seals: false, apply: relay },
  { id: "redirect", group: "forward", seals: false, apply: inOrder(relay, redirect, relay) },
  { id: "sealed", group: "forward", seals: true, apply: inOrder(relay, seal) },
  { id: "list", group: "list", seals: false, apply: list() },
  { id: "list-tag", group: "list", seals: false, apply: list(addSubjectTag) },
  { id: "list-footer", group: "list", seals: false, apply: list(addFooter) },
  { id: "list-sealed", group: "list", seals: true, apply: inOrder(list(addSubjectTag, addFooter), seal) },
  { id: "downgrade", group: "gateway", seals: false, apply: inOrder(downgrade, relay) },
  { id: "recode", group: "gateway", seals: false, apply: inOrder(recodeTexts, relay) },
  { id: "boundary", group: "gateway", seals: false, apply: inOrder(renewBoundaries, relay) },
  { id: "unfold", group: "gateway", seals: false, apply: inOrder(unfoldFields, relay) },
] as const satisfies readonly Transit[];

export type TransitId = (typeof transits)[number]["id"];
