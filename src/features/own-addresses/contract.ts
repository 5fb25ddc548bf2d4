// Own addresses, and when blocklists listed them.

import { z } from "zod";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { identifier, idParams, queryInteger, timestamp } from "../../platform/contract/primitives.ts";
import { classes, origins } from "./rules/lists.ts";

const addressListing = z
  .strictObject({
    zone: z.string().describe("`_key` stands for the subscriber's key."),
    list: z.string(),
    class: z.enum(classes).describe("How much it matters: `major` and `bad` most, `broad` least."),
    code: z.string().describe("What the list answered."),
    meaning: z.string(),
    says: z.string().nullable().describe("The list's own text, at most 300 characters."),
    since: timestamp,
    confirmedAt: timestamp.describe("When the list last said so."),
    until: timestamp
      .nullable()
      .describe(
        "`null`: it lasts. For a list that was turned off: when it was last confirmed. It goes on if the list is turned on again within a week.",
      ),
    means: z.string().describe("What it means at the big providers."),
    steps: z.string().describe("How to get off the list."),
    delistUrl: z.string().nullable(),
  })
  .meta({ id: "AddressListing" });
export type AddressListing = z.infer<typeof addressListing>;

const fields = {
  id: identifier("ownAddress"),
  value: z.string().describe("An IP address or a domain."),
  kind: z.enum(["ipv4", "ipv6", "domain"]),
  origin: z
    .enum(origins)
    .describe(
      "Where it is from. `domain`: a monitored domain. `spf`: its SPF record, without networks of more than 8 addresses, and with its own mail servers for `mx`. `tests`: its authenticated mail. `reports`: DMARC reports of Google and Microsoft from the last week, if SPF passed.",
    ),
  isWatched: z.boolean().describe("Whether any list that is on takes such an address."),
  checkedAt: timestamp.nullable().describe("`null`: not yet."),
};

const ownAddress = z
  .strictObject({ ...fields, listings: z.array(addressListing).describe("Those that last, the worst first.") })
  .meta({ id: "OwnAddress" });
export type OwnAddress = z.infer<typeof ownAddress>;

const watchedList = z
  .strictObject({
    zone: z.string(),
    list: z.string(),
    problem: z.string().nullable().describe("Why its answers don't count now. Then nothing is listed or off the list."),
    perHour: z
      .int()
      .describe(
        "After so many queries in an hour, no further lookup begins. A listing that begins or ends takes up to 5 more, for its text and another test of the list.",
      ),
    lastHour: z.int().describe("Queries in the last full hour, from all workspaces and with tests of the list."),
    everyHours: z.int().describe("How often each address is looked up."),
  })
  .meta({ id: "WatchedList" });

const ownAddressList = z.strictObject({
  says: z.string().describe("The state of all of them in one sentence."),
  items: z.array(ownAddress),
  total: z.int(),
  listed: z.int().describe("How many are on a list."),
  lists: z.array(watchedList).describe("The lists that are on."),
  free: z
    .array(z.string())
    .describe("Zones that are off, and whose terms allow this use without a key or registration."),
});

export const listOwnAddresses = defineEndpoint({
  method: "GET",
  path: "/api/own-addresses",
  token: "read",
  summary:
    "Lists the addresses and domains that the workspace sends from, with the blocklists that they are on, the worst first.",
  query: z.strictObject({
    limit: queryInteger(1, 100).default(50).describe("Maximum number of items."),
    offset: queryInteger(0).default(0).describe("Number of items to skip."),
  }),
  answer: ownAddressList,
});

export const readOwnAddress = defineEndpoint({
  method: "GET",
  path: "/api/own-addresses/:id",
  token: "read",
  summary: "Returns an address with its newest listings (up to 200).",
  params: idParams,
  answer: z.strictObject({ ...fields, history: z.array(addressListing) }).meta({ id: "OwnAddressHistory" }),
});

export const addOwnAddresses = defineEndpoint({
  method: "POST",
  path: "/api/own-addresses",
  token: "write",
  summary: "Adds addresses and domains that the workspace sends from. They are looked up hourly.",
  body: z
    .strictObject({ values: z.array(z.string().max(300)).min(1).max(1_000) })
    .meta({ examples: [{ values: ["203.0.113.9", "2001:db8::25", "shop.example"] }] }),
  answer: z.strictObject({ added: z.int().describe("Without those that were there.") }),
  errors: ["conflict"],
});

export const removeOwnAddress = defineEndpoint({
  method: "DELETE",
  path: "/api/own-addresses/:id",
  token: "write",
  summary: "Removes an address with its history. It isn't learned again.",
  params: idParams,
});
