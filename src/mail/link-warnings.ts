// What is odd about a link, as sentences for the reader of the message's view.

import type { Link } from "./links.ts";

type Warning = (link: Link) => string | null;

const numeric = new Set(["ipv4", "ipv6", "decimal", "octal", "hex"]);

const warnings: readonly Warning[] = [
  ({ form, host }) => (numeric.has(form) ? `Opens ${host}, a bare address.` : null),
  ({ userinfo, host }) => (userinfo === null ? null : `Has a part before @; it opens ${host}.`),
  ({ textHost, textOrgDomain, orgDomain, target, host }) =>
    textHost === null || host === null || isSameSite(textHost, textOrgDomain, host, orgDomain, target)
      ? null
      : `Reads ${textHost} but opens ${host}.`,
  ({ textScheme, scheme }) =>
    textScheme === "https" && scheme === "http" ? "Reads https but opens http." : null,
  ({ form, unicodeHost, host }) => (form === "punycode" ? `Opens ${unicodeHost} (${host}).` : null),
  ({ isMixedScript }) => (isMixedScript ? "Its host mixes letters of several scripts." : null),
  ({ hasInvisible }) => (hasInvisible ? "Holds invisible characters." : null),
  ({ shortener }) =>
    shortener && shortener.brand === null ? `Hides its target behind ${shortener.host}.` : null,
  ({ redirector, target }) =>
    redirector && target ? `Goes through an open redirector of ${redirector} to ${target.host}.` : null,
  ({ scheme }) => (scheme === "http" ? "Uses http, which is not encrypted." : null),
  ({ port }) =>
    port === null || port === 80 || port === 443 ? null : `Uses port ${port}, which many networks block.`,
  ({ faults }) => (faults.includes("empty") ? "Leads nowhere." : null),
  ({ faults }) => (faults.includes("script") ? "Is a script, which no mail program runs." : null),
  ({ faults }) =>
    faults.some((fault) => fault !== "empty" && fault !== "script") ? "Is not a valid address." : null,
  ({ length }) => (length > 2_000 ? `Has ${length} characters.` : null),
  ({ placeholder }) => (placeholder === null ? null : `Holds ${placeholder}, which was not filled in.`),
  ({ visible, hiddenHow }) => (visible ? null : `Cannot be seen (${hiddenHow}).`),
];

export function warningsOf(link: Link): string[] {
  return warnings.flatMap((warning) => warning(link) ?? []);
}

function isSameSite(
  textHost: string,
  textOrgDomain: string | null,
  host: string,
  orgDomain: string | null,
  target: Link["target"],
): boolean {
  if (textHost === host || (textOrgDomain !== null && textOrgDomain === orgDomain)) return true;
  return (
    target !== null &&
    (target.host === textHost || (textOrgDomain !== null && target.orgDomain === textOrgDomain))
  );
}
