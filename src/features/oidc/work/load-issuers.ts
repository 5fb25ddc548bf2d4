import { readFile } from "node:fs/promises";
import { toVisibleCut } from "../../../analyzer/visible-text.ts";
import { Refusal } from "../../../platform/errors.ts";
import { type Issuer, parseIssuers } from "../rules.ts";

/** Reads the issuers in `ASSAY_OIDC`. Any error in the file stops the server from starting. */
export async function loadIssuers(file: string | null): Promise<readonly Issuer[]> {
  if (file === null) return [];
  const named = `ASSAY_OIDC file ${JSON.stringify(toVisibleCut(file, 200))}`;
  const reading = parseIssuers(await readText(file, named));
  if (!reading.ok) {
    const lines = reading.problems.map((problem) => `  ${toVisibleCut(problem, 300)}.`);
    throw refused(`${named} has errors:\n${lines.join("\n")}`);
  }
  return await Promise.all(reading.issuers.map((issuer) => withSecret(issuer, named)));
}

async function withSecret(issuer: Issuer, named: string): Promise<Issuer> {
  const { name, clientSecretFile: file } = issuer;
  if (file === null) return issuer;
  const where = `${named}: the "clientSecretFile" of issuer "${name}"`;
  const clientSecret = (await readText(file, where)).trim();
  if (clientSecret === "") throw refused(`${where} is empty.`);
  return { ...issuer, clientSecret };
}

async function readText(file: string, named: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refused(`${named} cannot be read: ${code === "ENOENT" ? "file not found" : (code ?? "unknown error")}.`);
  }
}

function refused(message: string): Refusal {
  return new Refusal("invalid_request", message, { needsOperator: true });
}
