// Writes styles from what was parsed: only known properties, and values of harmless characters and functions.

import type { Cascade } from "./cascade.ts";
import type { Declaration, Rule } from "./css.ts";
import type { Compound, Selector } from "./css-selectors.ts";
import { urlsIn } from "./loads.ts";
import { safeElements, safeFunctions, safeProperties, safePseudos } from "./safe-tables.ts";

/** The address if it may be loaded, or null. */
export type AllowedUrl = (url: string) => string | null;

export const rootClass = "mail-body";
/** Keeps the message's ids and classes apart from those of the surrounding page. */
export const namePrefix = "mail-";

const maxRules = 2_000;

export function toSafeSheet({ sheets }: Cascade, allow: AllowedUrl): string {
  const lines: string[] = [];
  for (const { sheet, media } of sheets)
    for (const rule of sheet.rules) {
      if (lines.length >= maxRules) return lines.join("\n");
      const line = toSafeRule(rule, media === null ? [] : [`@media ${media.toLowerCase()}`], allow);
      if (line !== null) lines.push(line);
    }
  return lines.join("\n");
}

function toSafeRule(
  { selectors, declarations, conditions }: Rule,
  outer: readonly string[],
  allow: AllowedUrl,
): string | null {
  const groups = [...outer, ...conditions].filter((condition) => !condition.startsWith("@layer"));
  if (
    groups.length > 5 ||
    !groups.every((condition) => /^@media\s[\w\s():,./-]{1,300}$/.test(condition) && isBalanced(condition))
  )
    return null;
  const written = selectors.flatMap((selector) => toSafeSelector(selector) ?? []);
  const style = toSafeStyle(declarations, allow);
  if (written.length === 0 || style === "") return null;
  return `${groups.map((group) => `${group}{`).join("")}${written.join(",")}{${style}}${"}".repeat(groups.length)}`;
}

/** For a style attribute or a rule. */
export function toSafeStyle(declarations: readonly Declaration[], allow: AllowedUrl): string {
  return declarations.flatMap((declaration) => toSafeDeclaration(declaration, allow) ?? []).join(";");
}

function toSafeDeclaration({ property, value, important }: Declaration, allow: AllowedUrl): string | null {
  if (!safeProperties.has(property) || value.length > 5_000) return null;
  const written =
    property.startsWith("background") && /url\(/i.test(value)
      ? toSafeBackground(value, allow)
      : toSafeValue(property, value);
  return written === null || written === "" ? null : `${property}:${written}${important ? "!important" : ""}`;
}

function toSafeBackground(value: string, allow: AllowedUrl): string | null {
  const [url] = urlsIn(value);
  const rest = toSafeValue("background", value.replace(/url\((?:"[^"]*"?|'[^']*'?|[^)]*)\)?/gi, " "));
  const allowed = url === undefined ? null : allow(url);
  if (rest === null || allowed === null || /["\\<>\n]/.test(allowed)) return rest;
  return `url("${allowed}") ${rest}`.trimEnd();
}

function toSafeValue(property: string, value: string): string | null {
  const text = property.startsWith("font") ? value.replace(/["']/g, "") : value;
  if (!/^[\p{L}\p{N}\s#%.,()+*/!_-]*$/u.test(text) || !isBalanced(text)) return null;
  if (property === "position" && !/^(?:static|relative|absolute)$/i.test(text)) return null;
  const functions = text.toLowerCase().match(/(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]*\(/gu) ?? [];
  const areSafe = functions.every((name) => name === "(" || safeFunctions.has(name.slice(0, -1)));
  return areSafe ? text.replace(/\s+/g, " ").trim() : null;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const sign of text) {
    if (sign === "(") depth++;
    else if (sign === ")") depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function toSafeSelector({ compounds }: Selector): string | null {
  const isPage = (compound: Compound | undefined) =>
    compound?.tag === "html" || compound?.tag === "body" || compound?.pseudos.includes(":root");
  // `html body .x` applies to one element here.
  const own = compounds.filter((compound, index) => !(isPage(compound) && isPage(compounds[index + 1])));
  const written = own.map(toSafeCompound);
  if (written.some((text) => text === null)) return null;
  const text = written.map((part, index) => (index === 0 ? part : `${own[index]?.combinator ?? " "}${part}`)).join("");
  return isPage(own[0]) ? text : `.${rootClass} ${text}`;
}

function toSafeCompound(compound: Compound): string | null {
  const { tag, id, classes, attributes, pseudos } = compound;
  const isPage = tag === "html" || tag === "body" || pseudos.includes(":root");
  if (tag !== null && !isPage && !safeElements.has(tag)) return null;
  const others = pseudos.filter((pseudo) => pseudo !== ":root");
  if (!others.every((pseudo) => safePseudos.test(pseudo))) return null;
  if (![...classes, ...(id === null ? [] : [id])].every(isSafeName)) return null;
  const tests = attributes.map(({ name, operator, value }) =>
    /^(?:align|dir|lang|role|valign|width|height)$/.test(name) && /^[\w\s%-]{0,60}$/.test(value)
      ? `[${name}${operator === "" ? "" : `${operator}"${value}"`}]`
      : null,
  );
  if (tests.includes(null)) return null;
  const names = [...(id === null ? [] : [`#${namePrefix}${id}`]), ...classes.map((name) => `.${namePrefix}${name}`)];
  const start = isPage ? `.${rootClass}` : (tag ?? "");
  return `${start}${names.join("")}${tests.join("")}${others.join("")}` || "*";
}

export function isSafeName(name: string): boolean {
  return /^[\w-]{1,100}$/.test(name);
}
