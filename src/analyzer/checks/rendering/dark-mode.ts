import { defineCheck, notApplicable, passed } from "../check.ts";
import { whyNoHtml } from "../image-only.ts";

export const darkMode = defineCheck({
  id: "dark-mode",
  helpPage: "fix-rendering",
  label: "Dark mode",
  owner: "content",
  asks: "whether the HTML has dark-mode styles",
  why: "Without dark-mode styles, email clients decide how to change the colors.",
  refs: ["caniemail: color-scheme, prefers-color-scheme"],
  needs: ["message", "html"],
  kinds: ["bulk", "transactional"],
  passes: "The HTML declares a color scheme for dark mode.",
  findings: {
    undeclared: {
      severity: "info",
      title: "No dark-mode styles",
      says: "The HTML has no dark-mode styles.",
      fix: 'Optional: add `<meta name="color-scheme" content="light dark">` and matching styles.',
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const isDeclared = html.colorScheme !== null || html.styles.declaresColorScheme;
    return isDeclared ? passed() : [{ finding: "undeclared" }];
  },
});
