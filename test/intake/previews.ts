import { openStandalonePreview } from '../../src/main/engine/standalone-preview.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { type Prospect, PreviewTotals } from '../../src/main/intake/preview-intake.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import { builtChildren } from '../built-children.ts'
import type { EngineWorld } from '../engine/engine-harness.ts'
import { quiet } from '../simulation/world.ts'

/** The preview as `hangar run --dry-run` opens it. */
export const openPreview = (
  world: EngineWorld,
  dataDir: string,
  caps = { perDay: null as number | null, perMonth: null, perFolderPerDay: null },
) =>
  openStandalonePreview({
    dataDir,
    clock: realClock,
    log: quiet,
    child: builtChildren,
    overrides: { imageBaseUrl: world.practice.imageBaseUrl, requestsPerMinute: 600, caps },
    imageWorkers: 2,
    serviceId: new URL(world.practice.imageBaseUrl).origin,
  })

/** A preview from its first picture to what would be spent. */
export async function previewOf(world: EngineWorld, dataDir: string, recipe: Recipe) {
  const paths = [world.pictures]
  const preview = openPreview(world, dataDir)
  try {
    const request = { paths, recipe, include: [], exclude: [], force: false }
    const { found, prospects } = await preview.inspect(request, new AbortController().signal)
    const all: Prospect[] = []
    const totals = new PreviewTotals()
    for await (const prospect of prospects) {
      all.push(prospect)
      totals.add(prospect)
    }
    return { found, all, groups: totals.groups(recipe.format), spend: totals.spend }
  } finally {
    await preview.close()
  }
}
