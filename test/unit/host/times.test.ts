import assert from "node:assert/strict";
import { panelMessages } from "../../../src/host/messages/panelMessages";
import { withLanguage } from "../../support/fakes/fakeVscode";

/** Returns noon of a previous day, in local time. */
function noon(daysAgo: number): number {
  const day = new Date();
  day.setHours(12, 0, 0, 0);
  day.setDate(day.getDate() - daysAgo);
  return day.getTime();
}

describe("the time of a conversation in the list", () => {
  it("is under a heading of its day or period", () => {
    const days = [0, 1, 2, 6, 7, 29, 30, 400];
    assert.deepEqual(
      days.map((daysAgo) => panelMessages.period(noon(daysAgo))),
      [
        ...["Today", "Yesterday", "Last 7 days", "Last 7 days"],
        ...["Last 30 days", "Last 30 days", "Older", "Older"],
      ],
    );
    const chinese = withLanguage("zh-cn", () => days.map((day) => panelMessages.period(noon(day))));
    assert.deepEqual(chinese.slice(0, 3), ["今天", "昨天", "过去 7 天"]);
  });

  it("is a time for today, a weekday for the last days, and otherwise a date", () => {
    assert.match(panelMessages.when(noon(0)), /^12:00/);
    const weekday = new Intl.DateTimeFormat("en", { weekday: "short" }).format(noon(6));
    assert.match(panelMessages.when(noon(6)), new RegExp(`^${weekday} 12:00`));
    assert.match(panelMessages.when(noon(7)), /^[A-Z][a-z]{2} \d+$|^[A-Z][a-z]{2} \d+, \d{4}$/);
    assert.match(panelMessages.when(noon(500)), /\d{4}$/);
  });
});
