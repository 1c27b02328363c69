/** Comments for left-out code. */
import assert from "node:assert/strict";
import { isLeftOut } from "../../../src/replyCode/placeholders";

describe("isLeftOut", () => {
  it("accepts Chinese comments without dots, and no other comment with their words", () => {
    const marks =
      "其余代码保持不变 其他方法不变 原有路由代码 现有的逻辑 此处省略其余字段 省略了部分代码 （其余不变）";
    for (const mark of marks.split(" ")) {
      for (const start of ["    // ", "# ", "-- "])
        assert.ok(isLeftOut(start + mark), start + mark);
      assert.ok(!isLeftOut(mark), mark);
    }
    const others =
      "其他设置 保证顺序不变 处理省略号 省略号 现有用户数 原有余额不足 其余的钱 校验现有代码";
    for (const text of others.split(" ")) assert.ok(!isLeftOut(`// ${text}`), text);
  });
});
