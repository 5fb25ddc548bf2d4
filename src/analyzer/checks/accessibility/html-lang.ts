import { defineCheck, notApplicable, passed } from "../check.ts";
import { whyNoHtml } from "../image-only.ts";
import { contradicts, guessLanguage, languageName, runsRightToLeft } from "./language.ts";

export const htmlLang = defineCheck({
  id: "html-lang",
  helpPage: "fix-accessibility",
  label: "HTML language",
  owner: "content",
  asks: "whether the HTML declares its language",
  why: "Screen readers use the declared language to choose a pronunciation.",
  refs: ["WCAG 3.1.1"],
  needs: ["message", "html"],
  wants: ["kind"],
  kinds: ["bulk", "transactional", "personal"],
  byKind: true,
  passes: 'The HTML declares its language as "{lang}".',
  findings: {
    missing: {
      severity: "minor",
      cost: 3,
      title: "No HTML language",
      says: "The HTML has no lang attribute.",
      fix: 'Declare the language of your text[[: `<html lang="{guess}" dir="{dir}">`]].',
    },
    differs: {
      severity: "info",
      title: "Wrong HTML language",
      says: 'The HTML declares its language as "{lang}", but the text looks like {language}.',
      fix: 'Set `lang="{guess}"`, or use the code for the language of your text.',
    },
  },
  run({ message, html, kind }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const guess = guessLanguage(html.visibleText);
    const { lang } = html;
    if (!lang) {
      if (kind.known && kind.value.kind === "personal")
        return notApplicable("The sender's email client generated this HTML, so the sender cannot set its language.");
      const dir = runsRightToLeft(html.visibleText) ? "rtl" : "ltr";
      return [{ finding: "missing", data: { guess: guess?.tag ?? null, dir } }];
    }
    return guess && contradicts(guess, lang)
      ? [{ finding: "differs", data: { lang, guess: guess.tag, language: languageName(guess.tag) } }]
      : passed({ lang });
  },
});
