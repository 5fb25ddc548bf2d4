import type { Scope } from "../store/scope.ts";

/** Signs with each key of the domain that is published; where none is, the message stays as it is. */
export type SignOutgoing = (scope: Scope, domain: string, message: Uint8Array) => Promise<Uint8Array>;
