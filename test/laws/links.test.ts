// No internal link may be dead: every path that a page, an alert, a response, or the terminal names has an
// endpoint. Reads source text, because links are created in many places.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { handbookPages } from "../../src/platform/contract/docs-pages.ts";
import { listPaths } from "../../src/platform/server.ts";
import { features, routes } from "../../src/server.ts";
import { movedPages } from "../../src/web/client/rooms.ts";

const source = join(import.meta.dirname, "../../src");
const rooms = ["web", "features", "platform/http", "platform/contract", "platform/cli", "analyzer/reports"];
const files = rooms.flatMap((room) =>
  readdirSync(join(source, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(source, room, name)),
);

/** Literals that begin with a slash and a letter; what is filled in is any one segment. */
const literal = /(["`])(\/[a-z][^"`\n]*)\1/g;
/** Of files and shares, and of chat services' own hosts. */
const elsewhere = /^\/favicon\.ico$|^\/(?:assets|preview|s|services|workflows)\/|^\/api\/webhooks\//;
/** The beginning of paths, which code compares with. */
const isBeginning = (path: string) => /[/\\]$/.test(path);

function linksOf(file: string): string[] {
  const text = readFileSync(file, "utf8").replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, "");
  return [...text.matchAll(literal)].map(([, , path = ""]) =>
    path
      .replace(/\$\{[^}]*\}/g, "x")
      .replace(/[?#].*$/, "")
      .replace(/:\w+/g, "x"),
  );
}

const templates = [
  ...routes.map(({ endpoint }) => endpoint.path),
  ...handbookPages.map(({ path }) => path),
  ...listPaths(features),
];
const known = templates.map((path) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}/?$`));

const isKnown = (path: string) => known.some((pattern) => pattern.test(path));

const links = [...new Set(files.flatMap(linksOf))].filter((path) => !elsewhere.test(path) && !isBeginning(path));

test("the law finds enough links", () => {
  expect(links.length).toBeGreaterThan(60);
});

test("every linked path has an endpoint", () => {
  expect(links.filter((path) => !isKnown(path))).toEqual([]);
});

test("every page of the web app is served, and every path of a feature has a page", () => {
  const shown = ["pages.tsx", "app.tsx"].map((name) => readFileSync(join(source, "web", name), "utf8")).join();
  const pages = [...shown.matchAll(/\btoEntry\("([^"]+)"|\bplace\.path === "([^"]+)"/g)];
  const moved = Object.keys(movedPages).filter((path) => !path.startsWith("/settings/"));
  const all = [...pages.map(([, page, early]) => page ?? early ?? ""), ...moved];
  expect(all.toSorted()).toEqual([...listPaths(features)].toSorted());
});

test("every linked page of the settings exists, and nothing links to an address of an earlier version", () => {
  const page = readFileSync(join(source, "web/settings/page.tsx"), "utf8");
  const shown = [...page.matchAll(/\bpath: "(\/[\w/-]+)"/g)].map(([, path]) => path);
  const outside = files.filter((file) => !/rooms\.ts$|index\.ts$/.test(file)).flatMap(linksOf);
  const linked = outside.filter((path) => path.startsWith("/settings/") && path !== "/settings/x");
  expect(linked.length).toBeGreaterThan(0);
  expect(linked.filter((path) => !shown.includes(path))).toEqual([]);
  expect(outside.filter((path) => path !== "/settings" && path in movedPages)).toEqual([]);
});
