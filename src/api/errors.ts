import { z } from "zod";
import { refusalCodes } from "../errors.ts";

/** The one form of every error (decisions §2). The code is the contract; the message may change. */
export const errorBody = z
  .strictObject({
    error: z.enum(refusalCodes),
    message: z.string(),
    field: z.string().optional().describe("The field of the request at fault."),
    requestId: z.string().optional().describe("With `internal`: the server's log line bears the same."),
  })
  .meta({ id: "Error" });

export type ErrorBody = z.infer<typeof errorBody>;
