// Entry point of the thread for long reads.

import { answerReads } from "../../../platform/database/reading-thread.ts";
import { findCountedTests } from "./lists.ts";

answerReads({ findCountedTests });
