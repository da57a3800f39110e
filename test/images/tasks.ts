import { expect } from 'vitest'
import type { SentCopy } from '../../src/main/core/judge-served.ts'
import type {
  AnswerTo,
  Encoded,
  EncodeOptions,
  FileWithMetadata,
  JudgedFile,
} from '../../src/main/core/picture-tasks.ts'
import { doImageTask } from '../../src/main/images/image-work.ts'
import type { MetadataPolicy } from '../../src/shared/recipes/recipe.ts'

export const LIMITS = { framePixels: 4_000_000, totalPixels: 20_000_000 }
export const SMALL = { framePixels: 1_000_000, totalPixels: 2_000_000 }

export const inspect = (bytes: Buffer, limits = SMALL): Promise<AnswerTo<'inspect'>> =>
  doImageTask({ kind: 'inspect', bytes, limits })

/** A WebP of these bytes as a recipe makes it that says nothing else. It has to succeed. */
export async function encoded(
  bytes: Buffer,
  options: Partial<EncodeOptions> = {},
): Promise<Omit<Encoded, 'bytes'> & { bytes: Buffer }> {
  const plain = { format: 'webp', quality: 80, metadata: 'keep-without-location' } as const
  const made = await doImageTask({ kind: 'encode', bytes, limits: LIMITS, options: { ...plain, ...options } })
  expect(made).toMatchObject({ ok: true })
  return { ...(made as Encoded), bytes: Buffer.from((made as Encoded).bytes) }
}

/** The service's file with what the policy keeps of the original. It has to succeed. */
export async function applied(
  served: Buffer,
  original: Buffer,
  metadata: MetadataPolicy,
): Promise<Omit<FileWithMetadata, 'bytes'> & { bytes: Buffer }> {
  const made = await doImageTask({ kind: 'applyMetadata', bytes: served, original, limits: LIMITS, metadata })
  expect(made).toMatchObject({ ok: true })
  return { ...(made as FileWithMetadata), bytes: Buffer.from((made as FileWithMetadata).bytes) }
}

/** The service's file compared with its original, or with the smaller copy of it that was sent. It has to succeed. */
export async function judged(served: Buffer, original: Buffer, copy: SentCopy = null): Promise<JudgedFile> {
  const made = await doImageTask({ kind: 'judge', bytes: served, original, copy, limits: LIMITS })
  expect(made).toMatchObject({ ok: true })
  return made as JudgedFile
}
