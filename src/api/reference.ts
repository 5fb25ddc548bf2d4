import { z } from "zod";

export const reference = z.strictObject({
  title: z.string(),
  url: z.string().nullable().describe("Null where there is no public page of it."),
});
