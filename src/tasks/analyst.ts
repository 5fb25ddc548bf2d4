// Who analyses: what it may ask of the world, and how it is called. Made from plain values, so that a thread can make
// its own: a question then costs no hop to the main thread.

import type { Config } from "../config.ts";
import { createDns, type DnsOptions } from "../system/dns-client.ts";
import { toDnsOptions } from "../system/real.ts";
import type { System } from "../system/system.ts";

export type Analyst = Pick<System, "dns" | "now"> & {
  /** Who received the message, as a Received-SPF line would say. */
  readonly receiver: string;
  readonly budgetMs: number;
};

export type AnalystOptions = Pick<Analyst, "receiver" | "budgetMs"> & {
  readonly dns: Omit<DnsOptions, "now">;
};

export function toAnalystOptions(config: Config, receiver: string): AnalystOptions {
  return { dns: toDnsOptions(config), receiver, budgetMs: config.analysisBudgetMs };
}

export function createAnalyst(options: AnalystOptions, now: () => number): Analyst {
  return { ...options, dns: createDns({ ...options.dns, now }), now };
}
