// The client that sent a message, for the checks of the sending host.

import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { Message } from "../../mail/mime/message.ts";
import { doors, isPassedOn } from "../../mail/session/doors.ts";
import { skipped } from "../check.ts";
import type { Fact, Why } from "../fact.ts";
import type { Session } from "../facts.ts";
import type { HeloFact, Ptr } from "../infrastructure-facts.ts";
import { fromDomainOf } from "../party.ts";

type Client = { readonly ip: string } | { readonly skipped: Why };

/** The public address that DNS and lists can be asked about, or why it is unknown. */
export function toClient({ clientAddress, isPublic }: Session): Client {
  if (clientAddress === null) return skipped("no-session");
  return isPublic ? { ip: clientAddress } : skipped("not-public");
}

/** Null if the sending server itself connected to us, so the session describes it. */
export function whyNotHeard(session: Session): string | null {
  const { conduct, door, via, isLooped } = session;
  if (conduct === null) return `${doors[door.kind].begins}, so the session with the sending server was not seen.`;
  if (isLooped) return "This server sent the message to itself.";
  return via?.how === "xclient" ? "The message came through the operator's own relay." : null;
}

type HostNameSources = { readonly message: Fact<Message>; readonly ptr?: Fact<Ptr>; readonly helo?: Fact<HeloFact> };

/** The name to suggest for a sending host: one that it already has, or else one in the author's domain. */
export function hostNameFor({ message, ptr, helo }: HostNameSources): string {
  const reverse = ptr?.known ? (ptr.value.confirmed[0] ?? ptr.value.names[0]) : undefined;
  if (reverse !== undefined) return reverse;
  if (helo?.known && helo.value.form === "fqdn" && !helo.value.ours) return helo.value.text;
  const domain = message.known ? fromDomainOf(message.value) : null;
  return `mail.${domain === null ? "your-domain.example" : toRegistrableDomain(domain)}`;
}

export function addressType(ip: string): "A" | "AAAA" {
  return ip.includes(":") ? "AAAA" : "A";
}

/**
 * Another server received the message and passed it on without its own Received header, so its path is unknown. An upload
 * is the message itself, which passed none.
 */
export function isPathUnseen(session: Fact<Session>): boolean {
  return session.known && isPassedOn(session.value);
}
