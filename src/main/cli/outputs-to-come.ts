import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { JobView } from '../../shared/contract.ts'
import { SIDECAR_SUFFIX } from '../../shared/sidecar.ts'
import { outputName } from '../core/naming.ts'
import type { WorkPlan } from '../core/plan-work.ts'

/** So many taken names are stepped over before it is left at the last. */
const MOST_NUMBERS = 50

/**
 * The files that a job would write, as it looks now: names in the folder they go into, or with the folder in front when
 * that is another one. An SEO name is the service's to give: `<seo>` stands for it.
 */
export function outputsToCome(job: JobView, plan: WorkPlan): string[] {
  const { source, recipe, image, rootDir } = job
  if (image === null) return []
  const { output } = recipe
  const sourceDir = dirname(source.path)
  const dir = output.kind === 'folder' ? join(output.dir, relative(rootDir, sourceDir)) : sourceDir
  const shown = (name: string) => (output.kind === 'folder' ? join(dir, name) : name)
  const names: string[] = []
  const add = (role: 'optimized' | 'converted', type: typeof image.type | 'avif') => {
    if (recipe.naming === 'seo' && plan.send !== null) {
      // A name that no service would give, put back into words.
      const name = outputName({ sourceName: basename(source.path), seoName: 'seo', role, type, n: 1 })
      names.push(shown(`<seo>${name.slice('seo'.length)}`))
      return
    }
    for (let n = 1; n <= MOST_NUMBERS; n += 1) {
      const name = outputName({ sourceName: basename(source.path), seoName: null, role, type, n })
      if (n < MOST_NUMBERS && existsSync(join(dir, name))) continue
      names.push(shown(name))
      return
    }
  }
  if (plan.optimized && output.kind === 'replace') names.push(`${basename(source.path)} (replaced, with a backup)`)
  else if (plan.optimized) add('optimized', image.type)
  if (plan.converted) add('converted', recipe.format)
  names.push(shown(`${basename(source.path)}${SIDECAR_SUFFIX}`))
  return names
}
