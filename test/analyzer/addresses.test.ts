import { describe, expect, it } from "vitest";
import {
  isInNetworks,
  isPublicAddress,
  parseNetworks,
  specialNetworks,
  toClientNetwork,
  toPlainAddress,
  toReverseName,
  whyNotPublic,
} from "../../src/analyzer/addresses.ts";

/** For each row an address inside, and the nearest one outside with what that is (null: public). */
const samples: Record<string, [inside: string, outside: string, outsideIs: string | null]> = {
  "0.0.0.0/8": ["0.0.0.0", "1.0.0.0", null],
  "10.0.0.0/8": ["10.255.255.255", "11.0.0.0", null],
  "100.64.0.0/10": ["100.100.100.200", "100.128.0.0", null],
  "127.0.0.0/8": ["127.0.0.1", "128.0.0.0", null],
  "168.63.129.16/32": ["168.63.129.16", "168.63.129.17", null],
  "169.254.0.0/16": ["169.254.169.254", "169.253.255.255", null],
  "172.16.0.0/12": ["172.31.255.255", "172.32.0.0", null],
  "192.0.0.0/24": ["192.0.0.192", "192.0.1.0", null],
  "192.0.2.0/24": ["192.0.2.1", "192.0.3.0", null],
  "192.88.99.0/24": ["192.88.99.1", "192.88.100.0", null],
  "192.168.0.0/16": ["192.168.1.1", "192.169.0.0", null],
  "198.18.0.0/15": ["198.19.255.255", "198.20.0.0", null],
  "198.51.100.0/24": ["198.51.100.7", "198.51.101.0", null],
  "203.0.113.0/24": ["203.0.113.7", "203.0.114.0", null],
  "224.0.0.0/4": ["239.255.255.255", "223.255.255.255", null],
  "255.255.255.255/32": ["255.255.255.255", "255.255.255.254", "reserved"],
  "240.0.0.0/4": ["240.0.0.1", "223.255.255.255", null],
  "::/128": ["::", "::2", "IPv4-compatible"],
  "::1/128": ["::1", "::2", "IPv4-compatible"],
  "::/96": ["::8.8.8.8", "::1:0:0", "reserved"],
  "::ffff:0:0:0/96": ["::ffff:0:8.8.8.8", "::fffe:0:8.8.8.8", "reserved"],
  "64:ff9b:1::/48": ["64:ff9b:1::8.8.8.8", "64:ff9b:2::8.8.8.8", "reserved"],
  "100::/64": ["100::1", "100:0:0:1::1", "reserved"],
  "2001::/32": ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:1::1", "protocol assignment"],
  "2001:2::/48": ["2001:2::1", "2001:2:1::1", "protocol assignment"],
  "2001:db8::/32": ["2001:db8::1", "2001:db9::1", null],
  "2001::/23": ["2001:1ff::1", "2001:200::1", null],
  "2002::/16": ["2002:808:808::1", "2003::1", null],
  "3fff::/20": ["3fff:fff::1", "3fff:1000::1", null],
  "fc00::/7": ["fd00:ec2::254", "fe00::1", "reserved"],
  "fe80::/10": ["fe80::1", "fe00::1", "reserved"],
  "fec0::/10": ["fec0::1", "fe00::1", "reserved"],
  "ff00::/8": ["ff02::1", "fe00::1", "reserved"],
};

describe("isPublicAddress", () => {
  it.each(specialNetworks.map((row) => [row.network, row.what]))(
    "isPublicAddress separates addresses inside %s (%s) from those outside",
    (network, what) => {
      const [inside, outside, outsideIs] = samples[network] ?? ["no sample", "no sample", null];
      expect(whyNotPublic(inside)).toBe(what);
      expect(whyNotPublic(outside)).toBe(outsideIs);
      expect(isInNetworks(inside, parseNetworks([network]))).toBe(true);
      expect(isInNetworks(outside, parseNetworks([network]))).toBe(false);
    },
  );

  it.each(["8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2a00::5efe:808:808"])(
    "isPublicAddress accepts %s as public",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:7f00:1", "loopback"],
    ["64:ff9b::10.0.0.1", "private"],
    ["64:ff9b::a9fe:a9fe", "link-local or cloud metadata"],
    ["2606:4700::5efe:10.0.0.1", "private"],
    ["2606:4700::200:5efe:127.0.0.1", "loopback"],
  ])("isPublicAddress judges %s by its embedded IPv4 address", (address, what) => {
    expect(whyNotPublic(address)).toBe(what);
  });

  it.each([
    "",
    "example.com",
    "127.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "2130706433",
    "1.2.3.4.5",
    "1.2.3",
    ":::",
    "::ffff:0177.0.0.1",
    "[::1]",
    "8.8.8.8 ",
  ])("isPublicAddress rejects %j, which is not an IP address", (text) => expect(isPublicAddress(text)).toBe(false));

  it("isPublicAddress rejects a link-local address with a zone index", () => {
    expect(whyNotPublic("fe80::1%eth0")).toBe("link-local");
  });
});

describe("isInNetworks", () => {
  const networks = parseNetworks(["10.0.0.0/8", "fd00::/8", "192.0.2.7", "::ffff:172.16.0.0/108"]);

  it.each(["10.1.2.3", "::ffff:10.1.2.3", "fd12::1", "192.0.2.7", "172.20.0.1"])(
    "isInNetworks finds %s in the list of networks",
    (address) => {
      expect(isInNetworks(address, networks)).toBe(true);
    },
  );

  it.each(["11.0.0.1", "fe80::1", "192.0.2.8", "172.32.0.1", "nonsense"])(
    "isInNetworks does not find %s in the list of networks",
    (address) => {
      expect(isInNetworks(address, networks)).toBe(false);
    },
  );
});

describe("toPlainAddress", () => {
  it("toPlainAddress writes each IP address in one canonical form", () => {
    expect(toPlainAddress("::ffff:192.0.2.1")).toBe("192.0.2.1");
    expect(toPlainAddress("2001:DB8:0:0:0:0:0:1")).toBe("2001:db8::1");
    expect(toPlainAddress("mail.example")).toBeUndefined();
  });
});

describe("toReverseName", () => {
  it("toReverseName reverses an IP address under the reverse DNS zone or a blocklist zone", () => {
    expect(toReverseName("192.0.2.1")).toBe("1.2.0.192.in-addr.arpa");
    expect(toReverseName("::ffff:192.0.2.1", "list.example")).toBe("1.2.0.192.list.example");
    expect(toReverseName("2001:db8::567:89ab")).toBe(
      "b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa",
    );
  });
});

describe("toClientNetwork", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8::/64"],
    ["fe80::1%eth0", "fe80::/64"],
    ["no address", "no address"],
  ])("toClientNetwork counts %s as %s", (address, network) => {
    expect(toClientNetwork(address)).toBe(network);
  });
});
