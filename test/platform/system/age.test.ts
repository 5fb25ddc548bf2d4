import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decryptChunks, encryptChunks, readIdentities } from "../../../src/platform/system/age.ts";
import { readChunks, writeChunks } from "../../../src/platform/system/file-chunks.ts";
import { temporaryFolder } from "../database/temporary.ts";

const hasAge = spawnSync("age", ["--version"]).status === 0;
if (!hasAge) console.warn("SKIPPED: files of the age command (Debian: apt install age).");

test.runIf(hasAge)("the age command and Assay decrypt each other's files", async () => {
  const folder = temporaryFolder();
  const [plain, identityFile] = [join(folder, "plain"), join(folder, "identity.txt")];
  // Several chunks of the format, and a part of one.
  writeFileSync(plain, randomBytes(200_001));
  execFileSync("age-keygen", ["-o", identityFile], { stdio: "ignore" });
  const recipient = execFileSync("age-keygen", ["-y", identityFile], { encoding: "utf8" }).trim();
  const ours = join(folder, "ours.age");
  await writeChunks(ours, encryptChunks(readChunks(plain), { recipients: [recipient] }));
  const opened = execFileSync("age", ["-d", "-i", identityFile, ours]);
  expect(opened.equals(readFileSync(plain))).toBe(true);
  const theirs = join(folder, "theirs.age");
  execFileSync("age", ["-r", recipient, "-o", theirs, plain]);
  const unlock = { identities: readIdentities(readFileSync(identityFile, "utf8")), passphrase: null };
  const back = join(folder, "back");
  await writeChunks(back, decryptChunks(readChunks(theirs), unlock, "theirs.age"));
  expect(readFileSync(back).equals(readFileSync(plain))).toBe(true);
});
