// What email clients make of a message's colors in dark mode. Comparisons of them found three ways
// (litmus.com/blog/the-ultimate-guide-to-dark-mode-for-email-marketers): Apple Mail applies the message's own dark styles
// and changes nothing else. Outlook.com, the Outlook apps, Outlook for Mac, and Gmail on Android invert only what is
// light. Gmail on iOS and Outlook for Windows invert everything, dark designs too
// (hteumeuleu.com/2021/fixing-gmail-dark-mode-css-blend-modes). Images and gradients keep their colors
// (github.com/hteumeuleu/email-bugs/issues/68).

import type { Cascade } from "./cascade.ts";
import type { Declaration } from "./css.ts";
import { type Color, parseAttributeColor, parseColor, toHex, toLinear, toPart } from "./css-values.ts";
import { readMarkup } from "./markup.ts";
import { rootClass } from "./safe-css.ts";
import type { Page } from "./visible-content.ts";

/**
 * off: the message's light styles apply, also on a dark screen. own: its dark styles apply. partial: light backgrounds and
 * dark text change. full: all colors change.
 */
export const darkModes = ["off", "own", "partial", "full"] as const;
export type DarkMode = (typeof darkModes)[number];

type Role = "background" | "text" | "line";
/** From a lightness to another, both 0 to 100 (CIELAB). The hue stays. */
type Change = (lightness: number) => number;

// Fitted to colors that others measured (github.com/druso/email_darkmode_simulator, Color_inversion_data.md).

/** Outlook for Windows shows white as #262626, #C8CACC as #5B5D5F, and black as #F6F6F6. */
const invert: Change = (lightness) => 97 - 0.34 * lightness - 0.0048 * lightness ** 2;

/**
 * Outlook.com shows a white background as #292929, #C8CACC as #434547, and leaves what is darker than a middle gray. Its
 * text follows the rule of Microsoft's editor (getDarkColor in github.com/microsoft/roosterjs), with that background as
 * its base. It leaves borders (docs.bird.com, "Different Email Clients in Dark Mode").
 */
const changes: Readonly<Record<Exclude<DarkMode, "off" | "own">, Partial<Readonly<Record<Role, Change>>>>> = {
  partial: {
    background: (lightness) => Math.min(lightness, 83.5 - 0.67 * lightness),
    text: (lightness) => Math.max(lightness, 100 - 0.835 * lightness),
  },
  full: { background: invert, text: invert, line: invert },
};

/** The page around a dark message, which has these colors where the message sets none. */
export const darkPages: Readonly<Record<DarkMode, string>> = {
  off: "",
  own: ":root{color-scheme:dark}",
  partial: `:root{color-scheme:dark}.${rootClass}{background:#292929;color:#fff}`,
  full: `:root{color-scheme:dark}.${rootClass}{background:#262626;color:#f6f6f6}`,
};

/** Without this, Apple Mail keeps the page light, whatever the dark styles of single elements say. */
export function declaresDark({ tree, cascade: { sheets } }: Page): boolean {
  const isDark = (value: string) => /\bdark\b/i.test(value);
  return (
    isDark(readMarkup(tree).colorScheme ?? "") ||
    sheets.some(({ sheet: { rules } }) =>
      rules.some(({ declarations }) =>
        declarations.some(({ property, value }) => property === "color-scheme" && isDark(value)),
      ),
    )
  );
}

/** The same styles with the colors that the clients of this mode show. */
export function toDarkCascade(cascade: Cascade, mode: DarkMode): Cascade {
  const toDark = (declarations: readonly Declaration[]) =>
    declarations.map((declaration) => toDarkDeclaration(declaration, mode));
  const answer = mode === "off" ? inTheLight : inTheDark;
  const isRead = (condition: string | null) =>
    changeOf(mode, "text") === null || !/prefers-color-scheme/i.test(condition ?? "");
  const sheets = cascade.sheets
    .filter(({ media }) => isRead(media))
    .map(({ sheet, media, ...rest }) => {
      const rules = sheet.rules
        .filter(({ conditions }) => conditions.every(isRead))
        .map(({ selectors, declarations, conditions }) => ({
          selectors,
          declarations: toDark(declarations),
          conditions: conditions.map(answer),
        }));
      const { atRules, conditions, isCut } = sheet;
      return { ...rest, media: media && answer(media), sheet: { rules, atRules, conditions, isCut } };
    });
  return { ...cascade, sheets, declarationsOf: (style) => toDark(cascade.declarationsOf(style)) };
}

