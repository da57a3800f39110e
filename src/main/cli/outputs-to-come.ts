import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { JobView } from '../../shared/contract.ts'
import type { NamesToCome } from '../core/output-names.ts'
import type { WorkPlan } from '../core/plan-work.ts'

/**
 * The files that a job would write, as it looks now: names in the folder they go into, or with the folder in front when
 * that is another one. An SEO name is the service's to give: `<seo>` stands for it. `isOwn`: whether a file is an earlier
 * result of the same picture, which makes way. `given`: the names that pictures before it would be given.
 */
export function outputsToCome(
  job: JobView,
  plan: WorkPlan,
  isOwn: (path: string) => boolean,
  given: NamesToCome,
): string[] {
  const { source, recipe, image, rootDir } = job
  if (image === null) return []
  const { output } = recipe
  const sourceDir = dirname(source.path)
  const dir = output.kind === 'folder' ? join(output.dir, relative(rootDir, sourceDir)) : sourceDir
  const name = basename(source.path)
  const isTaken = (taken: string) => existsSync(join(dir, taken)) && !isOwn(join(dir, taken))
  const names = given.of(dir, { name, type: image.type, sizeBytes: source.sizeBytes }, recipe, plan, isTaken)
  if (output.kind === 'folder') return names.map((one) => join(dir, one))
  return names.map((one) => (one === name ? `${name} (replaced, with a backup)` : one))
}
