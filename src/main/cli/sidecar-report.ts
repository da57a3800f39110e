import { basename, dirname, join } from 'node:path'
import type { Sidecar } from '../../shared/jobs/sidecar.ts'
import { measureFile } from '../files/regular-file.ts'
import { findSidecars, sidecarOf } from '../files/sidecar-file.ts'
import type { Db } from '../journal/journal.ts'
import { sidecarPaths } from '../journal/outputs.ts'
import { pathText, sizeText } from './figures.ts'

/** What a picture's sidecar knows of it, whether or not the journal still has a job for it. */
interface SidecarReport {
  path: string
  sidecarPath: string
  sidecar: Sidecar
  /** Paths of the results that exist with the bytes that are listed. */
  present: string[]
}

/** Where results of a picture went, beside it and elsewhere, as far as the journal knows. */
export function sidecarFolders(db: Db, path: string): string[] {
  return sidecarPaths(db, path).map(dirname)
}

/**
 * Null for a picture without a sidecar in these folders. The picture itself need not exist; if it does, the sidecar of its
 * content comes first, and else that of any picture of this name.
 */
export async function reportOf(path: string, folders: readonly string[]): Promise<SidecarReport | null> {
  const now = (await measureFile(path))?.sha256 ?? ''
  const dirs = [...new Set([dirname(path), ...folders])]
  const all = await Promise.all(dirs.map((dir) => findSidecars(dir, basename(path))))
  const found = sidecarOf(all.flat(), now) ?? all.flat()[0]
  if (found === undefined) return null
  const { path: sidecarPath, sidecar } = found
  const present: string[] = []
  const dir = dirname(sidecarPath)
  for (const { name, sha256 } of sidecar.outputs)
    if ((await measureFile(join(dir, name)))?.sha256 === sha256) present.push(join(dir, name))
  return { path, sidecarPath, sidecar, present }
}

export function reportLines({ path, sidecarPath, sidecar, present }: SidecarReport, cwd: string): string[] {
  const { source, recipe, translations, outputs, notes, madeAt } = sidecar
  const file = ({ role, name, sizeBytes, of }: (typeof outputs)[number]) => {
    const at = join(dirname(sidecarPath), name)
    return `  ${role}: ${pathText(at, cwd)}  ${sizeText(sizeBytes)}${of === undefined ? '' : ' (of an earlier picture)'}${present.includes(at) ? '' : ' (gone or changed)'}`
  }
  const text = ({ languageCode, seoAltText, seoFilename, edited, byRule }: (typeof translations)[number]) =>
    `  ${languageCode}: ${seoAltText}${seoFilename === '' ? '' : `  [${seoFilename}]`}${edited !== true ? '' : byRule === true ? ' (by a word rule)' : ' (edited)'}`
  const earlier = ({ sha256, translations: words }: NonNullable<Sidecar['earlier']>[number]) => [
    `  said about an earlier picture of this name (${sha256.slice(0, 16)}):`,
    ...words.map((one) => `  ${text(one)}`),
  ]
  return [
    `${pathText(path, cwd)}  ${sizeText(source.sizeBytes)}`,
    `  as its sidecar has it: ${pathText(sidecarPath, cwd)}, made ${madeAt}`,
    `  ${recipe.operation}, ${recipe.languages.join(', ')}${sidecar.decorative === true ? ', decorative' : ''}`,
    ...notes.map((note) => `  note: ${note}`),
    // What stood in the original's place before comes first.
    ...outputs.filter(({ name }, n) => outputs.findLastIndex((output) => output.name === name) === n).map(file),
    ...translations.map(text),
    ...(sidecar.earlier ?? []).flatMap(earlier),
  ]
}
