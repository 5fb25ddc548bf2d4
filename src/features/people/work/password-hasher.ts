// Hashes passwords off the main thread, two at once. Each takes 19 MiB and about 40 ms of a processor, and the thread pool
// also reads files. If the line is full, further requests are rejected at once and do not wait for long.

import { argon2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { createLimiter } from "../../../analyzer/facts/limiter.ts";
import { overloaded } from "../../../platform/errors.ts";
import type { System } from "../../../platform/system/system.ts";
import {
  digestBytes,
  type HashCost,
  hashCost,
  isSameCost,
  type PasswordHash,
  parsePhcString,
  saltBytes,
  toPasswordForm,
  toPhcString,
} from "../rules/passwords.ts";

export type PasswordHasher = {
  /** A PHC string. */
  readonly hash: (password: string) => Promise<string>;
  /** `kept`: a PHC string. Any other text matches no password, and takes as long to reject. */
  readonly verify: (password: string, kept: string) => Promise<Verification>;
};

type Verification = {
  readonly fits: boolean;
  /** It was hashed at another cost than today's and should be hashed again. */
  readonly isOutdated: boolean;
};

const atOnce = 2;
/** The ones at work, and the ones in line. */
const mostTogether = 20;
const patienceMs = 10_000;
const derive = promisify(argon2);

export function createPasswordHasher(random: System["random"], cost: HashCost = hashCost): PasswordHasher {
  const inLine = createLine();
  return {
    hash: async (password) => {
      const salt = Buffer.from(random(saltBytes));
      return toPhcString({ cost, salt, digest: await inLine(() => digestOf(password, { cost, salt })) });
    },
    verify: async (password, kept) => {
      const known = parsePhcString(kept);
      const wanted = known ?? { cost, salt: Buffer.alloc(saltBytes), digest: Buffer.alloc(digestBytes) };
      const digest = await inLine(() => digestOf(password, wanted));
      const fits = digest.length === wanted.digest.length && timingSafeEqual(digest, wanted.digest);
      return { fits: fits && known !== undefined, isOutdated: !isSameCost(wanted.cost, cost) };
    },
  };
}

function digestOf(password: string, { cost, salt }: Pick<PasswordHash, "cost" | "salt">): Promise<Buffer> {
  return derive("argon2id", {
    message: toPasswordForm(password),
    nonce: salt,
    parallelism: cost.lanes,
    memory: cost.memoryKib,
    passes: cost.passes,
    tagLength: digestBytes,
  });
}

function createLine(): <T>(work: () => Promise<T>) => Promise<T> {
  const gate = createLimiter(atOnce);
  let together = 0;
  return async (work) => {
    if (together >= mostTogether) throw tooMany();
    together++;
    try {
      if (!(await gate.enter(patienceMs))) throw tooMany();
      return await work().finally(gate.leave);
    } finally {
      together--;
    }
  };
}

function tooMany(): Error {
  return overloaded("Too many passwords are being checked at once");
}
