// Warnings about a link as sentences for the message's view, each with the check that judges it.

import type { Link } from "./links.ts";

type LinkWarning = { readonly says: string; readonly check: string };

type Row = readonly [check: string, say: (link: Link) => string | null];

const numeric = new Set(["ipv4", "ipv6", "decimal", "octal", "hex"]);

const warnings: readonly Row[] = [
  ["link-address", ({ form, host }) => (numeric.has(form) ? `Opens a raw IP address (${host}).` : null)],
  ["link-credentials", ({ userinfo, host }) => (userinfo === null ? null : `Has text before @ and opens ${host}.`)],
  [
    "link-text",
    ({ textHost, textOrgDomain, orgDomain, target, host }) =>
      textHost === null || host === null || isSameSite(textHost, textOrgDomain, host, orgDomain, target)
        ? null
        : `Shows ${textHost} but opens ${host}.`,
  ],
  [
    "link-scheme",
    ({ textScheme, scheme }) => (textScheme === "https" && scheme === "http" ? "Shows https but opens http." : null),
  ],
  ["link-lookalike", ({ form, unicodeHost, host }) => (form === "punycode" ? `Opens ${unicodeHost} (${host}).` : null)],
  [
    "link-lookalike",
    ({ isMixedScript }) => (isMixedScript ? "The hostname mixes letters from several scripts." : null),
  ],
  ["link-lookalike", ({ hasInvisible }) => (hasInvisible ? "Contains invisible characters." : null)],
  [
    "link-shortener",
    ({ shortener }) =>
      shortener && shortener.brand === null ? `The link shortener ${shortener.host} hides the link's target.` : null,
  ],
  [
    "link-redirector",
    ({ redirector, target }) =>
      redirector && target ? `Opens ${target.host} through an open redirect at ${redirector}.` : null,
  ],
  [
    "link-scheme",
    ({ textScheme, scheme }) =>
      scheme === "http" && textScheme !== "https" ? "Uses HTTP, which is not encrypted." : null,
  ],
  [
    "link-form",
    ({ port }) =>
      port === null || port === 80 || port === 443 ? null : `Uses port ${port}, which many networks block.`,
  ],
  ["link-form", ({ faults }) => (faults.includes("empty") ? "Has no target." : null)],
  [
    "active-content",
    ({ faults }) => (faults.includes("script") ? "Is a script, which email clients do not run." : null),
  ],
  [
    "link-form",
    ({ faults }) => (faults.some((fault) => fault !== "empty" && fault !== "script") ? "Is not a valid URL." : null),
  ],
  ["link-form", ({ length }) => (length > 2_000 ? `Has ${length} characters.` : null)],
  [
    "placeholders",
    ({ placeholder }) => (placeholder === null ? null : `Contains the unreplaced merge tag ${placeholder}.`),
  ],
  ["hidden-text", ({ visible, hiddenHow }) => (visible ? null : `Is hidden (${hiddenHow}).`)],
];

export function warningsOf(link: Link): LinkWarning[] {
  return warnings.flatMap(([check, say]) => {
    const says = say(link);
    return says === null ? [] : [{ says, check }];
  });
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
    target !== null && (target.host === textHost || (textOrgDomain !== null && target.orgDomain === textOrgDomain))
  );
}
