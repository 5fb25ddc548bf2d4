import { describe, expect, test } from "vitest";
import { type DarkMode, declaresDark, toDarkAttribute } from "../../../../src/analyzer/mail/html/dark-mode.ts";
import { readPage } from "../../../../src/analyzer/mail/html/page.ts";
import { toSafeHtml } from "../../../../src/analyzer/mail/html/safe-html.ts";
import { attacks } from "./attacks.ts";

const shown = (html: string, dark: DarkMode | null) => toSafeHtml(readPage(html), { dark }).html;
const styleIn = (style: string, dark: DarkMode) =>
  /<p style="([^"]*)"/.exec(shown(`<p style="${style}">x</p>`, dark))?.[1];

const apart = (one: string, other: string) =>
  Math.max(
    ...[1, 3, 5].map((at) =>
      Math.abs(Number.parseInt(one.slice(at, at + 2), 16) - Number.parseInt(other.slice(at, at + 2), 16)),
    ),
  );

// github.com/druso/email_darkmode_simulator, Color_inversion_data.md.
describe("a background is shown as it was measured", () => {
  test.each([
    ["#ffffff", "#292929", "#262626"],
    ["#f4f4f4", "#2e2e2e", "#323232"],
    ["#e2e3e3", "#373737", "#434545"],
    ["#c8cacc", "#434547", "#5b5d5f"],
    ["#b5b3af", "#53514e", "#74716d"],
    ["#8a8d90", "#66696c", "#909396"],
    ["#5a5c5e", "#5a5c5e", "#b6b8ba"],
    ["#000000", "#000000", "#f6f6f6"],
  ])("a background of %s is shown as measured: %s in Outlook.com, %s in Outlook for Windows", (sent, web, windows) => {
    expect(apart(toDarkAttribute(sent, "background", "partial"), web)).toBeLessThanOrEqual(1);
    expect(apart(toDarkAttribute(sent, "background", "full"), windows)).toBeLessThanOrEqual(6);
  });
});

describe("partial inversion", () => {
  test("partial inversion darkens light backgrounds and lightens dark text", () => {
    expect(styleIn("background-color:white;color:#222222", "partial")).toBe("background-color:#292929;color:#dfdfdf");
  });

  test("partial inversion leaves dark backgrounds, light text, borders, and gradients", () => {
    const style =
      "background:#14213d;color:#ffffff;border:1px solid #dddddd;background-image:linear-gradient(#fff,#eee)";
    expect(styleIn(style, "partial")).toBe(style);
  });

  test("partial inversion leaves out dark styles, which its clients replace with their own", () => {
    const html = `<style>@media (prefers-color-scheme: dark) { p { color: red } } p { color: blue }</style>
      <style media="(prefers-color-scheme:dark)">b { color: red }</style><p>x</p>`;
    expect(shown(html, "partial")).not.toMatch(/prefers|red|#f/);
  });
});

describe("full inversion", () => {
  test("full inversion makes a dark design light", () => {
    expect(styleIn("background:#000000;color:#fff;border:1px solid black", "full")).toBe(
      "background:#f6f6f6;color:#262626;border:1px solid #f6f6f6",
    );
  });

  test("full inversion changes colors in sheets, shorthands, and attributes, in any notation", () => {
    const html = `<style>p { background: url(red.png) no-repeat rgb(255, 255, 255); color: rgba(0,0,0,.5) }</style>
      <body bgcolor="ffffff" text="black"><p><font color="#000000">x</font><table bgcolor="white" bordercolor="white"></table></p>`;
    const written = shown(html, "full");
    expect(written).toContain("p{background:no-repeat #262626;color:rgba(246,246,246,0.5)}");
    expect(written).toMatch(/^[^>]*>[^>]*><div class="mail-body" style="background-color:#262626;color:#f6f6f6;/);
    expect(written).toContain('<font color="#f6f6f6">');
    expect(written).toContain('<table bgcolor="#262626" bordercolor="#262626">');
  });

  test("full inversion leaves what isn't a color", () => {
    const style = "color:inherit;background:transparent;font-family:Tan Red;border-collapse:collapse;margin:0 auto";
    expect(styleIn(style, "full")).toBe(style);
  });
});

describe("the message's own dark styles", () => {
  const html = `<style>@media (prefers-color-scheme: dark) and (max-width:600px) { p { color: #ffffff } }
    @media (prefers-color-scheme: light) { p { color: #000000 } }</style><p style="background:#fff">x</p>`;

  test("the message's own dark styles apply without asking the browser, and its light ones don't", () => {
    const written = shown(html, "own");
    expect(written).toContain("@media (min-width:0) and (max-width:600px){");
    expect(written).toContain("@media (max-width:0){");
    expect(written).toContain('style="background:#fff"');
  });

  test("the message's own dark styles are left to the browser unless they are requested", () => {
    expect(shown(html, null)).toContain("@media (prefers-color-scheme: dark) and (max-width:600px){");
  });

  test.each([
    ['<meta name="color-scheme" content="light dark"><p>x</p>', true],
    ["<style>:root { color-scheme: light dark }</style><p>x</p>", true],
    ['<meta name="color-scheme" content="light only"><p>x</p>', false],
    ["<style>@media (prefers-color-scheme: dark) { p { color: red } }</style><p>x</p>", false],
  ])("whether %j declares a dark page: %s", (source, declared) => {
    expect(declaresDark(readPage(source))).toBe(declared);
  });
});

test.each(attacks)("dark mode makes nothing dangerous of %j", (attack) => {
  const tagsIn = (text: string) => text.match(/<[^\s>]+|(?<=[\s"])[\w-]+=(?=")/g);
  for (const dark of ["partial", "full"] as const) {
    const changed = shown(`<p>before</p>${attack}`, dark);
    expect(
      tagsIn(changed)?.filter((tag) => !tagsIn(shown(`<p>before</p>${attack}`, null))?.includes(tag)) ?? [],
    ).toEqual([]);
  }
});

test("a message is shown as sent on a dark screen, too", () => {
  const styles = (scheme: string) => `<style>@media (prefers-color-scheme:${scheme}){p{color:#123456}}</style><p>x</p>`;
  expect(shown(styles("dark"), "off")).toContain("(max-width:0)");
  expect(shown(styles("light"), "off")).toContain("(min-width:0)");
});
