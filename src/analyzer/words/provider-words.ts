// What pages call the mailbox providers, and what the form for a seed mailbox offers.

import { providers, providerTable } from "../placement/provider.ts";

export const providerOptions = providers.map((value) => ({ value, label: providerTable[value].label }));

export const providerNames: Readonly<Record<string, string>> = Object.fromEntries(
  providerOptions.map(({ value, label }) => [value, label]),
);

export const passwordMailboxes = providers.flatMap((provider) => [...providerTable[provider].mailboxes]);

export function publishesVolume(provider: string): boolean {
  return providers.some((one) => one === provider && providerTable[one].publishesVolume);
}
