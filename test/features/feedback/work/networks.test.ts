import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadNetworks } from "../../../../src/features/feedback/work/networks.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-mmdb-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Value = string | number | { readonly [key: string]: Value };

/** A value in MaxMind's format, version 2. */
function encode(value: Value): Buffer {
  const head = (type: number, size: number) =>
    size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29]);
  if (typeof value === "string") return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === "number") {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(6, 4), bytes]);
  }
  const entries = Object.entries(value);
  return Buffer.concat([head(7, entries.length), ...entries.flatMap(([key, each]) => [encode(key), encode(each)])]);
}

/** IPv6, with one record for all addresses below `prefix`, given as bits. */
function write(name: string, record: Value, prefix = ""): string {
  const nodes = prefix.length || 1;
  const found = nodes + 16;
  const tree = Buffer.alloc(nodes * 6);
  for (let at = 0; at < nodes; at++) {
    const isLast = at === nodes - 1;
    const next = isLast ? found : at + 1;
    const sides = prefix === "" ? [found, found] : prefix[at] === "0" ? [next, nodes] : [nodes, next];
    for (const [side, target] of sides.entries()) tree.writeUIntBE(target ?? nodes, at * 6 + side * 3, 3);
  }
  const metadata = encode({
    node_count: nodes,
    record_size: 24,
    ip_version: 6,
    database_type: "Test",
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
  });
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from("MaxMind.com")]);
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat([tree, Buffer.alloc(16), encode(record), marker, metadata]));
  return path;
}

test("without a database, nothing is known of a network", async () => {
  expect((await loadNetworks({ mmdb: [] }))("203.0.113.9")).toEqual({ network: null, country: null });
});

test("names the network and the country, from databases of several makers", async () => {
  const asn = write("asn.mmdb", {
    autonomous_system_number: 64500,
    autonomous_system_organization: "Example \u202eNet",
  });
  const country = write("country.mmdb", { country: { iso_code: "DE" } });
  const lite = write("lite.mmdb", { as_name: "Lite Net", country_code: "FR", country: "France" });
  const both = await loadNetworks({ mmdb: [asn, country] });
  expect(both("203.0.113.9")).toMatchObject({ country: "DE" });
  expect(both("203.0.113.9").network).toMatch(/^Example .*Net$/);
  expect(both("203.0.113.9").network).not.toContain("\u202e");
  expect(both("2001:db8::1")).toMatchObject({ country: "DE" });
  const one = await loadNetworks({ mmdb: [lite] });
  expect(one("203.0.113.9")).toEqual({ network: "Lite Net", country: "FR" });
});

test("knows nothing of what isn't an address or has damaged records", async () => {
  const find = await loadNetworks({ mmdb: [write("odd.mmdb", { as_name: 5, country: { iso_code: "<b>" } })] });
  expect(find("203.0.113.9")).toEqual({ network: null, country: null });
  expect(find("nonsense")).toEqual({ network: null, country: null });
});

test.each([
  ["missing.mmdb", null],
  ["text.mmdb", "no database"],
  ["empty.mmdb", ""],
])("refuses %s with its path", async (name, content) => {
  const path = join(folder, name);
  if (content !== null) writeFileSync(path, content);
  await expect(loadNetworks({ mmdb: [path] })).rejects.toThrow(`ASSAY_MMDB: ${path} can’t be used`);
});