/** As a device in dark mode answers the condition. */
const inTheDark = (condition: string) => answerScheme(condition, "light");
const inTheLight = (condition: string) => answerScheme(condition, "dark");

/** `not`: the scheme that isn't preferred. */
function answerScheme(condition: string, not: "light" | "dark"): string {
  return condition.replace(/\(\s*prefers-color-scheme\s*(?::\s*(\w+)\s*)?\)/gi, (_all, scheme?: string) =>
    scheme?.toLowerCase() === not ? "(max-width:0)" : "(min-width:0)",
  );
}

function toDarkDeclaration(declaration: Declaration, mode: DarkMode): Declaration {
  const { property, value } = declaration;
  const change = changeOf(mode, roleOf(property));
  if (change === null || value.length > 5_000 || /gradient\(/i.test(value)) return declaration;
  const written = value.replace(/url\([^)]*\)?|(?:rgb|hsl)a?\([^()]{1,80}\)|#?[\w-]+/gi, (token) => {
    const color = parseColor(token);
    return color === null || color.a === 0 ? token : toText(withLightness(color, change));
  });
  return written === value ? declaration : { ...declaration, value: written };
}

/** For `bgcolor` and the other attributes of colors. */
export function toDarkAttribute(value: string, role: Role, mode: DarkMode): string {
  const change = changeOf(mode, role);
  const color = parseAttributeColor(value);
  return change === null || color === null ? value : toHex(withLightness(color, change));
}

function changeOf(mode: DarkMode, role: Role | null): Change | null {
  return mode === "off" || mode === "own" || role === null ? null : (changes[mode][role] ?? null);
}

function roleOf(property: string): Role | null {
  if (property === "background" || property === "background-color") return "background";
  if (property === "color" || property.startsWith("text-decoration")) return "text";
  return /^(?:border|outline)/.test(property) ? "line" : null;
}

function toText(color: Color): string {
  const { r, g, b, a } = color;
  return a >= 1 ? toHex(color) : `rgba(${[r, g, b].map(Math.round).join()},${Math.round(a * 1_000) / 1_000})`;
}

// Between sRGB and CIELAB (CSS Color Level 4 §10, D65): each row of the matrix gives X, Y, or Z of white as 1.

const toXyz = [
  [0.433953, 0.376219, 0.189828],
  [0.212673, 0.715152, 0.072175],
  [0.017757, 0.109468, 0.872775],
] as const;
const toRgb = [
  [3.079954, -1.537139, -0.542815],
  [-0.921259, 1.876011, 0.045248],
  [0.052887, -0.204026, 1.151139],
] as const;

type Triple = readonly [number, number, number];

function multiply(matrix: readonly [Triple, Triple, Triple], [x, y, z]: Triple): Triple {
  const row = ([a, b, c]: Triple) => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

const toRoot = (value: number) => (value > 216 / 24_389 ? Math.cbrt(value) : (24_389 / 27) * (value / 116) + 16 / 116);
const fromRoot = (root: number) => (root > 6 / 29 ? root ** 3 : (root - 16 / 116) * 116 * (27 / 24_389));

/** With a* and b* kept, a step of lightness shifts all three roots alike. */
function withLightness({ r, g, b, a }: Color, change: Change): Color {
  const [x, y, z] = multiply(toXyz, [toLinear(r), toLinear(g), toLinear(b)]);
  const root = toRoot(y);
  const shift = (change(116 * root - 16) + 16) / 116 - root;
  const [red, green, blue] = multiply(toRgb, [
    fromRoot(toRoot(x) + shift),
    fromRoot(root + shift),
    fromRoot(toRoot(z) + shift),
  ]);
  return { r: toPart(red), g: toPart(green), b: toPart(blue), a };
}
