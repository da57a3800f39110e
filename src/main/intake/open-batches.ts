import { z } from 'zod'
import type { AwayBatch } from '../../shared/contract/intake.ts'
import { Recipe } from '../../shared/recipes/recipe.ts'
import type { Documents } from '../journal/documents.ts'
import { awayOf } from '../watch/away-drives.ts'

/** Paths of a waiting batch that are listed. */
const SHOWN = 3

/** What is stored of a batch until everything below its paths is taken in. */
const OpenBatch = z.object({
  paths: z.array(z.string()),
  recipe: Recipe,
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  force: z.boolean(),
  insteadOf: z.array(z.string()).default([]),
  /** The file system that each path was on at the start. */
  devices: z.record(z.string(), z.string()).default({}),
})
export type OpenBatch = z.infer<typeof OpenBatch>
export const OPEN_BATCH = 'open_batch'

export type OpenBatches = { key: string; value: OpenBatch }[]

/** Batches that were not completely taken in. */
export function openBatches(documents: Documents): OpenBatches {
  return documents.list(OPEN_BATCH, OpenBatch)
}

/** Those that are waiting for a drive now. */
export async function awayAmong(open: OpenBatches): Promise<AwayBatch[]> {
  const all = await Promise.all(
    open.map(async ({ key, value }) => ({ batchId: key, paths: await awayOf(value.paths, value.devices) })),
  )
  return all.filter(({ paths }) => paths.length > 0).map(asAway)
}

export const asAway = ({ batchId, paths }: { batchId: string; paths: readonly string[] }): AwayBatch => ({
  batchId,
  paths: paths.slice(0, SHOWN),
  count: paths.length,
})
