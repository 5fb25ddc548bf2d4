import { describe, expect, test } from "vitest";
import { createDice } from "../../../../scripts/dice.ts";
import { type ProxyReading, parseProxyHeader } from "../../../../src/features/intake/smtp/proxy-header.ts";
import { crc32c, proxyV2, tlv, withChecksum } from "./proxy-headers.ts";

const client = { address: "192.0.2.1", port: 56_324 };
const client6 = { address: "2001:db8::9", port: 56_324 };

function read(bytes: Buffer | string): ProxyReading {
  return parseProxyHeader(Buffer.from(bytes as string, "latin1"));
}

/** Data after the header belongs to the client and changes nothing. */
function expectHeader(header: Buffer, version: 1 | 2, source: unknown): void {
  const expected = { state: "header", version, length: header.length, source };
  expect(parseProxyHeader(header)).toEqual(expected);
  expect(parseProxyHeader(Buffer.concat([header, Buffer.from("\r\nEHLO x\r\n")]))).toEqual(expected);
  for (let length = 0; length < header.length; length++)
    expect(parseProxyHeader(header.subarray(0, length))).toEqual({ state: "more" });
}

const uninteresting = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535";

describe("the PROXY header version 1", () => {
  // The specification has the first and the longest of each kind.
  test.each<[string, string, unknown]>([
    ["names an IPv4 client", "TCP4 192.0.2.1 198.51.100.7 56324 25", client],
    [
      "may have the maximum length",
      "TCP4 255.255.255.255 255.255.255.255 65535 65535",
      { address: "255.255.255.255", port: 65_535 },
    ],
    ["names an IPv6 client", "TCP6 2001:DB8:0:0::9 2001:db8::1 56324 25", client6],
    [
      "may have the maximum length for IPv6",
      `TCP6 ${uninteresting}`,
      { address: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", port: 65_535 },
    ],
    ["converts an IPv4-mapped address to IPv4", "TCP6 ::ffff:192.0.2.1 ::ffff:198.51.100.7 56324 25", client],
    ["accepts port 0", "TCP4 192.0.2.1 198.51.100.7 0 0", { address: "192.0.2.1", port: 0 }],
    ["may have an unknown source", "UNKNOWN", null],
    ["may have an unknown source with a long text", `UNKNOWN ${uninteresting}`, null],
    ["ignores the rest after UNKNOWN", "UNKNOWN whatever  \u0000 it says", null],
  ])("a PROXY header of version 1 %s", (_sentence, line, source) => {
    expectHeader(Buffer.from(`PROXY ${line}\r\n`), 1, source);
  });

  test.each<[string, string]>([
    ["another family", "PROXY UDP4 192.0.2.1 198.51.100.7 1 2\r\n"],
    ["a family in lowercase", "PROXY tcp4 192.0.2.1 198.51.100.7 1 2\r\n"],
    ["an address of the other family", "PROXY TCP4 2001:db8::9 2001:db8::1 1 2\r\n"],
    ["an IPv4 address for TCP6", "PROXY TCP6 192.0.2.1 198.51.100.7 1 2\r\n"],
    ["one address of the other family", "PROXY TCP4 192.0.2.1 2001:db8::1 1 2\r\n"],
    ["an invalid address", "PROXY TCP4 192.0.2.256 198.51.100.7 1 2\r\n"],
    ["an octal address", "PROXY TCP4 192.0.02.1 198.51.100.7 1 2\r\n"],
    ["a short address", "PROXY TCP4 192.1 198.51.100.7 1 2\r\n"],
    ["an address with a zone", "PROXY TCP6 fe80::1%eth0 fe80::2 1 2\r\n"],
    ["two spaces", "PROXY TCP4  192.0.2.1 198.51.100.7 1 2\r\n"],
    ["a space at its end", "PROXY TCP4 192.0.2.1 198.51.100.7 1 2 \r\n"],
    ["a missing word", "PROXY TCP4 192.0.2.1 198.51.100.7 1\r\n"],
    ["no words", "PROXY \r\n"],
    ["a tab", "PROXY TCP4\t192.0.2.1 198.51.100.7 1 2\r\n"],
    ["a port above 65535", "PROXY TCP4 192.0.2.1 198.51.100.7 65536 2\r\n"],
    ["a port with a leading zero", "PROXY TCP4 192.0.2.1 198.51.100.7 01 2\r\n"],
    ["a signed port", "PROXY TCP4 192.0.2.1 198.51.100.7 -1 2\r\n"],
    ["a port that is not a number", "PROXY TCP4 192.0.2.1 198.51.100.7 smtp 2\r\n"],
    ["no port", "PROXY TCP4 192.0.2.1 198.51.100.7  2\r\n"],
    ["only LF at the end", "PROXY TCP4 192.0.2.1 198.51.100.7 1 2\n"],
    ["an LF inside", "PROXY UNKNOWN \n \r\n"],
    ["108 bytes", `PROXY UNKNOWN ${"x".repeat(92)}\r\n`],
    ["lowercase letters", "proxy UNKNOWN\r\n"],
    ["a greeting instead", "EHLO client.example\r\n"],
  ])("the PROXY header version 1 is rejected with %s", (_what, line) => {
    expect(read(line).state).toBe("bad");
  });

  test("the PROXY header version 1 is rejected without a line ending within its maximum length", () => {
    expect(read(`PROXY UNKNOWN ${"x".repeat(92)}`)).toEqual({ state: "more" });
    expect(read(`PROXY UNKNOWN ${"x".repeat(93)}`).state).toBe("bad");
    expectHeader(Buffer.from(`PROXY UNKNOWN ${"x".repeat(91)}\r\n`), 1, null);
  });
});

describe("the PROXY header version 2", () => {
  const ipv4 = Buffer.from("c0000201c6336407dc040019", "hex");
  const ipv6 = Buffer.from(`20010db8${"00".repeat(11)}0920010db8${"00".repeat(11)}01dc040019`, "hex");
  const unix = Buffer.alloc(216, "/run/x");
  const authority = tlv(0x02, "mx.seed.example");
  const nested = tlv(0x20, Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), tlv(0x21, "TLSv1.3")]));

  test.each<[string, Buffer, unknown]>([
    ["names an IPv4 client", proxyV2(0x21, 0x11, ipv4), client],
    ["names an IPv6 client", proxyV2(0x21, 0x21, ipv6), client6],
    [
      "converts an IPv4-mapped address to IPv4",
      proxyV2(0x21, 0x21, Buffer.from(`${"00".repeat(10)}ffffc0000201${"00".repeat(10)}ffffc6336407dc040019`, "hex")),
      client,
    ],
    ["is for the proxy itself with LOCAL", proxyV2(0x20, 0x00, Buffer.alloc(0)), null],
    ["ignores the rest after LOCAL", proxyV2(0x20, 0xff, Buffer.from("whatever")), null],
    ["may have no address family", proxyV2(0x21, 0x00, Buffer.from("whatever")), null],
    ["may come from a Unix socket", proxyV2(0x21, 0x31, unix), null],
    ["may come from a Unix datagram socket", proxyV2(0x21, 0x32, Buffer.concat([unix, authority])), null],
    ["may have extensions", proxyV2(0x21, 0x11, Buffer.concat([ipv4, authority, nested, tlv(0x04, "")])), client],
    ["may have padding", proxyV2(0x21, 0x11, Buffer.concat([ipv4, tlv(0x04, Buffer.alloc(4_081))])), client],
    ["may have a checksum", withChecksum(0x21, 0x11, ipv4, authority), client],
    ["may have a checksum over IPv6", withChecksum(0x21, 0x21, ipv6, nested), client6],
  ])("a PROXY header of version 2 %s", (_sentence, header, source) => {
    expectHeader(header, 2, source);
  });

  const wrongSum = withChecksum(0x21, 0x11, ipv4, authority);
  wrongSum.writeUInt8(wrongSum.readUInt8(17) ^ 1, 17);
  test.each<[string, Buffer]>([
    ["another version", proxyV2(0x11, 0x11, ipv4)],
    ["another command", proxyV2(0x22, 0x11, ipv4)],
    ["another family", proxyV2(0x21, 0x41, ipv4)],
    ["datagrams", proxyV2(0x21, 0x12, ipv4)],
    ["no transport", proxyV2(0x21, 0x10, ipv4)],
    ["addresses that are cut off", proxyV2(0x21, 0x11, ipv4.subarray(0, 11))],
    ["IPv6 in the space of IPv4", proxyV2(0x21, 0x21, ipv4)],
    ["a Unix path that is cut off", proxyV2(0x21, 0x31, unix.subarray(1))],
    ["an extension longer than itself", proxyV2(0x21, 0x11, Buffer.concat([ipv4, authority.subarray(0, -1)]))],
    ["an extension without its length", proxyV2(0x21, 0x11, Buffer.concat([ipv4, Buffer.from([4, 0])]))],
    ["a wrong checksum", wrongSum],
    ["a checksum of another size", proxyV2(0x21, 0x11, Buffer.concat([ipv4, tlv(0x03, "abc")]))],
    ["more than 4096 bytes", proxyV2(0x21, 0x11, Buffer.alloc(4_097))],
  ])("the PROXY header version 2 is rejected with %s", (_what, header) => {
    expect(parseProxyHeader(header).state).toBe("bad");
  });

  test("the PROXY header version 2 is rejected for its length before all bytes have arrived", () => {
    const header = proxyV2(0x21, 0x11, Buffer.alloc(65_535));
    expect(parseProxyHeader(header.subarray(0, 16)).state).toBe("bad");
    expect(parseProxyHeader(header.subarray(0, 15))).toEqual({ state: "more" });
  });

  test("the PROXY header version 2 has a checksum that equals the published examples", () => {
    // RFC 3720 appendix B.4.
    expect(crc32c(Buffer.alloc(32)).toString(16)).toBe("8a9136aa");
    expect(crc32c(Buffer.from("123456789")).toString(16)).toBe("e3069283");
  });
});

