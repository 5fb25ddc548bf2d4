import { expect, it } from "vitest";
import { toDnsServers, toServerText } from "../../../src/platform/system/dns-servers.ts";

it("the system's DNS servers are parsed in every form, and shown with their port", () => {
  const listed = ["192.0.2.1", "192.0.2.1:5353", "2001:db8::1", "[2001:db8::1]:5353", "not a server"];
  expect(toDnsServers(listed).map(toServerText)).toEqual([
    "192.0.2.1:53",
    "192.0.2.1:5353",
    "[2001:db8::1]:53",
    "[2001:db8::1]:5353",
  ]);
});
