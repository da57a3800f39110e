/** One run over a folder of JPEGs: `bare` or `preview`. Run by main.ts. */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DEFAULT_RECIPE, NO_SERVICE } from '../../src/shared/recipes/recipe.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'
import { forkChild } from '../../src/main/children/fork-child.ts'
import { createFiles } from '../../src/main/engine/engine-files.ts'
import { openStandalonePreview } from '../../src/main/engine/standalone-preview.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { PreviewTotals } from '../../src/main/intake/preview-intake.ts'
import { quiet } from '../../test/simulation/world.ts'

const [name = '', pictures = '', dataDir = '', count = ''] = process.argv.slice(2)
/** As the command line has them. */
const imageWorkers = Math.max(2, availableParallelism())
const never = new AbortController().signal

async function bareLoop(): Promise<void> {
  const paths = readdirSync(pictures, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jpg'))
  const files = createFiles({ dataDir, child: forkChild, clock: realClock, imageWorkers })
  let next = 0
  const lane = async () => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const bytes = await readFile(join(pictures, path))
      createHash('sha256').update(bytes).digest('hex')
      const seen = await files.pictures.inspect({ bytes })
      if (!seen.ok) throw new Error(englishText(seen.detail))
    }
  }
  await Promise.all(Array.from({ length: imageWorkers + 1 }, lane))
  await files.close()
}

async function preview(): Promise<void> {
  const deps = { clock: realClock, log: quiet, child: forkChild, overrides: {}, serviceId: NO_SERVICE }
  const alone = openStandalonePreview({ ...deps, dataDir, imageWorkers })
  const request = { paths: [pictures], recipe: DEFAULT_RECIPE, include: [], exclude: [], force: false }
  const { prospects } = await alone.inspect(request, never)
  const totals = new PreviewTotals()
  for await (const prospect of prospects) totals.add(prospect)
  if (totals.spend.dispatches !== Number(count)) throw new Error(`${totals.spend.dispatches} of ${count} would be sent`)
  await alone.close()
}

await (name === 'bare' ? bareLoop() : preview())
