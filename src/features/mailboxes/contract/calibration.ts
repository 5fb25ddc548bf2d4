// How often predictions were right, measured by what seed mailboxes showed (src/decisions.md, "Seed mailboxes").

import { z } from "zod";
import { needed } from "../../../analyzer/placement/calibration.ts";
import { providers } from "../../../analyzer/placement/provider.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";

const share = z.number().min(0).max(1);

const calibration = z
  .strictObject({
    provider: z.enum(providers),
    needed: z.int().describe("Number of observations required for `hitRate`."),
    observations: z
      .int()
      .describe("Observations with a prediction, one per message and seed mailbox, as long as their tests are kept."),
    hitRate: z
      .strictObject({ value: share, low: share, high: share })
      .nullable()
      .describe(
        `Share of predictions with the right folder, with a 95% Wilson interval. If a message was predicted as rejected but was seen, the prediction counts as spam. \`null\` below ${needed} observations.`,
      ),
  })
  .meta({ id: "Calibration" });

export const readCalibration = defineEndpoint({
  method: "GET",
  path: "/api/calibration",
  token: "read",
  summary:
    "Returns how often the workspace's predictions were right, by provider, measured against its seed mailboxes.",
  answer: z.strictObject({ providers: z.array(calibration) }),
});
