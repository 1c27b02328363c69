/**
 * The reply to a plain question: says that no model is here, quotes the question, and shows
 * what a reply can hold. In Chinese when the question holds Chinese characters.
 */

const MAX_QUOTED_CHARACTERS = 600;

/** Markdown of about 1.5 kB, the same for the same question. */
export function sampleReply(question: string): string {
  return (isChinese(question) ? CHINESE : ENGLISH).replace("QUESTION", () => quote(question));
}

export function isChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

/** The text as a Markdown quotation; its middle is left out when it is long. */
export function quote(text: string): string {
  const characters = Array.from(text);
  const shown =
    characters.length > MAX_QUOTED_CHARACTERS
      ? `${characters.slice(0, MAX_QUOTED_CHARACTERS).join("")} … (${characters.length} characters)`
      : text;
  return shown
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

const ENGLISH = `## Answer from the local reference service

There is **no model** here: this text is always the same. It shows that your question arrived, and what a reply can hold. You asked:

QUESTION

### What you can try

1. \`/faults\` shows what can go wrong, on request.
2. \`/long 100\` answers with 100 kB of text.
3. Attach a *screenshot* to see its size in pixels and its SHA-256.

- [x] the request follows the specification
- [ ] somebody has thought about the answer

| Part | Example |
| --- | --- |
| inline code | \`npm test\` |
| link | [example.com](https://example.com/) |
| mathematics | $e^{i\\pi} + 1 = 0$ |

\`\`\`ts
/** Greets a user by name. */
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
\`\`\`

The same in Python:

\`\`\`python
def greet(name: str) -> str:
    """Greets a user by name."""
    return f"Hello, {name}!"
\`\`\`

$$
\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}
$$

> A quotation can hold **bold**, *italic* and ~~struck~~ words, and other scripts: 你好, Grüße, नमस्ते, 🙂.

---

That is all. Ask something else, or press *Regenerate* to get the very same text again.
`;

const CHINESE = `## 本地参考服务的回答

这里**没有模型**：这段文字永远不变。它说明你的问题已经送达，并展示一条回答里可以有什么。你的问题是：

QUESTION

### 可以试试

1. \`/faults\` 列出可以按需重现的常见故障。
2. \`/long 100\` 返回 100 kB 的文字。
3. 附上一张*截图*，看看它的像素大小和 SHA-256。

- [x] 请求符合规范
- [ ] 有人认真想过答案

| 内容 | 例子 |
| --- | --- |
| 行内代码 | \`npm test\` |
| 链接 | [example.com](https://example.com/) |
| 数学 | $e^{i\\pi} + 1 = 0$ |

\`\`\`ts
/** 按名字问候。 */
export function greet(name: string): string {
  return \`你好，\${name}！\`;
}
\`\`\`

用 Python 写是这样：

\`\`\`python
def greet(name: str) -> str:
    """按名字问候。"""
    return f"你好，{name}！"
\`\`\`

$$
\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}
$$

> 引用里可以有**粗体**、*斜体*和~~删除线~~，也可以有别的文字：Grüße、नमस्ते、🙂。

---

就这些。换个问题再问，或者点“重新生成”，会得到完全相同的文字。
`;
