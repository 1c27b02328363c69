/**
 * A run of messages that the browser skips as one while it is out of sight: what it looks after in
 * every frame is then the number of groups, not of messages.
 */
import { Component } from "preact";
import type { MessageModel } from "../state/store";
import { Message } from "./message";
import { GROUP_CLASS } from "./viewportObserver";

/** Messages in one group; about two screens of them. */
export const GROUP_SIZE = 10;

/** Heights that are likely before a message was ever seen, in CSS pixels. */
const LIKELY_HEIGHT_PX = { user: 76, assistant: 260 } as const;

export type MessageGroupModels = readonly MessageModel[];

/** The messages in groups; those of `before` that are the same are the same objects. */
export function groupsOf(
  messages: readonly MessageModel[],
  before: readonly MessageGroupModels[],
): readonly MessageGroupModels[] {
  const groups: MessageGroupModels[] = [];
  for (let start = 0; start < messages.length; start += GROUP_SIZE) {
    const group = messages.slice(start, start + GROUP_SIZE);
    const known = before[groups.length];
    groups.push(known !== undefined && isSame(known, group) ? known : group);
  }
  return groups;
}

function isSame(one: MessageGroupModels, other: MessageGroupModels): boolean {
  return one.length === other.length && one.every((model, index) => model === other[index]);
}

interface MessageGroupProps {
  readonly models: MessageGroupModels;
}

/** A class, because a group that is the same is not looked through again. */
export class MessageGroup extends Component<MessageGroupProps> {
  override shouldComponentUpdate({ models }: MessageGroupProps): boolean {
    return models !== this.props.models;
  }

  override render({ models }: MessageGroupProps) {
    const heightPx = models.reduce((sum, { role }) => sum + LIKELY_HEIGHT_PX[role], 0);
    return (
      <div class={GROUP_CLASS} style={{ containIntrinsicHeight: `auto ${heightPx}px` }}>
        {models.map((model) => (
          <Message key={model.id} model={model} />
        ))}
      </div>
    );
  }
}
