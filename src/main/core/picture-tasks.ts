import type { AltText, EmbeddedTexts, Extra, ImageFacts } from '../../shared/jobs/job.ts'
import type { Encoding, MetadataPolicy, Recipe, UploadType } from '../../shared/recipes/recipe.ts'
import type { CreditCode, FailReason, MetadataLoss } from '../../shared/sentences/reasons.ts'
import type { SentCopy, ServedLoss } from './judge-served.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'

export interface EncodeOptions extends Encoding, Pick<Recipe, 'format' | 'metadata'> {
  /** Each file has at most this many bytes, where a lower quality can do that; null for any size. */
  maxBytes?: number | null
  /** What to make, in order: null for the whole picture, a number for its variant of that width. By default the whole. */
  widths?: readonly (number | null)[]
}

export interface PixelLimits {
  /** Width times height of one frame. */
  framePixels: number
  /** Width times height times the number of frames. */
  totalPixels: number
}

/** What is done to pictures in the image worker, and what it is asked with beside their bytes. Added here and in `images/image-work.ts`. */
interface PictureTasks {
  /** Decodes every pixel, or with `leavesJpegPixels` leaves those of a JPEG to `encode` in full size, which fails for the same reasons. */
  inspect: { asks: Limited & { leavesJpegPixels?: boolean }; makes: Inspected }
  encode: { asks: Limited & { options: EncodeOptions }; makes: Encoded }
  /** A small WebP of the first frame, at most `px` wide and high. */
  thumbnail: { asks: Limited & { px: number }; makes: Encoded }
  /** A copy to be sent: oriented, with its colour profile alone, reduced only as far as necessary. `too_large` where there is none. */
  shrink: { asks: Limited & CopyOptions; makes: Encoded }
  /** Compares the service's file with its original. A dropped orientation or profile is put back. `copy`: what was sent instead. */
  judge: { asks: Limited & { original: Uint8Array; copy: SentCopy }; makes: JudgedFile }
  /**
   * The service's file with the metadata that the policy asks for and its coded pixels byte for byte. Unparsable: something must be removed,
   * and its metadata cannot be parsed; with `keep-all` the file then stays as it is, and the original's credits are `unchecked`.
   */
  applyMetadata: {
    asks: Limited & { original: Uint8Array; metadata: MetadataPolicy }
    makes: FileWithMetadata | UnparsableFile
  }
  /** What decides, besides the texts themselves, which of them the files of this original carry. `texts` are the service's. */
  chooseTexts: { asks: { metadata: MetadataPolicy; texts: readonly AltText[] }; makes: ChosenTexts }
  /** A file with its alt texts replaced by these. Unparsable: its metadata cannot be parsed, or the texts do not fit. */
  writeTexts: { asks: { texts: readonly AltText[] }; makes: FileWithTexts | UnparsableFile }
}

interface Limited {
  limits: PixelLimits
}

export type TaskName = keyof PictureTasks
/** The bytes of a picture, and what is asked about it. */
export type TaskOf<Name extends TaskName> = { kind: Name; bytes: Uint8Array } & PictureTasks[Name]['asks']
export type AnswerTo<Name extends TaskName> = PictureTasks[Name]['makes'] | ImageFailure
export type ImageTask = { [Name in TaskName]: TaskOf<Name> }[TaskName]
export type ImageAnswer = AnswerTo<TaskName>

/** How long each may take, and what a crash or a time-out in it says about the picture. */
export const TASKS: { readonly [Name in TaskName]: { takes: 'seconds' | 'minutes'; failsAs: FailReason } } = {
  inspect: { takes: 'seconds', failsAs: 'unreadable' },
  encode: { takes: 'minutes', failsAs: 'encode_failed' },
  thumbnail: { takes: 'seconds', failsAs: 'encode_failed' },
  shrink: { takes: 'minutes', failsAs: 'copy_failed' },
  judge: { takes: 'seconds', failsAs: 'unreadable' },
  applyMetadata: { takes: 'seconds', failsAs: 'not_cleaned' },
  chooseTexts: { takes: 'seconds', failsAs: 'not_cleaned' },
  writeTexts: { takes: 'seconds', failsAs: 'not_cleaned' },
}

/** Does these tasks; a failure of the picture is an answer. Aborted calls reject with `AppError` `aborted`. */
export type PicturePort = {
  [Name in TaskName]: (asks: Omit<TaskOf<Name>, 'kind' | 'limits'>, signal?: AbortSignal) => Promise<AnswerTo<Name>>
}

export interface CopyOptions {
  maxBytes: number
  /** By default that of the picture itself, unless it is a TIFF or AVIF. */
  type?: UploadType
  /** It has as many pixels as the picture. */
  keepsPixels?: boolean
}

/** The content of a file, and its hash. */
export interface HashedBytes {
  bytes: Uint8Array
  sha256: string
}

/** A picture that cannot be used, and why. */
export interface ImageFailure {
  ok: false
  reason: FailReason
  detail: Sentence
}

/** A picture that decodes to its end, unless its pixels were left to encoding. Width and height are as shown, with its orientation. */
export type Inspected = { ok: true } & Omit<ImageFacts, 'sha256'>

export interface EncodedFile {
  bytes: Uint8Array
  width: number
  height: number
  /** What of the original's metadata is not in it, though the recipe keeps it. */
  lost?: MetadataLoss[]
}

/** The first of what was asked for, and in `others` the rest, in order. */
export interface Encoded extends EncodedFile {
  ok: true
  others?: EncodedFile[]
}

/** The service's file with the metadata that the recipe asks for, and with its coded pixels byte for byte. */
export interface FileWithMetadata {
  ok: true
  bytes: Uint8Array
  /** What of the original's metadata is not in it, though the recipe keeps it. */
  lost: MetadataLoss[]
  /** Credits of the original that it may lack: its own metadata cannot be parsed. */
  unchecked: CreditCode[]
  /** What it holds besides the picture now. */
  extras: Extra[]
}

/** What was found out about the service's file: `bytes` are its own with what was put back, or null where nothing was. */
export type JudgedFile =
  { ok: true; fits: true; bytes: Uint8Array | null; losses: ServedLoss[] } | { ok: true; fits: false; why: Sentence }

/** Its metadata cannot be parsed, so removing what the recipe excludes cannot be guaranteed. */
export interface UnparsableFile {
  ok: true
  bytes: null
}

/** The file with its alt texts, and with its coded pixels byte for byte. */
interface FileWithTexts {
  ok: true
  bytes: Uint8Array
}

interface ChosenTexts {
  ok: true
  chosen: EmbeddedTexts
}

/* Messages between the engine and the image worker: bytes and numbers, never a path. */

/** `go`: memory was granted to the task that sent `needs`. */
export type WorkerRequest = { id: number; task: ImageTask } | { id: number; go: true }
/** `needs`: the header was read, and decoding waits for `go`. */
export type WorkerReply =
  { kind: 'ready' } | { kind: 'needs'; id: number; bytes: number } | { kind: 'answer'; id: number; answer: ImageAnswer }
