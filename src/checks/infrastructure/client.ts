// Whom a message came from, for the checks that ask about the sending host.

import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { Message } from "../../mail/mime/message.ts";
import { notApplicable } from "../check.ts";
import type { Fact } from "../fact.ts";
import type { Session } from "../facts.ts";
import type { HeloFact, Ptr } from "../infrastructure-facts.ts";
import { fromDomainOf } from "../party.ts";

type Client = { readonly ip: string } | { readonly notApplicable: string };

/** The address that DNS and lists can tell something of, or why there is none. */
export function toClient({ source, clientAddress, isPublic, isLooped }: Session): Client {
  if (isLooped) return notApplicable("This server sent the message to itself.");
  if (clientAddress === null)
    return notApplicable(
      source === "smtp"
        ? "The relay before us does not know the client's address."
        : "The message was uploaded, and nobody said from where it would come.",
    );
  return isPublic ? { ip: clientAddress } : notApplicable("The client's address is a private one.");
}

/** What was heard is the sending server's own doing: it spoke to us, and no relay for it. */
export function whyNotHeard({ conduct, via, isLooped }: Session): string | null {
  if (conduct === null) return "The message was uploaded: no server handed it to us.";
  if (isLooped) return "This server sent the message to itself.";
  return via?.how === "xclient" ? "A relay of the operator's own handed the message over." : null;
}

type HostNameSources = {
  readonly message: Fact<Message>;
  readonly ptr?: Fact<Ptr>;
  readonly helo?: Fact<HeloFact>;
};

/** The name that a sending host should bear: one that it bears already, else one in the author's domain. */
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
