// A proof of work in the protocol of ALTCHA: the visitor's browser computes for a second, and no one else is involved.

import { type Challenge, createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { z } from "zod";
import { parseJson } from "../../../analyzer/json.ts";

/** About 250 tries of a millisecond or two. Checking it costs one. */
const work = { algorithm: "PBKDF2/SHA-256", cost: 5_000, keyPrefix: "00" } as const;
const validMs = 600_000;
/** Solved ones are remembered until they are no longer valid. More have come only in a flood, which then costs less. */
const mostSolved = 20_000;

/** What the browser sends back. The library says whether it fits. */
const payload = z.object({
  challenge: z.object({ parameters: z.looseObject({ data: z.object({ until: z.number() }) }), signature: z.string() }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

export type Proofs = {
  readonly create: () => Promise<Challenge>;
  /** `text`: Base64 of JSON, as ALTCHA's widget sends it. True once for each challenge. */
  readonly accept: (text: string) => Promise<boolean>;
};

/** `secret`: the same in all processes. */
export function createProofs(secret: Uint8Array, now: () => number): Proofs {
  const hmacSignatureSecret = Buffer.from(secret).toString("hex");
  const solved = new Map<string, number>();
  return {
    create: () => createChallenge({ ...work, deriveKey, hmacSignatureSecret, data: { until: now() + validMs } }),
    accept: async (text) => {
      const read = payload.safeParse(parseJson(Buffer.from(text.slice(0, 4_000), "base64").toString("utf8")));
      if (!read.success) return false;
      const { signature, parameters } = read.data.challenge;
      if (parameters.data.until <= now() || solved.has(signature)) return false;
      // Taken now, because the same one may come twice at the same time.
      solved.set(signature, parameters.data.until);
      for (const [old, until] of solved) if (until <= now() || solved.size > mostSolved) solved.delete(old);
      const { challenge, solution } = read.data;
      const found = await verifySolution({
        challenge: challenge as unknown as Challenge,
        solution,
        deriveKey,
        hmacSignatureSecret,
      });
      // A made-up one must not use up a real one.
      if (!found.verified) solved.delete(signature);
      return found.verified;
    },
  };
}
