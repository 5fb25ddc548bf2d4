import { describe, expect, test } from "vitest";
import { createClientReader, type Peer } from "../../../src/platform/http/client-address.ts";

function client(trusted: string[], peer: Partial<Peer>) {
  return createClientReader(trusted)({
    address: "10.0.0.1",
    encrypted: false,
    forwardedFor: undefined,
    forwardedProto: undefined,
    forwardedHost: undefined,
    isForwarded: false,
    host: "assay.example",
    agent: undefined,
    ...peer,
  });
}

describe("the client's IP", () => {
  test.each<[string, string[], string | undefined, string]>([
    ["is the peer's without a trusted proxy", [], "203.0.113.9", "10.0.0.1"],
    ["is the one that a trusted proxy names", ["10.0.0.0/8"], "203.0.113.9", "203.0.113.9"],
    ["is the last untrusted one, not what that client claims", ["10.0.0.0/8"], "127.0.0.1, 203.0.113.9", "203.0.113.9"],
    ["is found behind several trusted proxies", ["10.0.0.0/8"], "203.0.113.9, 10.0.0.7", "203.0.113.9"],
    ["is the first one if all are trusted", ["10.0.0.0/8"], "10.0.0.9, 10.0.0.7", "10.0.0.9"],
    ["stops at an entry that is not an IP", ["10.0.0.0/8"], "203.0.113.9, unknown, 10.0.0.7", "10.0.0.7"],
    ["has no port even if a proxy adds one", ["10.0.0.0/8"], "203.0.113.9:4711", "203.0.113.9"],
    ["may be IPv6 in brackets", ["10.0.0.0/8"], "[2001:db8::1]:4711", "2001:db8::1"],
    ["is the proxy's if it names none", ["10.0.0.0/8"], undefined, "10.0.0.1"],
  ])("the client's IP %s", (_sentence, trusted, forwardedFor, address) => {
    expect(client(trusted, { forwardedFor }).address).toBe(address);
  });

  test("the client's IP is IPv4 even if it arrives as IPv4-mapped IPv6", () => {
    expect(client([], { address: "::ffff:10.0.0.1" }).address).toBe("10.0.0.1");
    expect(client(["10.0.0.0/8"], { address: "::ffff:10.0.0.1", forwardedFor: "203.0.113.9" }).address).toBe(
      "203.0.113.9",
    );
  });
});

describe("whether the client uses HTTPS", () => {
  test("whether the client uses HTTPS depends on the connection or a trusted proxy", () => {
    expect(client([], { encrypted: true }).secure).toBe(true);
    expect(client([], { forwardedProto: "https" }).secure).toBe(false);
    expect(client(["10.0.0.1/32"], { forwardedProto: "https" }).secure).toBe(true);
    expect(client(["10.0.0.1/32"], { forwardedProto: "https, http" }).secure).toBe(false);
  });
});

describe("the host name of a request", () => {
  test("the host name of a request comes from its Host header or a trusted proxy", () => {
    const forwardedHost = "elsewhere.example, public.example";
    expect(client([], { forwardedHost }).host).toBe("assay.example");
    expect(client(["10.0.0.1/32"], { forwardedHost }).host).toBe("public.example");
    expect(client(["10.0.0.1/32"], {}).host).toBe("assay.example");
  });
});
