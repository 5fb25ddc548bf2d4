import type { Link } from "../../mail/links/links.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";

export const linkNames = defineCheck({
  id: "link-names",
  helpPage: "fix-accessibility",
  label: "Link names",
  owner: "content",
  asks: "whether link text makes sense out of context",
  why: "Screen readers list links without the text around them.",
  refs: ["WCAG 2.4.4"],
  needs: ["links"],
  kinds: ["bulk", "transactional"],
  passes: "All visible links have link text ({count}).",
  findings: {
    nameless: {
      severity: "minor",
      cost: 3,
      title: "Link without text",
      says: "A link to {host} has no link text.",
      fix: "Add link text, or remove the link.",
    },
    vague: {
      severity: "info",
      title: "Vague link text",
      says: '{count} of {total} links have vague text such as "{text}".',
      fix: 'Say where the link goes, for example "Read the report" instead of "here".',
    },
  },
  run({ links }) {
    const shown = links.list.filter(({ place, visible }) => place === "html" && visible);
    if (shown.length === 0) return notApplicable("The HTML has no visible links.");
    const raised = [...findNameless(shown), ...findVague(shown)];
    return raised.length > 0 ? raised : passed({ count: shown.length });
  },
});

const maxTold = 10;

/** Links with an image are covered by `image-alt`, links with an unreplaced merge tag by `placeholders`. */
function findNameless(links: readonly Link[]): Raised<"nameless">[] {
  const raised = new Map<string, Raised<"nameless">>();
  for (const { text, label, images, placeholder, host, href } of links) {
    if (text !== "" || label !== null || images > 0 || placeholder !== null || href === "") continue;
    const target = host ?? toStorableCut(href, 100);
    if (raised.size < maxTold)
      raised.set(target, { finding: "nameless", subject: target, data: { host: target }, evidence: { href } });
  }
  return [...raised.values()];
}

const fewest = 2;

function findVague(links: readonly Link[]): Raised<"vague">[] {
  const named = links.filter(({ text }) => text !== "");
  const vague = named.filter(({ text, label }) => label === null && isVague(text));
  if (vague.length < fewest || vague.length <= named.length / 2) return [];
  const texts = [...new Set(vague.map(({ text }) => text))];
  return [
    {
      finding: "vague",
      data: { count: vague.length, total: named.length, text: texts[0] ?? "" },
      evidence: { texts: texts.slice(0, maxTold) },
    },
  ];
}

function isVague(text: string): boolean {
  if (text.length > longestVague) return false;
  return vagueTexts.has(
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}'’ ]/gu, "")
      .replace("’", "'")
      .trim(),
  );
}

const longestVague = 40;
const vagueTexts = new Set(
  [
    "click here|click|here|more|read more|learn more|see more|this link|link|go|details",
    "hier|hier klicken|klicken sie hier|mehr|mehr lesen|weiterlesen|mehr erfahren|mehr infos|link",
    "ici|cliquez ici|plus|lire la suite|en savoir plus|voir plus",
    "aquí|haz clic aquí|haga clic aquí|más|leer más|ver más|más información",
    "qui|clicca qui|leggi|leggi di più|scopri di più|di più",
    "aqui|clique aqui|mais|leia mais|saiba mais|ver mais",
    "klik hier|meer|lees meer|lees verder|tutaj|kliknij tutaj|więcej|här|klicka här|läs mer|her|klik her|læs mere|les mer",
  ].flatMap((texts) => texts.split("|")),
);
