// Of all declarations those that decide whether and how text is seen, with their shorthands resolved.

import type { Declaration } from "./css.ts";

const tracked = new Set(
  "background-color background-image bottom clip color display font-family font-size font-weight height left line-height margin-left max-height max-width mso-hide opacity overflow position right text-indent top visibility white-space width".split(
    " ",
  ),
);
/** Values in lower case. */
export function toTracked(declarations: readonly Declaration[]): Declaration[] {
  const found: Declaration[] = [];
  for (const { property, value, important } of declarations) {
    if (tracked.has(property)) found.push({ property, value: value.toLowerCase(), important });
    else if (property === "background") found.push(...fromBackground(value.toLowerCase(), important));
    else if (property === "font") found.push(...fromFont(value.toLowerCase(), important));
    else if (property === "overflow-y")
      found.push({ property: "overflow", value: value.toLowerCase(), important });
  }
  return found;
}

function fromBackground(value: string, important: boolean): Declaration[] {
  const image = /url\(|gradient\(|image-set\(/.test(value) ? "set" : "none";
  const color = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]{1,80}\)/.exec(value)?.[0];
  const words = value.slice(0, 500).replace(/\([^()]*\)?/g, " ");
  const named = words.split(/[\s,]+/).find((word) => /^[a-z]{3,20}$/.test(word) && !notColors.has(word));
  const found = color ?? (words.includes("var") ? "var" : (named ?? "transparent"));
  return [
    { property: "background-color", value: found, important },
    { property: "background-image", value: image, important },
  ];
}

const notColors = new Set(
  "url repeat none scroll fixed local center top bottom left right cover contain auto round space linear-gradient border-box padding-box content-box".split(
    " ",
  ),
);

function fromFont(value: string, important: boolean): Declaration[] {
  const match =
    /^(?<before>(?:[a-z0-9-]{1,20} ){0,4})(?<size>[\d.]{1,9}[a-z%]{1,4}|(?:xx?-)?(?:small|large)|medium|smaller|larger)(?:\s?\/\s?[\w.%]{1,12})?\s(?<family>.{0,200})/.exec(
      value,
    );
  if (!match?.groups) return [];
  const { before = "", size = "", family = "" } = match.groups;
  const weight = /\b(bold|bolder|[6-9]00)\b/.test(before) ? "bold" : "normal";
  return [
    { property: "font-size", value: size, important },
    { property: "font-weight", value: weight, important },
    { property: "font-family", value: family, important },
  ];
}
