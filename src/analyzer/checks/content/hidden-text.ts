import type { HiddenHow } from "../../mail/html/computed-style.ts";
import type { Html } from "../../mail/html/page.ts";
import type { Links } from "../../mail/links/links.ts";
import { toVisible } from "../../visible-text.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import type { Fact } from "../fact.ts";

/** Counted without spaces. Common templates hide 15 at most besides preview text; text hidden for filters starts near 45. */
const maxHiddenChars = 150;
const maxUnremarkable = 60;

const ways: Readonly<Record<HiddenHow, string>> = {
  display: "display:none",
  visibility: "visibility:hidden",
  opacity: "opacity:0",
  "font-size": "font size near 0",
  "off-screen": "positioned off-screen",
  height: "a box with no height",
  contrast: "same color as its background",
  "mso-hide": "hidden from Outlook",
};

export const hiddenText = defineCheck({
  id: "hidden-text",
  helpPage: "fix-wording",
  label: "Hidden text",
  owner: "content",
  asks: "whether text is hidden from recipients",
  why: "Gmail may mark hidden content as spam. Preview text and blocks for mobile or for Outlook do not count.",
  refs: ["Gmail sender rules (hidden content)"],
  needs: ["html"],
  wants: ["links"],
  kinds: ["bulk", "transactional", "personal"],
  passes: "No suspicious hidden text found.",
  findings: {
    hidden: {
      severity: "major",
      title: "Hidden text",
      says: 'The HTML hides {chars} characters of text ({how}): "{text}".',
      fix: "Remove the text, or make it visible.",
    },
    some: {
      severity: "minor",
      cost: 8,
      title: "Some hidden text",
      says: 'The HTML hides {chars} characters of text ({how}): "{text}".',
      fix: "Remove the text, or make it visible.",
    },
  },
  run({ html, links }) {
    const runs = html.hiddenRuns.filter(({ exempt }) => exempt === null);
    const chars = runs.reduce((sum, run) => sum + run.chars, 0) - charsOfUnsubscribing(links);
    // Hidden text near the start is most likely preview text. This isn't certain, so it neither passes nor fails.
    if (chars <= maxUnremarkable)
      return html.hiddenRuns.some(({ exempt }) => exempt === "preheader")
        ? notApplicable("Only text near the start is hidden, which is common for preview text.")
        : runs.length > 0
          ? notApplicable("Only a few characters are hidden.")
          : passed();
    const longest = runs.reduce((one, other) => (other.chars > one.chars ? other : one));
    const how = [...new Set(runs.map((run) => ways[run.how]))];
    const data = { chars, how, text: toVisible(longest.text) };
    return [{ finding: chars > maxHiddenChars ? "hidden" : "some", data, evidence: { runs: toShown(runs) } }];
  },
});

/** Hidden unsubscribe links are reported by `unsubscribe-link.hidden`. */
function charsOfUnsubscribing(links: Fact<Links>): number {
  if (!links.known) return 0;
  const hidden = links.value.list.filter(({ role, visible }) => role === "unsubscribe" && !visible);
  return hidden.reduce((sum, { text }) => sum + text.replace(/\s+/g, "").length, 0);
}

const maxShownRuns = 10;

function toShown(runs: Html["hiddenRuns"]): readonly unknown[] {
  return runs.slice(0, maxShownRuns).map(({ chars, how, text }) => ({ chars, how, text }));
}
