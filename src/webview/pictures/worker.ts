/** Web worker that decodes and encodes pictures. Answers each task once, with the task's id. */
import { drawDifference } from "./difference";
import {
  checkDecodable,
  drawScaled,
  drawSmall,
  drawTiles,
  drawWhole,
  type DrawnPicture,
} from "./drawing";
import type { FromPictureWorker, ToPictureWorker } from "./workerProtocol";

/** Used members of a worker's global scope; the project's DOM types describe a window. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToPictureWorker>) => void) | null;
  postMessage(message: FromPictureWorker, transfer: Transferable[]): void;
}

async function draw(asked: ToPictureWorker): Promise<DrawnPicture[]> {
  switch (asked.task) {
    case "draw":
      return whole(await drawWhole(asked.source, asked.mediaType, asked.maxBytes));
    case "tiles":
      return drawTiles(asked.source, asked.mediaType, asked.limits, asked.marks);
    case "scaled":
      return whole(await drawScaled(asked.source, asked.mediaType, asked.limits, asked.marks));
    case "check":
      await checkDecodable(asked.source);
      return [];
    case "small":
      return whole(await drawSmall(asked.source, asked.maxSidePx));
    case "difference": {
      const { source, other, size } = asked;
      return [{ ...(await drawDifference(source, other, size)), x: 0, y: 0 }];
    }
    default:
      return asked satisfies never;
  }
}

function whole(bytes: Uint8Array): DrawnPicture[] {
  return [{ bytes, x: 0, y: 0 }];
}

/** Last task: tasks run in sequence, so that memory holds a single large picture at a time. */
let before: Promise<unknown> = Promise.resolve();

const scope = globalThis as unknown as WorkerScope;
scope.onmessage = ({ data }) => {
  before = before
    .then(() => draw(data))
    .then(
      (pictures) => {
        const buffers = pictures.map(({ bytes }) => bytes.buffer as ArrayBuffer);
        scope.postMessage({ id: data.id, pictures }, buffers);
      },
      () => scope.postMessage({ id: data.id, pictures: undefined }, []),
    );
};
