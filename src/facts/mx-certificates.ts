// What the MX hosts of a monitored domain show after STARTTLS: asked for, or as it was when they were last asked.

import { type Fact, known, unknown } from "../checks/fact.ts";
import type { MxCertificate, Row } from "../checks/infrastructure-facts.ts";
import type { AskCertificate } from "../system/mail-certificate.ts";

/** Of a domain; the first take the mail. */
const maxHosts = 5;

/** `before`: what they showed then, and nobody is asked; null: they are asked, if anybody may be. */
export async function gatherMxCertificates(
  names: readonly string[],
  before: readonly Row<MxCertificate>[] | null,
  ask: AskCertificate | null,
): Promise<Fact<readonly Row<MxCertificate>[]>> {
  const hosts = [...new Set(names.map((name) => name.toLowerCase()))].slice(0, maxHosts);
  if (before !== null) return known(before.filter(({ of }) => hosts.includes(of)));
  if (ask === null) return unknown("off");
  return known(await Promise.all(hosts.map(async (host) => ({ of: host, fact: await ask(host) }))));
}
