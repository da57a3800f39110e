import type { AltText, EmbeddedTexts, Extra } from '../../shared/jobs/job.ts'
import type { ConvertFormat, MetadataPolicy, OutputType } from '../../shared/recipes/recipe.ts'
import type { CreditCode, FailReason, MetadataLoss } from '../../shared/sentences/reasons.ts'
import type { SentCopy, ServedLoss } from '../core/judge-served.ts'
import type { Raster } from '../core/likeness.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'

/** Messages between the engine and the image worker: bytes and numbers, never a path. */

export interface EncodeOptions {
  format: ConvertFormat
  /** 1 to 100, on WebP's scale: the same number looks about the same in AVIF (`avif-quality.ts`). */
  quality: number
  /** The longer side of what is made has at most this many pixels; without it, it is as large as the picture. */
  longEdge?: number | null
  metadata: MetadataPolicy
  /** What to make, in order: null for the whole picture, a number for its variant of that width. By default the whole. */
  widths?: readonly (number | null)[]
}

export interface PixelLimits {
  /** Width times height of one frame. */
  framePixels: number
  /** Width times height times the number of frames. */
  totalPixels: number
}

export type ImageTask =
  | ({ kind: 'inspect'; bytes: Uint8Array; limits: PixelLimits } & InspectOptions)
  | { kind: 'encode'; bytes: Uint8Array; limits: PixelLimits; options: EncodeOptions }
  | { kind: 'applyMetadata'; bytes: Uint8Array; limits: PixelLimits; original: Uint8Array; metadata: MetadataPolicy }
  | ({ kind: 'judge'; bytes: Uint8Array; limits: PixelLimits; original: Uint8Array } & JudgeOptions)
  | { kind: 'chooseTexts'; bytes: Uint8Array; metadata: MetadataPolicy; texts: readonly AltText[] }
  | { kind: 'writeTexts'; bytes: Uint8Array; texts: readonly AltText[] }
  | { kind: 'thumbnail'; bytes: Uint8Array; limits: PixelLimits; px: number }
  | { kind: 'shrink'; bytes: Uint8Array; limits: PixelLimits; maxBytes: number }

export interface InspectOptions {
  leavesJpegPixels?: boolean
  /** Also what `judge` would have to decode the file for. */
  makesRaster?: boolean
}

export interface JudgeOptions {
  copy: SentCopy
  known?: KnownRasters
}

/** What inspecting the two files made of their pixels: what is null is decoded again, small. */
export interface KnownRasters {
  served: Raster | null
  original: Raster | null
}

/** A picture that cannot be used, and why. */
export interface ImageFailure {
  ok: false
  reason: FailReason
  detail: Sentence
}

/** A picture that decodes to its end, unless its pixels were left to encoding. Width and height are as shown, after its orientation is applied. */
export interface Inspected {
  ok: true
  type: OutputType
  width: number
  height: number
  animated: boolean
  /** As many as are played; 1 for a still picture. */
  frames: number
  extras: Extra[]
  /** Its numbers as the judgement compares them, if that was asked for: of a still picture whose pixels were decoded. */
  raster?: Raster | null
}

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
export interface FileWithTexts {
  ok: true
  bytes: Uint8Array
}

export interface ChosenTexts {
  ok: true
  chosen: EmbeddedTexts
}

export type ImageAnswer =
  Inspected | Encoded | FileWithMetadata | UnparsableFile | JudgedFile | FileWithTexts | ChosenTexts | ImageFailure

/** `go`: memory was granted to the task that sent `needs`. */
export type WorkerRequest = { id: number; task: ImageTask } | { id: number; go: true }
/** `needs`: the header was read, and decoding waits for `go`. */
export type WorkerReply =
  { kind: 'ready' } | { kind: 'needs'; id: number; bytes: number } | { kind: 'answer'; id: number; answer: ImageAnswer }
