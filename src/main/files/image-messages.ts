import type { ConvertFormat, MetadataPolicy, OutputType } from '../../shared/recipe.ts'
import type { FailReason } from '../../shared/reasons.ts'

/** What goes over the channel between the engine and the image worker: bytes and figures, never a path. */

export interface EncodeOptions {
  format: ConvertFormat
  /** 1 to 100. */
  quality: number
  metadata: MetadataPolicy
}

export interface PixelLimits {
  /** Width times height of one frame. */
  framePixels: number
  /** Width times height times the number of frames. */
  totalPixels: number
}

export type ImageTask =
  | { kind: 'inspect'; bytes: Uint8Array; limits: PixelLimits }
  | { kind: 'encode'; bytes: Uint8Array; limits: PixelLimits; options: EncodeOptions }
  | { kind: 'thumbnail'; bytes: Uint8Array; limits: PixelLimits; px: number }
  | { kind: 'shrink'; bytes: Uint8Array; limits: PixelLimits; maxBytes: number }

/** A picture that cannot be used, and why, for people. */
export interface ImageFailure {
  ok: false
  reason: FailReason
  detail: string
}

/** A picture that decodes to its end. Width and height are as shown, after its orientation is applied. */
export interface Inspected {
  ok: true
  type: OutputType
  width: number
  height: number
  animated: boolean
  dataAfterEnd: boolean
}

export interface Encoded {
  ok: true
  bytes: Uint8Array
  width: number
  height: number
}

/** `go`: there is memory for the task that said what it needs. */
export type WorkerRequest = { id: number; task: ImageTask } | { id: number; go: true }
/** `needs`: the header was read, and the pixels are made once `go` has come. */
export type WorkerReply =
  | { kind: 'ready' }
  | { kind: 'needs'; id: number; bytes: number }
  | { kind: 'answer'; id: number; answer: Inspected | Encoded | ImageFailure }
