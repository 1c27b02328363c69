import assert from "node:assert/strict";
import { dispatch, type Handlers } from "../../../src/protocol/handlers";

type Message = { type: "named"; name: string } | { type: "counted"; count: number };
type Map = Handlers<Message, Message["type"], string>;

const named: Handlers<Message, "named", string> = { named: ({ name }) => name };
const counted: Handlers<Message, "counted", string> = { counted: ({ count }) => `${count}` };

describe("dispatch", () => {
  it("calls the handler of the message's type", () => {
    const map: Map = { ...named, ...counted };
    assert.equal(dispatch<Message, string>(map, { type: "named", name: "a" }), "a");
    assert.equal(dispatch<Message, string>(map, { type: "counted", count: 2 }), "2");
  });

  it("does not compile with a type that no record handles", () => {
    // @ts-expect-error -- "counted" is missing
    const incomplete: Map = { ...named };
    assert.deepEqual(Object.keys(incomplete), ["named"]);
  });
});
