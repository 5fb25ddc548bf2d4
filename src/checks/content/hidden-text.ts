import type { HiddenHow } from "../../mail/html/computed-style.ts";
import type { Html } from "../../mail/html/page.ts";
import type { Links } from "../../mail/links/links.ts";
import { toVisible } from "../../visible-text.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import type { Fact } from "../fact.ts";

/** Without spaces. Templates of services hide 15 at most beside their preview line, filter-stuffing begins at about 45. */
const maxHiddenChars = 150;
const maxUnremarkable = 60;

const ways: Readonly<Record<HiddenHow, string>> = {
  display: "display:none",
  visibility: "visibility:hidden",
  opacity: "opacity:0",
  "font-size": "letters of no size",
  "off-screen": "moved off the screen",
  height: "a box without room",
  contrast: "the colour of its background",
  "mso-hide": "hidden from Outlook",
};

export const hiddenText = defineCheck({
  id: "hidden-text",
  area: "content",
  label: "Hidden text",
  owner: "content",
  asks: "whether text is hidden from readers",
  why: "Gmail says that hidden content may be marked as spam. A preview line, blocks for narrow screens and blocks for Outlook are left out.",
  refs: ["Gmail sender rules (hidden content)"],
  needs: ["html"],
  wants: ["links"],
  kinds: ["bulk", "transactional", "personal"],
  domain: "no",
  passes: "No text is hidden but what another screen needs.",
  findings: {
    hidden: {
      severity: "major",
      cost: 18,
      title: "Hidden text",
      says: '{chars} characters are hidden ({how}): "{text}".',
      fix: "Remove the text, or show it.",
    },
    some: {
      severity: "minor",
      cost: 8,
      title: "Some hidden text",
      says: '{chars} characters are hidden ({how}): "{text}".',
      fix: "Remove the text, or show it.",
    },
  },
  run({ html, links }) {
    const runs = html.hiddenRuns.filter(({ exempt }) => exempt === null);
    const chars = runs.reduce((sum, run) => sum + run.chars, 0) - charsOfUnsubscribing(links);
    // What is hidden at the very beginning is most likely a preview line, but nobody can tell: no praise, no fault.
    if (chars <= maxUnremarkable)
      return html.hiddenRuns.some(({ exempt }) => exempt === "preheader")
        ? notApplicable("Only text at the very beginning is hidden, as preview lines are.")
        : runs.length > 0
          ? notApplicable("Only a few characters are hidden.")
          : passed();
    const longest = runs.reduce((one, other) => (other.chars > one.chars ? other : one));
    const how = [...new Set(runs.map((run) => ways[run.how]))];
    const data = { chars, how, text: toVisible(longest.text) };
    return [{ finding: chars > maxHiddenChars ? "hidden" : "some", data, evidence: { runs: toShown(runs) } }];
  },
});

/** A hidden way out is a fault of its own: unsubscribe-link.hidden. */
function charsOfUnsubscribing(links: Fact<Links>): number {
  if (!links.known) return 0;
  const hidden = links.value.list.filter(({ role, visible }) => role === "unsubscribe" && !visible);
  return hidden.reduce((sum, { text }) => sum + text.replace(/\s+/g, "").length, 0);
}

const maxShownRuns = 10;

function toShown(runs: Html["hiddenRuns"]): readonly unknown[] {
  return runs.slice(0, maxShownRuns).map(({ chars, how, text }) => ({ chars, how, text }));
}
