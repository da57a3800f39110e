import type { JobRow, PictureKind } from '../../../../shared/contract/jobs.ts'
import { picturePath } from '../../../../shared/contract/page-bridge.ts'
import { resourceUrl } from '../../../bridge/resource-url.ts'

/** The original and its thumbnail change only when it is replaced; results change with the job. */
export function pictureAddress(row: JobRow, kind: PictureKind): string {
  const isOfOriginal = (kind === 'original' || kind === 'thumb') && !row.replaced
  return resourceUrl(picturePath(row.id, kind, isOfOriginal ? row.createdAtMs : row.updatedAtMs))
}

/** The renderings of a job that its original can be compared with. */
export function laterKinds(row: JobRow): ('optimized' | 'converted' | 'served')[] {
  // The service's file does not show the original: a person sees why.
  if (row.state === 'failed' && row.reason?.code === 'not_this_picture') return ['served']
  return (['optimized', 'converted'] as const).filter((kind) => bytesOf(row, kind) !== null)
}

export function bytesOf(row: JobRow, kind: PictureKind): number | null {
  if (kind === 'served' || kind === 'thumb' || kind === 'file') return null
  return { original: row.sizeBytes, optimized: row.optimizedBytes, converted: row.convertedBytes }[kind]
}
