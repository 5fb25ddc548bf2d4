import { expect, test } from "vitest";
import { isReserved } from "../../../src/platform/contract/emails.ts";

test("operator names and our own return paths are reserved, and others are not", () => {
  for (const name of ["postmaster", "abuse", "hostmaster", "security", "noreply", "mailer-daemon", "bounce"])
    expect(isReserved(name)).toBe(true);
  for (const name of ["w7k3qz2m9p", "bouncer", "bounces", "admins", ""]) expect(isReserved(name)).toBe(false);
});
