import { Component } from "preact";
import type { MessageModel } from "../state/store";
import { Message } from "./message";
import { GROUP_CLASS } from "./viewportObserver";

/** Number of messages in a group, about two screens. */
export const GROUP_SIZE = 10;

/** Estimated heights of messages before their first layout, in CSS pixels. */
const LIKELY_HEIGHT_PX = { user: 76, assistant: 260 } as const;

export type MessageGroupModels = readonly MessageModel[];

/** Splits messages into groups; reuses the objects of unchanged groups in `before`. */
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

/**
 * Messages that the browser skips as a block while they are not visible, so that its work per frame
 * grows with the groups. `shouldComponentUpdate` skips unchanged groups.
 */
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
