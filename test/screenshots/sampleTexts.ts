/** Sample texts of a user and of a model, in both languages. */
export interface SampleTexts {
  readonly question: string;
  readonly reply: string;
  readonly followUp: string;
  readonly tableReply: string;
  readonly pictureQuestion: string;
  readonly pictureReply: string;
  /** Reply with boxes around two places of the picture. */
  readonly pointingReply: string;
  readonly pictureFollowUp: string;
  readonly titles: readonly string[];
  /** Search term that occurs in each of the excerpts. */
  readonly searched: string;
  readonly excerpts: readonly string[];
}

const CODE = `\`\`\`ts
export async function withRetry<T>(run: () => Promise<T>, tries = 3): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === tries) throw error;
      await wait(2 ** attempt * 100);
    }
  }
}
\`\`\``;

export const SAMPLE_TEXTS: Readonly<Record<"en" | "zh-cn", SampleTexts>> = {
  en: {
    question: "Why does `withRetry` give up after the first failure?",
    reply: `The loop returns from \`catch\` on the **first** error, so \`tries\` has no effect. Throw only after the last attempt:

${CODE}

- \`2 ** attempt * 100\` waits 200, 400, then 800 ms.
- Retry only what can succeed later: not a wrong key (401).`,
    followUp: "Which errors should it retry?",
    tableReply: `Only those that a later attempt can pass:

| Status | Meaning | Retry | Wait |
| --- | --- | :---: | ---: |
| 401 | The key was rejected | no | |
| 429 | Too many requests | yes | \`Retry-After\` |
| 503 | The service is busy | yes | 200 to 800 ms |

With a base of $b = 100$ ms the total wait is $\\sum_{i=1}^{n} b \\cdot 2^i$.`,
    pictureQuestion: "Why is the total wrong?",
    pictureReply:
      "The VAT is computed **before** the discount. 10 % off €81.50 is €73.35; with 19 % VAT that is **€87.29**, not €88.84.",
    pointingReply: `The <ref>VAT</ref><box>[[640, 380, 956, 446]]</box> is computed **before** the <ref>discount</ref><box>[[640, 454, 956, 520]]</box>. 10 % off €81.50 is €73.35; with 19 % VAT that is **€87.29**, not €88.84.`,
    pictureFollowUp: "And in these?",
    titles: [
      "Release checklist",
      "Why does withRetry give up?",
      "What is the error at ①?",
      "Explain parser.ts",
      "Write a unit test for the cart",
      "Rename a column without downtime",
    ],
    searched: "retry",
    excerpts: [
      "Throw only after the last attempt: retry what can succeed later, not a wrong key.",
      "…after the token expired the parser does not retry, so the last event is lost.",
      "A migration that failed can be run again: each retry skips the rows that are done.",
    ],
  },
  "zh-cn": {
    question: "为什么 `withRetry` 第一次失败后就放弃了？",
    reply: `循环在**第一次**出错时就从 \`catch\` 返回，所以 \`tries\` 不起作用。应当在最后一次尝试之后再抛出：

${CODE}

- \`2 ** attempt * 100\` 依次等待 200、400、800 毫秒。
- 只重试以后可能成功的请求：密钥错误（401）不要重试。`,
    followUp: "哪些错误应该重试？",
    tableReply: `只重试以后可能成功的错误：

| 状态码 | 含义 | 重试 | 等待 |
| --- | --- | :---: | ---: |
| 401 | 密钥被拒绝 | 否 | |
| 429 | 请求过多 | 是 | \`Retry-After\` |
| 503 | 服务繁忙 | 是 | 200 至 800 毫秒 |

基数 $b = 100$ 毫秒时，总等待时间为 $\\sum_{i=1}^{n} b \\cdot 2^i$。`,
    pictureQuestion: "总价为什么不对？",
    pictureReply:
      "增值税是在折扣**之前**计算的。€81.50 打九折是 €73.35，加上 19% 的增值税是 **€87.29**，而不是 €88.84。",
    pointingReply: `<ref>增值税</ref><box>[[640, 380, 956, 446]]</box>是在<ref>折扣</ref><box>[[640, 454, 956, 520]]</box>**之前**计算的。€81.50 打九折是 €73.35，加上 19% 的增值税是 **€87.29**，而不是 €88.84。`,
    pictureFollowUp: "这几张呢？",
    titles: [
      "发布清单",
      "withRetry 为什么会放弃？",
      "①处的错误是什么？",
      "解释 parser.ts",
      "为购物车写单元测试",
      "不停机重命名数据列",
    ],
    searched: "重试",
    excerpts: [
      "应当在最后一次尝试之后再抛出：只重试以后可能成功的请求。",
      "…令牌过期后解析器不会重试，所以最后一个事件丢失了。",
      "失败的迁移可以再次运行：每次重试都会跳过已完成的行。",
    ],
  },
};
