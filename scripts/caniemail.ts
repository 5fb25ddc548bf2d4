// Generates the table of what email clients support from caniemail's data in the npm package `caniemail`:
// npm pack caniemail && tar xzf caniemail-*.tgz
// npm run script -- scripts/caniemail.ts package/data/caniemail.json
// The package isn't a dependency, because it brings a formatter and a compiler, and only its data is needed.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { clientMix } from "../src/analyzer/checks/rendering/client-mix.ts";
import { judgedFeatures } from "../src/analyzer/checks/rendering/features.ts";

/** Version to verdict, with the numbers of its notes: `a #1`. */
const versions = z.record(z.string(), z.string());
const source = z.object({
  last_update_date: z.string(),
  data: z.array(z.object({ slug: z.string(), stats: z.record(z.string(), z.record(z.string(), versions)) })),
});

type Stats = z.infer<typeof source>["data"][number]["stats"];

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("Missing argument: scripts/caniemail.ts package/data/caniemail.json");
const { data, last_update_date: updated } = source.parse(JSON.parse(readFileSync(path, "utf8")));
const bySlug = new Map(data.map(({ slug, stats }) => [slug, stats]));

const verdicts = judgedFeatures.map((slug) => {
  const stats = bySlug.get(slug);
  if (!stats) throw new Error(`caniemail has no feature ${slug}.`);
  return [slug, clientMix.map(({ platforms }) => combine(platforms, stats)).join("")] as const;
});

const table = { asOf: updated.slice(0, 10), verdicts: Object.fromEntries(verdicts) };
const target = join(import.meta.dirname, "../src/analyzer/checks/rendering/client-support.json");
writeFileSync(target, `${JSON.stringify(table, null, 2)}\n`);

/** A family lacks a feature that at least half of its clients lack. */
function combine(platforms: readonly string[], stats: Stats): "y" | "n" | "a" | "u" {
  const verdicts = platforms.map((platform) => latest(platform, stats)).filter((verdict) => verdict !== "u");
  if (verdicts.length === 0) return "u";
  if (verdicts.every((verdict) => verdict === "y")) return "y";
  return verdicts.filter((verdict) => verdict === "n").length * 2 >= verdicts.length ? "n" : "a";
}

function latest(platform: string, stats: Stats): string {
  const [family = "", name = ""] = platform.split("/");
  const tested = Object.entries(stats[family]?.[name] ?? {});
  // Objects list whole numbers first, which puts version 12 before 12.1. Dates are already in order.
  const isDated = tested.some(([version]) => /^20\d\d/.test(version));
  const ordered = isDated ? tested : tested.sort(([one], [other]) => Number.parseFloat(one) - Number.parseFloat(other));
  return ordered.at(-1)?.[1].charAt(0) ?? "u";
}
