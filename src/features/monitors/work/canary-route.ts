// From where to where a canary goes, and through which relay. Read again for each send, because seed inboxes, verified
// domains, and mailboxes come and go.

import { type OwnSender, readOwnSender } from "../../../analyzer/mail/headers/own-sender.ts";
import { parseSeedAddress, toDetail } from "../../../analyzer/mail/headers/seed-address.ts";
import { whyNoHeaderText } from "../../../analyzer/mail/send-token.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/server.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { listSeedInboxes, pickSampleInbox, toInboxAddress } from "../../intake/rows/seed-inboxes.ts";
import { noSampleInbox } from "../../intake/work/seed-inboxes.ts";
import { maySendAs, notYours } from "../../sending/work/send-test.ts";
import type { MailTransport } from "../../sending/work/transports.ts";
import type { CanaryTerms } from "../rules/canary.ts";
import type { RelaysTable } from "../tables.ts";
import { requireRelay } from "./relays.ts";

export type RouteTerms = Pick<Server, "isSeedMailbox"> & {
  readonly config: Pick<Config, "seedDomains" | "sendVerifiedDomains">;
  /** The server's own. Used only if it is a relay. */
  readonly road: MailTransport;
};

export type CanaryRoute = {
  /** Null: the server's own. */
  readonly relay: RelaysTable | null;
  readonly sender: OwnSender;
  readonly to: string;
  /** Neither a seed inbox nor a connected mailbox, so we don't know yet whether it sends canaries back. */
  readonly isForeign: boolean;
  /** The domain of the return path. */
  readonly bounceDomain: string;
};

/** Throws a Refusal that names the field. */
export async function readRoute(
  scope: Scope,
  { relayId, to, from }: Pick<CanaryTerms, "to" | "from"> & { readonly relayId: string | null },
  terms: RouteTerms,
): Promise<CanaryRoute> {
  const { road, isSeedMailbox } = terms;
  const { seedDomains } = terms.config;
  const inboxes = await listSeedInboxes(scope);
  const inbox = pickSampleInbox(inboxes, seedDomains);
  if (!inbox) throw noSampleInbox(seedDomains);
  const relay = relayId === null ? null : await requireRelay(scope, relayId);
  if (relay === null && road.transport !== "relay")
    throw new Refusal(
      "conflict",
      "This server has no relay (ASSAY_SEND_SMTP_URL). Add a relay and choose it: a canary that never leaves this machine proves little.",
      { field: "relayId" },
    );
  const sender = parse(relay?.mail_from ?? from ?? toInboxAddress(inbox), "from");
  if (relay === null && !(await maySendAs(sender, inboxes, scope, terms)))
    throw refusal("from", `${notYours}, if it is sent through the server's own relay`);
  const bounceDomain = inbox.domain;
  if (to === null) return { relay, sender, to: toInboxAddress(inbox), isForeign: false, bounceDomain };
  const seed = parseSeedAddress(to, seedDomains);
  if (seed !== undefined) {
    const own = inboxes.find(({ local_part, domain }) => local_part === seed.localPart && domain === seed.domain);
    if (!own) throw refusal("to", "is at a seed domain, but is none of the workspace's seed inboxes");
    const address = `${own.local_part}${toDetail(seed)}@${own.domain}`;
    return { relay, sender, to: parse(address, "to").address, isForeign: false, bounceDomain };
  }
  const { address } = parse(to, "to");
  const isMailbox = await isSeedMailbox(scope, address);
  if (relay === null && !isMailbox)
    throw refusal(
      "to",
      "must be a seed inbox or a connected seed mailbox, if it is sent through the server's own relay",
    );
  return { relay, sender, to: address, isForeign: !isMailbox, bounceDomain };
}

function parse(text: string, field: "from" | "to"): OwnSender {
  const problem = whyNoHeaderText(text);
  if (problem !== null) throw refusal(field, problem);
  const reading = readOwnSender(text);
  if (!reading.ok) throw refusal(field, reading.problem);
  return reading.sender;
}

function refusal(field: "from" | "to", problem: string): Refusal {
  return new Refusal("invalid_email", `"${field}" ${problem}.`, { field });
}
