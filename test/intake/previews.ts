import { openStandalonePreview } from '../../src/main/engine/standalone-preview.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { type Prospect, PreviewTotals } from '../../src/main/intake/preview-intake.ts'
import { createHttp } from '../../src/main/services/http.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import { builtChildren } from '../built-children.ts'
import type { EngineWorld } from '../engine/engine-harness.ts'
import { quiet } from '../simulation/world.ts'

export const never = new AbortController().signal

/** The preview as `hangar run --dry-run` opens it. */
export const openPreview = (
  world: EngineWorld,
  dataDir: string,
  stopping = never,
  caps = { perDay: null as number | null, perMonth: null, perFolderPerDay: null },
) =>
  openStandalonePreview(
    {
      dataDir,
      clock: realClock,
      random: Math.random,
      log: quiet,
      secrets: world.secrets,
      http: createHttp({ clock: realClock, version: 'test' }),
      child: builtChildren,
      practice: () => null,
      overrides: { imageBaseUrl: world.practice.imageBaseUrl, requestsPerMinute: 600, caps },
      imageWorkers: 2,
    },
    stopping,
  )

/** A preview from its first picture to its price. */
export async function previewOf(world: EngineWorld, dataDir: string, recipe: Recipe) {
  const paths = [world.pictures]
  const preview = await openPreview(world, dataDir)
  try {
    const request = { paths, recipe, include: [], exclude: [], force: false }
    const { found, prospects } = await preview.inspect(request, never)
    const all: Prospect[] = []
    const totals = new PreviewTotals()
    for await (const prospect of prospects) {
      all.push(prospect)
      totals.add(prospect)
    }
    const groups = totals.groups(recipe.format)
    const price = groups.length === 0 ? null : await preview.price(groups)
    return { found, all, price, spend: totals.spend }
  } finally {
    await preview.close()
  }
}
