import { TASKS, type AnswerTo, type PicturePort, type TaskName, type TaskOf } from '../core/picture-tasks.ts'
import type { HeicDecoder } from './heic-decoder.ts'
import { sniffImageType } from './image-type.ts'

type Asks<Name extends TaskName> = Omit<TaskOf<Name>, 'kind' | 'limits'>
/** Tasks that look at pixels. */
type PixelTask = 'inspect' | 'encode' | 'thumbnail' | 'shrink' | 'judge'

/** A worker that does every task with HEIC too: what the decoder made of it goes along where pixels are needed. */
export function withHeic(worker: PicturePort, decoder: HeicDecoder): PicturePort {
  const decoding =
    <Name extends PixelTask>(name: Name, fileOf: (asks: Asks<Name>) => Uint8Array = ({ bytes }) => bytes) =>
    async (asks: Asks<Name>, signal?: AbortSignal): Promise<AnswerTo<Name>> => {
      const work = worker[name] as (asks: Asks<Name>, signal?: AbortSignal) => Promise<AnswerTo<Name>>
      const file = fileOf(asks)
      if (sniffImageType(file) !== 'heic') return work(asks, signal)
      const decoded = await decoder.decode(worker, file, signal)
      if (decoded.ok) return work({ ...asks, decoded: decoded.bytes }, signal)
      // It may have been paid for by then, which the words of the other reasons do not say.
      return name === 'encode' ? { ...decoded, reason: TASKS.encode.failsAs } : decoded
    }
  return {
    ...worker,
    inspect: decoding('inspect'),
    encode: decoding('encode'),
    thumbnail: decoding('thumbnail'),
    shrink: decoding('shrink'),
    judge: decoding('judge', ({ original }) => original),
  }
}
