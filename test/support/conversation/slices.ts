import { systemClock } from "../../../src/base/clock";
import { TimeSlice } from "../../../src/base/timeSlice";

export const SLICE = new TimeSlice(systemClock, new AbortController().signal);
