import { systemClock } from "../../../src/base/clock";
import { TimeSlice } from "../../../src/base/timeSlice";

export const SLICE = new TimeSlice(systemClock, new AbortController().signal);

/** Counts the steps between which long work can pause. */
export class CountingSlice extends TimeSlice {
  count = 0;

  constructor() {
    super(systemClock, new AbortController().signal);
  }

  override pause(): Promise<void> | undefined {
    this.count++;
    return super.pause();
  }
}
