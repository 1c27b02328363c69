import assert from "node:assert/strict";
import { Navigation, type Jumps } from "../../../src/webview/state/navigation";
import { PanelStore } from "../../../src/webview/state/store";

describe("a jump that is asked for before the transcript can scroll", () => {
  function jumping() {
    const seen: string[] = [];
    const jumps: Jumps = {
      show: ({ messageId }) => Promise.resolve(void seen.push(messageId)),
      step: (step) => Promise.resolve(void seen.push(step)),
      followElement: () => undefined,
      currentId: () => undefined,
      savePosition: () => () => undefined,
    };
    return { seen, jumps, navigation: new Navigation(new PanelStore()) };
  }

  it("to a message is made once the transcript can, and once only", () => {
    const { seen, jumps, navigation } = jumping();
    navigation.show({ messageId: "q1" });
    navigation.show({ messageId: "q2" });
    navigation.setJumps(jumps);
    navigation.setJumps(undefined);
    navigation.setJumps(jumps);
    assert.deepEqual(seen, ["q2"]);
  });
});
