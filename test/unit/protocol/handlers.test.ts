import assert from "node:assert/strict";
import { dispatch, joinHandlers, type Handlers } from "../../../src/protocol/handlers";

type Message = { type: "named"; name: string } | { type: "counted"; count: number };
type Map = Handlers<Message, Message["type"], string>;

const named: Handlers<Message, "named", string> = { named: ({ name }) => name };
const counted: Handlers<Message, "counted", string> = { counted: ({ count }) => `${count}` };

describe("joinHandlers", () => {
  it("joins records to a map that handles each type", () => {
    const map: Map = joinHandlers(named, counted);
    assert.equal(dispatch<Message, string>(map, { type: "named", name: "a" }), "a");
    assert.equal(dispatch<Message, string>(map, { type: "counted", count: 2 }), "2");
  });

  it("does not compile with a type that no record or two records handle", () => {
    // @ts-expect-error -- "counted" is missing
    const incomplete: Map = joinHandlers(named);
    // @ts-expect-error -- "named" is handled twice
    const doubled = joinHandlers(named, counted, { named: () => "" });
    assert.notEqual(incomplete, doubled);
  });
});
