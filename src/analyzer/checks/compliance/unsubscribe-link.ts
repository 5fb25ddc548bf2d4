import type { Link } from "../../mail/links/links.ts";
import { aroundUnsubscribing, namesUnsubscribing } from "../../mail/links/unsubscribe-words.ts";
import { formHosts } from "../../mail/urls/link-tables.ts";
import { findDomain } from "../../mail/urls/patterns.ts";
import { defineCheck, notApplicable, passed, type Raised, skipped, type Verdict } from "../check.ts";
import type { Facts, KnownFacts } from "../facts.ts";
import { domainToPaste, quoted } from "../party.ts";

/** Below these, recipients can't see the link. */
const minFontPx = 8;
const minContrast = 1.5;

type Finding = "missing" | "hidden" | "form";

export const unsubscribeLink = defineCheck({
  id: "unsubscribe-link",
  helpPage: "fix-unsubscribe-link",
  label: "Unsubscribe link",
  owner: "content",
  asks: "whether the body has a visible unsubscribe link",
  why: "Gmail, Yahoo, Microsoft, and Apple all ask for a visible unsubscribe link.",
  refs: ["Gmail, Yahoo, Microsoft, Apple sender rules"],
  needs: ["links", "message", "kind"],
  wants: ["html"],
  kinds: ["bulk"],
  passes: "Unsubscribe link found[[: {text}]].",
  findings: {
    missing: {
      severity: "major",
      title: "No unsubscribe link",
      says: "The body has no visible unsubscribe link.",
      fix: 'Add a link to the footer, in the language of the message, with a token for each recipient and list: `<a href="https://{fromDomain}/u/TOKEN">Unsubscribe</a>`.',
      gates: [
        { provider: "gmail", sender: "bulk", reply: "no mitigation" },
        { provider: "outlook", sender: "bulk", reply: "asked for, no fixed reply" },
        { provider: "yahoo", sender: "bulk", reply: "asked for, no fixed reply" },
        { provider: "apple", sender: "bulk", reply: "asked for, no fixed reply" },
      ],
    },
    hidden: {
      severity: "major",
      title: "Hidden unsubscribe link",
      says: "The unsubscribe link is hidden ({how}).",
      fix: "Show the link at 12 px or larger, with sufficient contrast.",
    },
    form: {
      severity: "minor",
      cost: 3,
      title: "Unsubscribe link opens a form",
      says: "The unsubscribe link opens {what} at {host}.",
      fix: "Make the link unsubscribe the recipient directly.",
    },
  },
  run({ links, message, kind, html }) {
    if (kind.mailingList) return notApplicable("Mailing list posts do not need an unsubscribe link.");
    if (message.isEmpty) return notApplicable("The message is empty.");
    const list = links.list.filter(isOwnLink);
    const found = list.filter(({ role }) => role === "unsubscribe");
    const inHtml = found.filter(({ place }) => place === "html");
    const seen = inHtml.filter((link) => hiddenHow(link) === null);
    if (seen.length > 0) return judgeTarget(seen);
    if (isNamedInHtml(list, html)) return passed();
    const [hidden] = inHtml;
    if (hidden) return [{ finding: "hidden", data: { how: hiddenHow(hidden) }, evidence: { href: hidden.href } }];
    const inText = found.filter(({ place }) => place === "text");
    if (inText.length > 0) return judgeTarget(inText);
    if (isNamedInText(message)) return passed();
    if (message.html !== null && !html.known) return skipped(html.why);
    if (isCut(links, message, html)) return skipped("too-large");
    return [{ finding: "missing", data: { fromDomain: domainToPaste(message) } }];
  },
});

/** It leads somewhere, and doesn't contain the whole message with its footer. */
function isOwnLink({ faults, text }: Link): boolean {
  return !faults.includes("empty") && text.length < maxLinkText;
}

const maxLinkText = 200;

function judgeTarget(links: readonly Link[]): Verdict<Finding> {
  const forms = links.map((link) => ({ link, what: formOf(link) }));
  const [first] = forms;
  if (first === undefined || forms.some(({ what }) => what === null)) {
    const text = links[0]?.text || links[0]?.label;
    return passed({ text: text ? `"${quoted(text).replace(/\.$/, "")}"` : null });
  }
  const { link, what } = first;
  const host = link.target?.host ?? link.host;
  return [{ finding: "form", data: { host, what }, evidence: { href: link.href } } satisfies Raised<Finding>];
}

function formOf({ host, target, href }: Link): string | null {
  const leadsTo = target?.host ?? host;
  if (leadsTo === null) return null;
  if (findDomain(leadsTo, formHosts) !== null) return "a form service";
  const path = (target?.href ?? href).slice(0, 500).split("?", 1)[0] ?? "";
  return /\/(?:log-?in|sign-?in|log-?on|einloggen|connexion|iniciar-sesion)(?:[/.]|$)/i.test(path)
    ? "a login page"
    : null;
}

const unseen: Readonly<Record<NonNullable<Link["hiddenHow"]>, string>> = {
  display: "display: none",
  visibility: "visibility: hidden",
  opacity: "opacity near 0",
  "font-size": "font size near 0",
  "off-screen": "positioned off-screen",
  height: "in a box with no height",
  contrast: "same color as its background",
  "mso-hide": "hidden from Outlook",
};

function hiddenHow({ hiddenHow: how, fontPx, contrast }: Link): string | null {
  // `mso-hide` hides the link in Outlook only.
  if (how !== null && how !== "mso-hide") return unseen[how];
  if (fontPx !== null && fontPx < minFontPx) return `${fontPx} px`;
  return contrast !== null && contrast < minContrast ? `contrast of ${contrast}:1` : null;
}

/** Maximum distance between the link and the words: "To unsubscribe from all our emails, click here". */
const reach = 150;
const maxPlaces = 20;
const address = /\bhttps?:\/\/|\bwww\.|[\w.+-]@[a-z\d-]/i;

/** The text next to the link says "unsubscribe", and the link itself says "here". */
function isNamedInHtml(list: readonly Link[], html: KnownFacts["html"]): boolean {
  const near = aroundUnsubscribing(html.known ? html.value.visibleText : "", reach, maxPlaces);
  if (near.length === 0) return false;
  const usable = list.filter((link) => link.place === "html" && hiddenHow(link) === null);
  const texts = new Set(usable.map(({ text }) => text.toLowerCase()).filter(({ length }) => length > 1));
  return [...texts].some((text) => near.some((around) => nextLines(around).includes(text)));
}

/** The lines with the words, one before and two after each: a button above the footer is another link. */
function nextLines(around: string): string {
  const lines = around.split("\n").filter((line) => line.trim() !== "");
  const isNear = (index: number) => lines.slice(Math.max(0, index - 2), index + 2).some(namesUnsubscribing);
  return lines.filter((_, index) => isNear(index)).join("\n");
}

function isNamedInText({ text }: Facts["message"]): boolean {
  return aroundUnsubscribing(text?.text ?? "", reach, maxPlaces).some((around) => address.test(around));
}

function isCut({ list, total }: Facts["links"], { text }: Facts["message"], html: KnownFacts["html"]): boolean {
  return total > list.length || text?.isCut === true || (html.known && html.value.cuts.length > 0);
}
