// Links to IP addresses in the recipient's own network: printers, routers, monitoring. Malware links to public addresses.

import { whyNotPublic } from "../../addresses.ts";
import type { Link } from "../../mail/links/links.ts";

const inside: ReadonlySet<string> = new Set([
  "private",
  "private (unique local)",
  "loopback",
  "link-local",
  "link-local or cloud metadata",
]);

/** Only in plain notation: a hexadecimal or single-number form is a disguise. */
export function isPrivateHost({ form, host }: Pick<Link, "form" | "host">): boolean {
  if (host === null || (form !== "ipv4" && form !== "ipv6")) return false;
  return inside.has(whyNotPublic(host) ?? "");
}
