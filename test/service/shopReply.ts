/**
 * Prepared replies to questions about the sample workspace (test/fixtures/sample-workspace), as a good
 * model would write them. The first reply of a conversation says that there is no model. Other
 * questions get the replies of promptReply.ts and sampleReply.ts.
 */
import type { CompletionRequest } from "./completionRequest";
import { isChinese } from "./sampleReply";

/** SHA-256 of pictures/checkout.png, which is sent unchanged. */
export const CHECKOUT = "9c93f8613c9eb7f4bf531ec525e4a59e1cb085b3271f75dfa4b91189a31b648d";

/** Mistakes in shop/cart.ts, each with its correction. */
const MISTAKES = [
  ["items.slice(0, -1)", "items"],
  ["> DISCOUNT_FROM", ">= DISCOUNT_FROM"],
] as const;

const FIXED = `/** What the customer pays, in cents. */
export function totalPrice(items: Item[]): number {
  let total = 0;
  for (const item of items) {
    let price = item.priceCents * item.quantity;
    if (item.quantity >= DISCOUNT_FROM) {
      price -= (price * DISCOUNT_PERCENT) / 100;
    }
    total += price;
  }
  return total;
}`;

const TESTS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { totalPrice } from "./cart.ts";

test("the last item is counted", () => {
  const items = [
    { name: "apple", priceCents: 40, quantity: 3 },
    { name: "bread", priceCents: 350, quantity: 1 },
    { name: "milk", priceCents: 119, quantity: 2 },
  ];
  assert.equal(totalPrice(items), 708);
});

test("the discount starts at ten pieces", () => {
  const apples = (quantity) => totalPrice([{ name: "apple", priceCents: 40, quantity }]);
  assert.equal(apples(9), 360);
  assert.equal(apples(10), 380);
});`;

/** Boxes in checkout.png, from 0 to 1000. */
const BOXES: readonly (InLanguage & { readonly box: number[]; readonly code?: object })[] = [
  {
    box: [104, 425, 896, 500],
    en: "Milk: not in the total",
    zh: "牛奶：未计入合计",
    code: { file: "shop/cart.ts", line: 15, code: "for (const item of items.slice(0, -1)) {" },
  },
  { box: [104, 525, 896, 590], en: "Total: 4.70 instead of 7.08", zh: "合计：应为 7.08" },
  { box: [111, 631, 889, 723], en: "Error 409", zh: "错误 409" },
];

/** Returns Markdown, or undefined for a question that is not about the sample. */
export function shopReply(request: CompletionRequest): string | undefined {
  const { question, pictures, previousReply } = request;
  if (/\bnothing else\b/.test(question)) return formReply(question);
  const language = isChinese(question) ? "zh" : "en";
  const isCheckout = pictures.length > 0 && pictures.at(-1)?.sha256 === CHECKOUT;
  const reply = isCheckout ? checkoutReply(question, language) : codeReply(question, language);
  if (reply === undefined) return undefined;
  return previousReply === "" ? `${reply}\n\n${NOTE[language]}\n` : `${reply}\n`;
}

type InLanguage = Readonly<Record<"en" | "zh", string>>;

const NOTE: InLanguage = {
  en: "*There is no model behind this answer. It was prepared for the sample project; with your own service, a model answers.*",
  zh: "*这个回答背后没有模型，它是为示例项目准备的；使用你自己的服务时，由模型回答。*",
};

/** Replies without room for a note: edits and commit messages. */
function formReply(question: string): string | undefined {
  if (/\bgit commit\b/.test(question)) {
    return /^-.*items\.slice\(0, -1\)/m.test(question)
      ? "Count every item and start the discount at ten pieces"
      : undefined;
  }
  const target = /^(?:Lines to rewrite):\n+(?:[^\n`]*\n)?(`{3,})[^\n]*\n([^]*?)\n\1$/m.exec(
    question,
  )?.[2];
  const isFix = /\b(?:fix|correct|bug|sum|total)\b|修|改|错/i.test(instructionOf(question));
  if (target === undefined || !isFix || fixed(target) === target) return undefined;
  return `\`\`\`typescript\n${fixed(target)}\n\`\`\``;
}

function instructionOf(question: string): string {
  return /(?:^|\. )Instruction:\n(.*)$/m.exec(question)?.[1] ?? "";
}

function fixed(code: string): string {
  return MISTAKES.reduce((text, [wrong, right]) => text.replace(wrong, right), code);
}

function checkoutReply(question: string, language: "en" | "zh"): string | undefined {
  if (!/\b(?:sum|total|wrong|error|problems?|fix)\b|总|合计|错|问题/i.test(question))
    return undefined;
  const entries = BOXES.map(({ box, code, [language]: label }) => ({
    bbox_2d: box,
    label,
    ...code,
  }));
  const boxes = entries.map((entry) => `  ${JSON.stringify(entry)}`).join(",\n");
  return `${CHECKOUT_TEXT[language]}\n\n\`\`\`ts shop/cart.ts\n${FIXED}\n\`\`\`\n\n\`\`\`json\n[\n${boxes}\n]\n\`\`\``;
}

