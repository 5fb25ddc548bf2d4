import { z } from "zod";
import { refusalCodes } from "../errors.ts";

/** The one form of every error (decisions §2). The code is the contract; the message may change. */
export const errorBody = z
  .strictObject({
    error: z.enum(refusalCodes),
    message: z.string(),
    /** The field of the request at fault. */
    field: z.string().optional(),
    /** With `internal`: the log line bears the same. */
    requestId: z.string().optional(),
  })
  .meta({ id: "Error" });

export type ErrorBody = z.infer<typeof errorBody>;
