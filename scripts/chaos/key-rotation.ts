// Kill -9 during `assay secret-key rotate`: each secret can be decrypted with the key that is there afterward, and each
// earlier key is kept once.

import { join } from "node:path";
import { anyOf, extraNames, placeRelease, readColumn, runKilled, runWhole, startAndStop } from "./killed-commands.ts";
import type { Scene } from "./scene.ts";

export const keyRotation: Scene = {
  name: "key-rotation",
  promise: "A change of the secret key that is killed leaves all secrets under one key, which is there.",
  play: async ({ folder, kills, say }) => {
    const place = { dataDir: join(folder, "data") };
    placeRelease(place.dataDir);
    const rotate = async () => JSON.parse(await runWhole(place, "secret-key", "rotate", "--json")) as Rotated;
    const { secrets } = await rotate();
    const keys = new Set([readKeyOf(place.dataDir)]);
    let [killed, changed] = [0, 0];
    while (killed < kills) {
      const moments = ["secret.key.next", "assay.db-wal", `secret.key.old-${keys.size + 1}`];
      const begun = join(place.dataDir, anyOf(moments));
      const isKilled = await runKilled(place, ["secret-key", "rotate"], { begun, withinMs: 30 });
      if (isKilled) killed += 1;
      const key = readKeyOf(place.dataDir);
      if (isKilled && !keys.has(key)) changed += 1;
      keys.add(key);
      // It refuses to start if the key isn't the database's.
      if (killed % 3 === 1) await startAndStop(place);
      if (killed % 10 === 0) say(`${killed} kills`);
    }
    // It decrypts each secret with the old key.
    const last = await rotate();
    keys.add(readKeyOf(place.dataDir));
    const { kept = [], left = [] } = Object.groupBy(extraNames(place.dataDir), (name) =>
      name.startsWith("secret.key.old-") ? "kept" : "left",
    );
    if (kept.length !== keys.size) throw new Error(`${keys.size} keys were replaced, and ${kept.length} are kept.`);
    return {
      kills: killed,
      lost: secrets - last.secrets,
      leftovers: left.length,
      note: `${changed} kills came after the change was written. Of ${secrets} secrets, ${last.secrets} were readable after all of them. ${left.length > 0 ? `Left: ${left.join(", ")}.` : ""}`,
    };
  },
};

type Rotated = { readonly secrets: number };

/** The fingerprint of the key that the secrets are encrypted with. */
function readKeyOf(dataDir: string): unknown {
  const sql = "select value from meta where key = 'secret_key_fingerprint'";
  return readColumn(join(dataDir, "assay.db"), sql)[0];
}
