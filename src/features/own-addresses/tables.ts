// The tables of own addresses: rows of Schema.

import type { AskedWith, DnsblClass, DomainListing } from "../../analyzer/checks/infrastructure-facts.ts";
import type { Origin } from "./rules/lists.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    own_addresses: OwnAddressesTable;
    address_listings: AddressListingsTable;
  }
}

/** An address or a domain that a workspace sends from. */
export type OwnAddressesTable = {
  id: string;
  workspace_id: string;
  /** An address in its shortest form, or a domain in A-labels and lower case. */
  value: string;
  kind: AskedWith;
  origin: Origin;
  created_at: number;
  /** When it was last found at its origin. */
  seen_at: number;
  /** Removed by a person. The row stays, so that it isn't learned again. */
  ignored: number;
  due_at: number;
  checked_at: number | null;
};

/** A listing on one list, from when it was first seen. */
export type AddressListingsTable = {
  id: string;
  workspace_id: string;
  address_id: string;
  zone: string;
  since: number;
  /** When the list last said so. */
  seen_at: number;
  /** Null: it lasts. */
  until: number | null;
  /** Lookups in a row that no longer found it. */
  misses: number;
  class: DnsblClass | DomainListing["class"];
  code: string;
  meaning: string;
  /** The list's own text. */
  says: string | null;
};
