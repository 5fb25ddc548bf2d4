import { domainToUnicode } from "node:url";
import { defineCheck, notApplicable, passed } from "../check.ts";
import { findImitated } from "../lookalike.ts";
import { authorOf, noAuthor, quoted } from "../party.ts";
import { mixedScriptsIn } from "../scripts.ts";

export const lookalikeDomain = defineCheck({
  id: "lookalike-domain",
  area: "identity",
  label: "Lookalike From domain",
  owner: "email-service",
  asks: "whether From's domain imitates another",
  why: "Mixed alphabets are a fraud sign.",
  refs: ["UTS #39 §4, §5.2", "Gmail sender rules"],
  needs: ["message"],
  wants: ["own"],
  kinds: "all",
  domain: "no",
  passes: "{domain} is written in plain letters and looks like no well-known domain.",
  findings: {
    "mixed-script": {
      severity: "major",
      cost: 18,
      title: "Mixed alphabets in From domain",
      says: "{domain} mixes {scripts} letters ({punycode}).",
      fix: "Use one alphabet.",
    },
    imitates: {
      severity: "major",
      cost: 18,
      title: "Lookalike From domain",
      says: "{domain} looks like {other}.",
      fix: "Send from your usual domain.",
    },
    idn: {
      severity: "info",
      cost: 0,
      title: "Internationalized From domain",
      says: "{unicode} is written {punycode} on the wire.",
      fix: null,
    },
  },
  run({ message, own }) {
    const author = authorOf(message);
    if (author === null) return notApplicable(noAuthor);
    const { domain: punycode, address } = author;
    const unicode = quoted(domainToUnicode(punycode));
    const written = address.slice(address.lastIndexOf("@") + 1);
    const scripts = domainToUnicode(punycode)
      .split(".")
      .flatMap((label) => mixedScriptsIn(label) ?? []);
    const mixed = {
      finding: "mixed-script",
      data: { domain: unicode, scripts: [...new Set(scripts)], punycode },
    } as const;
    const other = findImitated(punycode, written, own.known ? own.value.domains : []);
    const shown = quoted(/[^\0-~]/.test(unicode) ? unicode : written);
    const imitates = { finding: "imitates", data: { domain: shown, other } } as const;
    const raised = [...(scripts.length > 0 ? [mixed] : []), ...(other === null ? [] : [imitates])];
    if (raised.length > 0) return raised;
    return unicode === punycode
      ? passed({ domain: punycode })
      : [{ finding: "idn", data: { unicode, punycode } }];
  },
});