test("no bytes make the parser throw, wait too long, or report a client without an address", () => {
  const dice = createDice(3);
  const samples = [
    Buffer.from("PROXY TCP4 192.0.2.1 198.51.100.7 56324 25\r\n"),
    Buffer.from("PROXY TCP6 2001:db8::9 2001:db8::1 56324 25\r\n"),
    proxyV2(0x21, 0x11, Buffer.from("c0000201c6336407dc040019020003616263", "hex")),
    withChecksum(0x21, 0x11, Buffer.from("c0000201c6336407dc040019", "hex")),
  ];
  const seen = new Set<string>();
  for (let round = 0; round < 20_000; round++) {
    const bytes = Buffer.concat([samples[dice(samples.length)] ?? Buffer.alloc(0), Buffer.alloc(dice(3) * 3_000)]);
    for (let change = dice(5); change > 0; change--)
      bytes[dice(40)] = [0, 0x0d, 0x0a, 0x20, 0xff, dice(256)][dice(6)] ?? 0;
    const reading = parseProxyHeader(bytes.subarray(0, dice(10) === 0 ? dice(bytes.length) : bytes.length));
    seen.add(reading.state);
    if (reading.state === "more") expect(bytes.length).toBeLessThan(16 + 4_096 + 3_000);
    if (reading.state !== "header") continue;
    expect(reading.length).toBeLessThanOrEqual(bytes.length);
    expect(reading.source?.address ?? "::").toMatch(/^[0-9a-f:.]+$/);
  }
  expect([...seen].sort()).toEqual(["bad", "header", "more"]);
});