const CHECKOUT_TEXT: InLanguage = {
  en: "The total leaves out the last line. The three lines add up to **7.08**, but the page says **4.70**: that is 1.20 + 3.50, without the milk for 2.38. The service compares both sums and refuses the order (409).\n\nThe cause is `items.slice(0, -1)` in `totalPrice`, which drops the last item. The discount also starts one piece too late. This corrects both:",
  zh: "合计漏掉了最后一行。三行加起来是 **7.08**，页面上却是 **4.70**，即 1.20 + 3.50，没有算 2.38 的牛奶。服务比较两个金额后拒绝了订单（409）。\n\n原因是 `totalPrice` 里的 `items.slice(0, -1)`，它丢掉了最后一项。折扣也晚了一件才开始。下面的代码修正了这两处：",
};

/** Returns the reply about the cart's code, which is in the question. */
function codeReply(question: string, language: "en" | "zh"): string | undefined {
  const code = /^(`{3,})[^\n]*\n([^]*?totalPrice\(items: Item\[\]\)[^]*?)\n\1$/m.exec(
    question,
  )?.[2];
  if (code === undefined) {
    return /^# Corner shop$/m.test(question) ? PROJECT_TEXT[language] : undefined;
  }
  const [asked = ""] = question.split(/^`{3,}/m, 1);
  if (/\btests?\b|测试/i.test(asked)) {
    return `${TESTS_TEXT[language]}\n\n\`\`\`js shop/cart.test.mjs\n${TESTS}\n\`\`\``;
  }
  if (/\b(?:fix|bugs?|wrong|sum|total is)\b|修复|错|漏洞/i.test(asked)) {
    if (fixed(code) === code) return RIGHT_TEXT[language];
    return `${FIX_TEXT[language]}\n\n\`\`\`ts shop/cart.ts\n${fixed(code)}\n\`\`\``;
  }
  return /\bexplain\b|解释|说明/i.test(asked) ? EXPLAIN_TEXT[language] : undefined;
}

const EXPLAIN_TEXT: InLanguage = {
  en: `\`totalPrice\` adds up what the customer pays, in cents:

1. It multiplies the price of each item by its quantity.
2. It takes \`DISCOUNT_PERCENT\` (5 %) off if there are more than \`DISCOUNT_FROM\` (10) pieces.
3. It returns the sum.

**Watch out for two mistakes.** \`items.slice(0, -1)\` leaves out the last item, so an order with one item is free. And \`>\` starts the discount at eleven pieces, although the comment says ten.

| Order | Returns | Right |
| --- | ---: | ---: |
| 3 apples, 1 bread | 120 | 470 |
| 10 apples | 0 | 380 |`,
  zh: `\`totalPrice\` 以分为单位计算顾客应付的金额：

1. 用每项的单价乘以数量。
2. 超过 \`DISCOUNT_FROM\`（10）件时减去 \`DISCOUNT_PERCENT\`（5 %）。
3. 返回合计。

**有两处错误。** \`items.slice(0, -1)\` 漏掉了最后一项，因此只有一项的订单是免费的。\`>\` 让折扣从第十一件才开始，而注释写的是十件。

| 订单 | 返回 | 正确 |
| --- | ---: | ---: |
| 3 个苹果、1 个面包 | 120 | 470 |
| 10 个苹果 | 0 | 380 |`,
};

const FIX_TEXT: InLanguage = {
  en: "Two mistakes: `items.slice(0, -1)` leaves out the last item, and `>` starts the discount at eleven pieces instead of ten.",
  zh: "有两处错误：`items.slice(0, -1)` 漏掉了最后一项；`>` 让折扣从第十一件而不是第十件开始。",
};

const RIGHT_TEXT: InLanguage = {
  en: "This code is right: every item is counted, and the discount starts at ten pieces.",
  zh: "这段代码是正确的：每一项都计入，折扣从十件开始。",
};

const TESTS_TEXT: InLanguage = {
  en: "Two tests in `node:test`, as the project has them. Both fail until `totalPrice` is fixed:",
  zh: "按项目的方式用 `node:test` 写的两个测试。在修复 `totalPrice` 之前，两个都会失败：",
};

const PROJECT_TEXT: InLanguage = {
  en: "A corner shop in three files: `shop/cart.ts` computes the total and the receipt, `shop/cart.test.mjs` tests it (two tests fail), and `scripts/top_sellers.py` counts sales from `sales.csv`. Start with `totalPrice`: the screenshot `pictures/checkout.png` shows what goes wrong there.",
  zh: "一个小商店，三个文件：`shop/cart.ts` 计算合计和收据，`shop/cart.test.mjs` 是它的测试（有两个失败），`scripts/top_sellers.py` 根据 `sales.csv` 统计销量。可以从 `totalPrice` 开始：截图 `pictures/checkout.png` 显示了它的问题。",
};
